import ArkivedStore
import Foundation

/// The part of the shared folder that belongs to one group of devices: each device has a folder
/// that only it writes to.
///
/// The others empty it once the device was revoked.
///
/// Whatever transports the folder can also put links into it. None is followed, because one could
/// lead to the owner's other files.
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

  /// Returns the names in the group's folder or in a folder inside it.
  func names(in folder: URL) -> [String] {
    guard folder.path == root.path || folder.path.hasPrefix(root.path + "/") else { return [] }
    let path = folder.path.dropFirst(root.path.count).split(separator: "/").map(String.init)
    return (try? opened(path))?.names ?? []
  }

  // MARK: Folders

  /// Opens a folder inside the group's folder.
  ///
  /// - Parameters:
  ///   - path: the names that lead to it.
  ///   - isCreated: true to create it if it doesn't exist. The group's folder isn't created: without
  ///     it, the disk isn't mounted, and a new one would hide that.
  /// - Returns: the folder.
  /// - Throws: `POSIXFailure`, also if the group's folder or one inside it is a link.
  private func opened(_ path: [String], isCreated: Bool = false) throws -> OpenFolder {
    if isCreated, mirror != nil { try DurableFile.makeFolder(root) }
    var place = try OpenFolder(home).folder(root.lastPathComponent)
    for name in path { place = try place.folder(name, isCreated: isCreated) }
    return place
  }

  /// Opens a device's folder or one inside it; nil if it doesn't exist or is a link.
  func opened(_ device: String, _ shelf: String? = nil) -> OpenFolder? {
    try? opened([device, shelf].compactMap(\.self))
  }

  /// Opens a device's folder or one inside it, and creates it if it doesn't exist.
  ///
  /// - Throws: `POSIXFailure`.
  func made(_ device: String, _ shelf: String? = nil) throws -> OpenFolder {
    try opened([device, shelf].compactMap(\.self), isCreated: true)
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
  /// The number of characters of an attachment's name.
  static let attachmentLength = 40

  /// Returns true if a name is one that we give to attachments.
  static func isAttachment(_ name: String) -> Bool {
    name.utf8.count == attachmentLength
      && name.allSatisfy { $0.isHexDigit && $0.isASCII && !$0.isUppercase }
  }

  /// Returns true if a name is one that we give to files other than attachments.
  static func isOurs(_ name: String) -> Bool {
    let names =
      /head|log-[0-9]{10,19}|snapshot-[0-9]{10,19}-[0-9]{6,19}|removed-[0-9a-f]{16}/
    let pairing = /keys-[0-9]{6,19}-[0-9a-f]{12}-[0-9a-f]{16}|(invite|request|welcome)-[0-9a-f]{24}/
    return name.wholeMatch(of: names) != nil || name.wholeMatch(of: pairing) != nil
  }

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
    let limit = SealedFile.largest(named: name)
    guard let (handle, size) = opened(device)?.file(name), size <= limit else { return nil }
    return try? handle.read(upToCount: limit) ?? Data()
  }

  func has(_ name: String, of device: String) -> Bool { opened(device)?.has(name) ?? false }

  func write(_ content: Data, as name: String, of device: String) throws {
    try interrupts?()
    try made(device).write(name) { append in try append(content) }
    try interrupts?()
  }

  func remove(_ name: String, of device: String) { opened(device)?.remove(name) }
}
