import Foundation

/// The files of a chat's zip archive, unpacked to names made here.
struct ChatArchive {
  /// A larger file is none that was sent.
  private static let sizeLimit: Int64 = 2 << 30

  let zip: ZipFile
  private let file: ImportFile
  /// The files by their paths in the archive.
  private(set) var files: [String: ImportFile] = [:]

  /// - Throws: `ImportRefusal` when it can't be read.
  init(_ file: ImportFile) throws {
    self.file = file
    do {
      zip = try ZipFile(file.url)
    } catch {
      throw ImportRefusal(place: file.name, message: "the zip archive cannot be read: \(error)")
    }
  }

  /// Unpacks files; what is wrong with them is told.
  mutating func unpack(
    _ chosen: [ZipFile.Entry], context: ImportContext, sink: any ImportSink
  ) throws {
    let unpacked = try ZipMembers.unpack(
      zip, chosen, of: file, sizeLimit: Self.sizeLimit, context: context, sink: sink)
    for part in unpacked { files[String(part.name.dropFirst(file.name.count + 1))] = part }
  }

  /// Where the paths of the files start.
  var folder: URL? { files.values.first?.url.deletingLastPathComponent() }

  /// The path of a file below the folder, by its path in the archive.
  func path(of name: String) -> String? { files[name]?.url.lastPathComponent }
}

/// A path that a chat names beside itself.
enum ChatPath {
  /// A path below a folder; nil for one that may lead elsewhere.
  static func settled(_ path: String) -> String? {
    let plain = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    return ZipFile.path(plain)
  }
}
