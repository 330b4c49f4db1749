import ArkivedCore
import Foundation

/// The photos and recordings of a Daylio backup, named after their checksums:
/// `assets/photos/2023/5/d41d8cd98f00b204e9800998ecf8427e`.
struct DaylioMedia {
  private struct Asset {
    var checksum: String
    var createdAt: Instant?
  }

  static let folderName = "assets"
  private static let sizeLimit: Int64 = 2 << 30
  /// The maximum number of files, more than anyone's diary has.
  private static let countLimit = 500_000

  /// The base folder of file paths.
  private(set) var folder: URL?
  private var assets: [Int: Asset] = [:]
  /// The files by checksum, with their paths below the folder and true for those among the
  /// recordings.
  private var files: [String: (path: String, isSound: Bool)] = [:]
  private var failures: [String: ZipFailure] = [:]
  private var missing: Set<String> = []
  /// The file types by checksum, kept because the archive may take a file once its entry is passed
  /// on.
  private var types: [String: MediaType] = [:]

  /// Returns true if a file name has Daylio's form.
  static func isName(_ name: Substring) -> Bool { checksum(name) != nil }

  private static func checksum(_ name: Substring) -> String? {
    let stem = name.prefix { $0 != "." }
    let isPlain = stem.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return stem.utf8.count >= 16 && isPlain ? stem.lowercased() : nil
  }

  /// Takes an element of the list of assets.
  mutating func take(_ json: JSON) {
    guard let id = json["id"]?.int, let name = json["checksum"]?.string,
      let checksum = Self.checksum(name[...]), assets.count < Self.countLimit
    else { return }
    let created = (json["createdAt"]?.int).flatMap { milliseconds in
      (0..<100_000_000_000_000).contains(milliseconds)
        ? Instant(milliseconds: Int64(milliseconds)) : nil
    }
    assets[id] = Asset(checksum: checksum, createdAt: created)
  }

  // MARK: Media files

  /// Unpacks the files that entries may refer to, under generated names.
  ///
  /// - Parameters:
  ///   - zip: the zip archive.
  ///   - place: a folder that doesn't exist yet.
  /// - Throws: an error if the files can't be written.
  mutating func unpack(_ zip: ZipFile, _ place: URL) throws {
    let wanted = Set(assets.values.map(\.checksum))
    guard !wanted.isEmpty else { return }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    folder = place
    var targets: [Int: URL] = [:]
    var names: [Int: String] = [:]
    for entry in zip.entries where !entry.isHidden {
      guard let checksum = Self.checksum(entry.fileName[...]), wanted.contains(checksum),
        files[checksum] == nil
      else { continue }
      files[checksum] = ("\(entry.index)", Self.isSound(entry.name))
      names[entry.index] = checksum
      targets[entry.index] = place.appendingPathComponent("\(entry.index)")
    }
    let failed = try zip.unpack(
      targets, sizeLimit: Self.sizeLimit, totalLimit: try ZipMembers.room(for: zip, in: place))
    for (index, failure) in failed {
      guard let checksum = names[index] else { continue }
      failures[checksum] = failure
      files[checksum] = nil
    }
  }

  /// Finds the files in the folder next to an unpacked backup, ignoring links.
  mutating func find(beside list: URL) {
    let home = list.deletingLastPathComponent()
    folder = home
    let root = home.appendingPathComponent(Self.folderName)
    let kind = try? FileManager.default.attributesOfItem(atPath: root.path)[.type]
    guard kind as? FileAttributeType == .typeDirectory,
      let names = try? FileManager.default.subpathsOfDirectory(atPath: root.path)
    else { return }
    for name in names.sorted() {
      let path = "\(Self.folderName)/\(name)"
      guard let checksum = name.split(separator: "/").last.flatMap(Self.checksum),
        files[checksum] == nil, !path.contains("\\"),
        let attributes = try? FileManager.default.attributesOfItem(
          atPath: home.appendingPathComponent(path).path),
        attributes[.type] as? FileAttributeType == .typeRegular
      else { continue }
      files[checksum] = (path, Self.isSound(path))
    }
  }

  private static func isSound(_ path: String) -> Bool { path.contains("/audio") }

  // MARK: Attachments

  /// Returns the attachment with a number, and its checksum; nil if its file is missing.
  mutating func attachment(
    _ id: Int, _ context: ImportContext
  ) -> (attachment: Attachment, checksum: String)? {
    guard let asset = assets[id] else {
      missing.insert("number \(id)")
      return nil
    }
    guard let file = files[asset.checksum], let folder,
      let type = types[asset.checksum]
        ?? mediaType(of: folder.appendingPathComponent(file.path), isSound: file.isSound)
    else {
      missing.insert(asset.checksum)
      return nil
    }
    types[asset.checksum] = type
    let date = asset.createdAt ?? context.now
    let attachment = Attachment(
      id: context.identities.next(), type: type.attachmentType, relativePath: file.path,
      mediaType: type.name, originalName: asset.checksum + Self.ending(of: type), createdAt: date,
      updatedAt: date)
    return (attachment, asset.checksum)
  }

  /// Returns the type of a file, or nil if it is empty or can't be read.
  private func mediaType(of file: URL, isSound: Bool) -> MediaType? {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
    defer { try? handle.close() }
    guard let head = try? handle.read(upToCount: 4_096), !head.isEmpty else { return nil }
    let type = MediaType(sniffing: head, fileName: "")
    return isSound && type.name == "video/mp4" ? MediaType(name: "audio/mp4") : type
  }

  private static func ending(of type: MediaType) -> String {
    switch type.name {
    case "application/octet-stream", "text/plain": ""
    case "audio/mp4": ".m4a"
    case "audio/mpeg": ".mp3"
    default: ".\(type.name.split(separator: "/").last ?? "")"
    }
  }

  /// Reports the entries' missing files, with the reasons.
  func tellMissing(at place: String, into sink: any ImportSink) {
    guard let first = missing.min() else { return }
    let reason = failures[first].map { ": \($0)" } ?? ""
    sink.diagnose(
      Diagnostic(
        .note, place: place,
        message: "\(missing.count) photos or recordings of entries are missing from the backup or "
          + "can’t be read, such as \(first)\(reason). Create the backup again, with photos",
        mayPass: !failures.isEmpty))
  }
}
