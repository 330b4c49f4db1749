import Foundation

/// The files in a chat's zip archive, unpacked under generated names.
struct ChatArchive {
  /// The maximum size of a file; nobody sends larger files in a chat.
  private static let sizeLimit: Int64 = 2 << 30

  let zip: ZipFile
  private let file: ImportFile
  /// The files, keyed by their paths in the archive.
  private(set) var files: [String: ImportFile] = [:]

  /// - Throws: `ImportRefusal` if it can't be read.
  init(_ file: ImportFile) throws {
    self.file = file
    do {
      zip = try ZipFile(file.url)
    } catch {
      throw ImportRefusal(place: file.name, message: "the zip archive cannot be read: \(error)")
    }
  }

  /// Unpacks files; problems with them are reported.
  mutating func unpack(
    _ chosen: [ZipFile.Entry], context: ImportContext, sink: any ImportSink
  ) throws {
    let unpacked = try ZipMembers.unpack(
      zip, chosen, of: file, sizeLimit: Self.sizeLimit, context: context, sink: sink)
    for part in unpacked { files[String(part.name.dropFirst(file.name.count + 1))] = part }
  }

  /// The base folder of the files' paths.
  var folder: URL? { files.values.first?.url.deletingLastPathComponent() }

  /// Returns the path of a file relative to the folder, given its path in the archive.
  func path(of name: String) -> String? { files[name]?.url.lastPathComponent }
}

/// The path of a file that a chat refers to and that is stored next to it.
enum ChatPath {
  /// Returns a path relative to a folder; nil if it could point outside the folder.
  static func settled(_ path: String) -> String? {
    let plain = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    return ZipFile.path(plain)
  }
}
