import ArkivedStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The part of the shared folder that belongs to one group of devices: each device has a folder
/// that only it writes to.
struct SharedFolder {
  let home: URL
  let circle: String
  /// Transfers the files if the shared folder is on a server; `home` is then the local copy.
  var mirror: FolderMirror?
  /// Called before and after a file is written; used by tests to stop a device there.
  var interrupts: (() throws -> Void)?

  init(home: URL, circle: String) {
    self.home = home
    self.circle = circle
  }

  var root: URL { home.appendingPathComponent("arkived-\(circle)") }

  func folder(of device: String) -> URL { root.appendingPathComponent(device) }

  /// True if the folder exists.
  ///
  /// An unmounted disk leaves no folder, or an empty one.
  var isThere: Bool { mirror != nil || Self.isFolder(root) }

  static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Returns the devices that have a folder.
  ///
  /// Copies that a cloud drive made because of a conflict have other names.
  func devices() -> [String] {
    names(in: root).filter { $0.count == 16 && $0.allSatisfy { $0.isHexDigit && !$0.isUppercase } }
  }

  func names(in folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  // MARK: Names

  static func segment(_ sequence: Int) -> String { "log-\(padded(sequence, 10))" }
  static func snapshot(_ number: Int, part: Int) -> String {
    "snapshot-\(padded(number, 10))-\(padded(part, 6))"
  }
  static let head = "head"
  /// Returns the name of a file with a key.
  ///
  /// - Parameters:
  ///   - number: the number of the key.
  ///   - mark: distinguishes keys of the same number made by several devices.
  ///   - device: the device that the key is for.
  /// - Returns: the name.
  static func keys(_ number: Int, _ mark: String, for device: String) -> String {
    "keys-\(padded(number, 6))-\(mark)-\(device)"
  }
  static func removal(of device: String) -> String { "removed-\(device)" }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  // MARK: Files

  func file(_ name: String, of device: String) -> URL {
    folder(of: device).appendingPathComponent(name)
  }

  /// Returns a file’s content; nil if it doesn't exist, is larger than any of our files, or isn't a
  /// regular file.
  func read(_ name: String, of device: String) -> Data? {
    let url = file(name, of: device)
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    let limit = SealedFile.largest(named: name)
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= limit
    else { return nil }
    return try? handle.read(upToCount: limit) ?? Data()
  }

  func has(_ name: String, of device: String) -> Bool {
    FileManager.default.fileExists(atPath: file(name, of: device).path)
  }

  func write(_ content: Data, as name: String, of device: String) throws {
    try interrupts?()
    try DurableFile.makeFolder(folder(of: device))
    try DurableFile.write(content, to: file(name, of: device))
    try interrupts?()
  }

  func remove(_ name: String, of device: String) {
    try? FileManager.default.removeItem(at: file(name, of: device))
  }
}
