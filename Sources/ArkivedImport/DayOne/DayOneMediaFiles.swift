import ArkivedCore
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The media files of an export, in folders next to a journal or unpacked from its zip archive.
struct DayOneMediaFiles: Sendable {
  /// The location of a medium's file, or the reason why it is missing.
  enum Place: Sendable {
    /// The path below the folder, and the type recognised from the first bytes.
    case file(path: String, type: MediaType)
    case missing
    case unusable(String)
  }

  /// The size limit in bytes, which is also that of attachments.
  static let sizeLimit: Int64 = 2 << 30

  /// The base folder of media paths.
  let folder: URL
  /// The file names by folder and stem: `photos/ef43abe9…`.
  private let names: [String: [String]]
  /// The files that couldn't be unpacked, with the reason.
  private let failures: [String: String]
  private let looks = Looks()

  /// The inspection results by path, kept because the archive may take a file once its entry is
  /// passed on, and another entry may refer to it too.
  private final class Looks: Sendable {
    let places = Mutex<[String: Place]>([:])
  }

  /// True if the export contains no media at all.
  var isEmpty: Bool { names.isEmpty && failures.isEmpty }

  /// Finds the media folders next to a journal.
  init(beside journal: URL) {
    folder = journal.deletingLastPathComponent()
    var names: [String: [String]] = [:]
    for kind in DayOneMedia.Kind.allCases {
      let url = folder.appendingPathComponent(kind.folder)
      // A link could point anywhere.
      guard Self.isFolder(url) else { continue }
      let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
      for name in files.sorted() {
        Self.index(name, in: kind.folder, &names)
      }
    }
    self.names = names
    failures = [:]
  }

  /// Creates the list of unpacked media.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - paths: paths below the folder, such as `photos/ef43abe9.jpeg`.
  ///   - failures: the files that couldn't be unpacked, keyed by path.
  init(unpackedIn folder: URL, paths: [String], failures: [String: String]) {
    self.folder = folder
    var names: [String: [String]] = [:]
    for path in paths {
      guard let slash = path.firstIndex(of: "/") else { continue }
      Self.index(String(path[path.index(after: slash)...]), in: String(path[..<slash]), &names)
    }
    self.names = names
    self.failures = failures
  }

  private static func index(_ name: String, in folder: String, _ names: inout [String: [String]]) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, let key = parts.first.flatMap(DayOneMedia.stem),
      parts.count == 1 || DayOneMedia.ending(parts[1]) != nil
    else { return }
    names["\(folder)/\(key)", default: []].append(name)
  }

  /// Returns the file of a medium.
  func place(of media: DayOneMedia) -> Place {
    for stem in media.stems {
      let key = "\(media.kind.folder)/\(stem)"
      guard let candidates = names[key], let first = candidates.first else { continue }
      // If there are two formats of one content, the one that the entry names wins.
      let named = candidates.first { $0.lowercased().hasSuffix(".\(media.ending ?? "")") }
      let path = "\(media.kind.folder)/\(named ?? first)"
      if let failure = failures[path] { return .unusable(failure) }
      if let place = looks.places.withLock({ $0[path] }) { return place }
      let place = place(at: path)
      looks.places.withLock { $0[path] = place }
      return place
    }
    return .missing
  }

  private func place(at path: String) -> Place {
    let url = folder.appendingPathComponent(path)
    var status = stat()
    guard lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .unusable("not a file")
    }
    guard status.st_size > 0 else { return .unusable("it’s empty") }
    guard status.st_size <= Self.sizeLimit else {
      return .unusable("it’s larger than \(ZipFailure.size(Self.sizeLimit))")
    }
    guard let handle = try? FileHandle(forReadingFrom: url),
      let head = try? handle.read(upToCount: 4096)
    else { return .unusable("it can’t be read") }
    return .file(path: path, type: MediaType(sniffing: head, fileName: url.lastPathComponent))
  }

  private static func isFolder(_ url: URL) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }
}
