package import ArkivedCore
package import ArkivedImport
package import ArkivedStore
package import Foundation

/// Small pictures of an archive's photos, kept beside it as derived data: they are in no backup,
/// may be deleted at any time, and are made again when they are missing or damaged.
///
/// They are named after the content of the photo (`thumbnails/ab/abcd….small.webp`), so that a photo
/// that several entries have has one thumbnail. What cannot be read leaves a note of the reason
/// in its place (`….unreadable`), and is not tried again by this version.
package struct Thumbnails: Sendable {
  /// How large a thumbnail is.
  package enum Size: String, CaseIterable, Sendable {
    /// For timelines and calendars.
    case small
    /// For looking at one photo.
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

  /// Another way of making them is told by another number, for which all are made anew.
  private static let version = 1

  package init(_ archive: Archive, reader: ImageReader) {
    self.archive = archive
    self.reader = reader
  }

  /// The folder of all thumbnails; nil for an archive in memory.
  package static func folder(of archive: Archive) -> URL? {
    guard case .folder(let folder) = archive.location else { return nil }
    return folder.appendingPathComponent("thumbnails")
  }

  /// The thumbnail that is there already; nil where it is missing or damaged.
  package func kept(_ attachment: Attachment, _ size: Size) -> Data? {
    guard let file = file(of: attachment, size.rawValue + ".webp"),
      let content = try? Data(contentsOf: file), Self.isWhole(content)
    else { return nil }
    return content
  }

  /// Why no thumbnail can be made, where that was found out before.
  package func reason(_ attachment: Attachment) -> String? {
    file(of: attachment, "unreadable").flatMap { try? String(contentsOf: $0, encoding: .utf8) }
  }

  /// The thumbnail, made if need be.
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
      // Of a photo that was forgotten for ever in the meantime nothing stays.
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

  /// Whether there is nothing to be made of an attachment in the background.
  package func isDone(_ attachment: Attachment) -> Bool {
    kept(attachment, .small) != nil || reason(attachment) != nil
  }

  /// Lets the reader's process go until it is needed again.
  package func rest() { reader.rest() }

  /// Makes no more thumbnails, since the program is about to end.
  package func stop() { reader.stop() }

  private func file(of attachment: Attachment, _ ending: String) -> URL? {
    // The hash comes from the archive, but may have come there from outside.
    guard let hash = attachment.contentHash, hash.utf8.count == 64,
      hash.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return Self.folder(of: archive)?.appendingPathComponent(String(hash.prefix(2)))
      .appendingPathComponent("\(hash)-\(Self.version).\(ending)")
  }

  /// Keeps what was made. Where there is no room for it, it is made again when it is asked for.
  private func keep(_ content: Data, _ attachment: Attachment, _ ending: String) {
    guard let file = file(of: attachment, ending) else { return }
    let shelf = file.deletingLastPathComponent()
    guard (try? DurableFile.makeFolder(shelf)) != nil else { return }
    // A temporary name of ours, so that doctor finds it if the program is stopped.
    try? DurableFile.write(to: file, isFlushed: false) { append in try append(content) }
  }

  /// Whether a file is as long as its head says (WebP container: `RIFF`, the length of the rest,
  /// `WEBP`): what was cut off or zeroed is not.
  static func isWhole(_ content: Data) -> Bool {
    let head = [UInt8](content.prefix(12))
    guard head.count == 12, head.starts(with: "RIFF".utf8), head[8...].starts(with: "WEBP".utf8)
    else { return false }
    let length = head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    return length + 8 == content.count
  }
}

extension Thumbnails {
  /// What the check of the archive tells of pictures that could not be read; nothing when all could.
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
        remedy: "The files stay as they are. If another program opens one, save it again there "
          + "and attach it again.")
    ]
  }

  /// No life has more photos; they are asked for at once.
  package static let photoLimit = 2_000_000
}
