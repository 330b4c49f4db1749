package import ArkivedCore
package import ArkivedImport
package import ArkivedStore
package import Foundation

/// Small pictures of an archive's photos, kept next to it as derived data: they aren't included in
/// backups, may be deleted at any time, and are rebuilt if they are missing or damaged.
///
/// They are named by the content of the photo (`thumbnails/ab/abcd….small.webp`), so a photo in
/// several entries has one thumbnail. A photo that cannot be read gets a file with the reason
/// instead (`….unreadable`), and is not tried again by this version.
package struct Thumbnails: Sendable {
  /// The size of a thumbnail.
  package enum Size: String, CaseIterable, Sendable {
    /// For timelines and calendars.
    case small
    /// For viewing one photo.
    case large

    /// The side of the square that it fits into, in points.
    package var side: Int {
      switch self {
      case .small: 320
      case .large: 1280
      }
    }
  }

  package let archive: Archive
  private let reader: ImageReader

  /// The version of the format; a new number causes all thumbnails to be rebuilt.
  private static let version = 1

  package init(_ archive: Archive, reader: ImageReader) {
    self.archive = archive
    self.reader = reader
  }

  /// Returns the folder of all thumbnails; nil for an archive in memory.
  package static func folder(of archive: Archive) -> URL? {
    guard case .folder(let folder) = archive.location else { return nil }
    return folder.appendingPathComponent("thumbnails")
  }

  /// Returns the existing thumbnail; nil if it is missing or damaged.
  package func kept(_ attachment: Attachment, _ size: Size) -> Data? {
    guard let file = file(of: attachment, size.rawValue + ".webp"),
      let content = try? Data(contentsOf: file), Self.isWhole(content)
    else { return nil }
    return content
  }

  /// Returns the reason no thumbnail can be made, if it is already known.
  package func reason(_ attachment: Attachment) -> String? {
    file(of: attachment, "unreadable").flatMap { try? String(contentsOf: $0, encoding: .utf8) }
  }

  /// Returns the thumbnail, creating it if necessary.
  ///
  /// - Throws: `ImageFailure`, and what reading the photo's file throws.
  package func picture(_ attachment: Attachment, _ size: Size) throws -> Data {
    if let content = kept(attachment, size) { return content }
    if let reason = reason(attachment) { throw ImageFailure.unreadable(reason) }
    let stored = archive.file(of: attachment)
    guard stored != nil || attachment.original != nil else { throw ImageFailure.notAPicture }
    let content = try archive.content(of: attachment)
    do throws(ImageFailure) {
      let picture = try reader.thumbnail(of: content, fitting: size.side)
      keep(picture, attachment, size.rawValue + ".webp")
      // Nothing may remain of a photo that was permanently deleted in the meantime.
      if let stored, !FileManager.default.fileExists(atPath: stored.path),
        let made = file(of: attachment, size.rawValue + ".webp")
      {
        try? FileManager.default.removeItem(at: made)
      }
      return picture
    } catch {
      if error.isOfTheFile { keep(Data("\(error)".utf8), attachment, "unreadable") }
      throw error
    }
  }

  /// Returns true if there is nothing to do for an attachment in the background.
  package func isDone(_ attachment: Attachment) -> Bool {
    kept(attachment, .small) != nil || reason(attachment) != nil
  }

  /// Ends the reader's process until it is needed again.
  package func rest() { reader.rest() }

  /// Stops making thumbnails because the program is about to exit.
  package func stop() { reader.stop() }

  private func file(of attachment: Attachment, _ ending: String) -> URL? {
    // The hash is from the archive, but may have been imported.
    guard let hash = attachment.contentHash, hash.utf8.count == 64,
      hash.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return Self.folder(of: archive)?.appendingPathComponent(String(hash.prefix(2)))
      .appendingPathComponent("\(hash)-\(Self.version).\(ending)")
  }

  /// Stores a thumbnail or note.
  ///
  /// If there isn't enough space, it is created again on request.
  private func keep(_ content: Data, _ attachment: Attachment, _ ending: String) {
    guard let file = file(of: attachment, ending) else { return }
    let shelf = file.deletingLastPathComponent()
    guard (try? DurableFile.makeFolder(shelf)) != nil else { return }
    // A temporary name of our own lets `doctor` find the file if the program is stopped.
    try? DurableFile.write(to: file, isFlushed: false) { append in try append(content) }
  }

  /// Returns true if a file has the length that its header states (WebP container: `RIFF`, the
  /// length of the rest, `WEBP`), which a truncated or zeroed file does not.
  static func isWhole(_ content: Data) -> Bool {
    let head = [UInt8](content.prefix(12))
    guard head.count == 12, head.starts(with: "RIFF".utf8), head[8...].starts(with: "WEBP".utf8)
    else { return false }
    let length = head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    return length + 8 == content.count
  }
}

extension Thumbnails {
  /// Returns the archive check's findings about pictures that could not be read; empty if all
  /// could.
  package func findings() throws -> [Archive.Finding] {
    let broken = try archive.photoFiles(limit: Self.photoLimit).compactMap { photo in
      reason(photo).map { (name: photo.originalName ?? photo.caption ?? "a picture", reason: $0) }
    }
    guard let first = broken.first else { return [] }
    let count = broken.count == 1 ? "1 picture has" : "\(broken.count) pictures have"
    return [
      Archive.Finding(
        "pictures", .advice,
        "\(count) no thumbnail: “\(first.name.prefix(120))”, \(first.reason)",
        remedy: "The files stay as they are. If another program can open one, save it there "
          + "again and attach the new file.")
    ]
  }

  /// The maximum number of photos; no archive has more, so they can all be queried at once.
  package static let photoLimit = 2_000_000
}
