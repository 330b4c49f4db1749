import ArkivedCore
import ArkivedImport
import ArkivedStore
import ArkivedCrypto
import Foundation

/// An error that reports that a file of an inbox cannot be imported and is moved to the failed
/// ones.
struct InboxRefusal: Error, Hashable {
  /// The reason and the remedy, as a sentence without its full stop.
  let reason: String
}

/// A file of an inbox that was read once, and the values that identify it.
struct InboxItem: Sendable {
  let name: InboxName
  let stamp: InboxStamp
  let kind: InboxName.Kind
  let time: InboxTime
  /// SHA-256 of its content, in lower-case hexadecimal.
  let hash: String
  /// The text of a text file or page.
  let text: String?
  /// The location of a private copy of any other file, which no other program changes.
  let copy: URL?
  /// The media type of a recording.
  let soundType: String?

  /// The source that identifies the file's entries in the archive.
  ///
  /// A photo and a recording are identified by content. A text is identified by content and name,
  /// without what a sync program added to the name of a copy. If only the file's timestamp
  /// determines the day, the day counts too, because the same words on another day are another
  /// entry.
  var source: Archive.Source {
    switch kind {
    case .picture: return Archive.Source(provider: "photos", externalID: hash)
    case .sound: return Archive.Source(provider: Self.provider, externalID: "sound \(hash)")
    case .text, .page, .calendar, .beside, .other:
      var key = "\(hash) \(name.conflictOf ?? name.name)"
      if time.origin == .change { key += " \(time.day)" }
      return Archive.Source(
        provider: Self.provider, externalID: key,
        noteID: kind == .page ? DerivedIdentity.of("inbox note", key) : nil)
    }
  }

  static let provider = "inbox"
}

/// Reads an inbox's files.
///
/// It reads small texts whole and copies everything else piece by piece, because a mapped file that
/// shrinks while it is read would crash the program.
struct InboxReader {
  let folder: InboxFolder
  let stillness: InboxStillness
  /// The folder for copies.
  let work: URL
  let home: Zone
  let now: Instant

  /// The largest size of an attachment.
  static let mediaLimit = 2 << 30
  /// The largest size of a calendar; a larger one is an export, which may take a long time to
  /// import.
  static let calendarLimit = 32 << 20
  private static let pieceSize = 1 << 20

  /// Reads a file.
  ///
  /// - Throws: `InboxObstacle`, `InboxRefusal`.
  func item(_ name: InboxName, _ stamp: InboxStamp) throws -> InboxItem {
    let file = try folder.openFile(name.name, stamp, stillness)
    let head = try file.head()
    let kind = name.kind(head: head)
    let limit: Int
    switch kind {
    case .other(let reason): throw InboxRefusal(reason: reason)
    case .text, .page: limit = InboxText.limit
    case .calendar: limit = Self.calendarLimit
    case .picture, .sound, .beside: limit = Self.mediaLimit
    }
    guard stamp.size <= limit else { throw tooLarge(kind, limit) }
    let changed = Instant(milliseconds: Int64(stamp.modified / 1_000_000))
    // The suffix that a sync program adds to the name of a copy contains the time of the conflict.
    let time = InboxTime(
      fileName: name.conflictOf ?? name.name, changed: changed, now: now, home: home)
    let isText = kind == .text || kind == .page
    let (content, copy, hash) = try isText ? whole(file) : copied(file, name, changed, kind)
    try file.check()
    var text: String?
    if isText {
      guard let read = InboxText.read(content) else {
        throw InboxRefusal(reason: "it’s named like a text file but contains no text")
      }
      text = read.text
    }
    return InboxItem(
      name: name, stamp: stamp, kind: kind, time: time, hash: hash, text: text, copy: copy,
      soundType: kind == .sound ? name.soundType(head: head) : nil)
  }

  private func tooLarge(_ kind: InboxName.Kind, _ limit: Int) -> InboxRefusal {
    let size = ZipFailure.size(Int64(limit))
    return switch kind {
    case .text, .page:
      InboxRefusal(
        reason: "it’s larger than \(size), too large for a note. Use “arkived import” for an "
          + "export, or attach any other file to an entry")
    case .calendar:
      InboxRefusal(reason: "it’s larger than \(size). Import it with “arkived import”")
    case .picture, .sound, .beside, .other:
      InboxRefusal(reason: "it’s larger than \(size), the limit for an attachment")
    }
  }

  private typealias Content = (content: Data, copy: URL?, hash: String)

  private func whole(_ file: InboxFolder.OpenFile) throws -> Content {
    var content = Data()
    while content.count <= InboxText.limit {
      let piece = try file.read(upTo: min(Self.pieceSize, max(4096, file.stamp.size + 1)))
      guard !piece.isEmpty else { break }
      content += piece
    }
    return (content, nil, SHA256.hash(data: content).hexadecimal)
  }

  /// Copies a file piece by piece; the copy has the same name and times.
  private func copied(
    _ file: InboxFolder.OpenFile, _ name: InboxName, _ changed: Instant, _ kind: InboxName.Kind
  ) throws -> Content {
    // Files that accompany a photo must be next to its copy.
    let shelf = work.appendingPathComponent(kind == .calendar ? "calendars" : "media")
    let copy = shelf.appendingPathComponent(name.name)
    var hash = SHA256()
    do {
      try FileManager.default.createDirectory(
        at: shelf, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      guard
        FileManager.default.createFile(
          atPath: copy.path, contents: nil, attributes: [.posixPermissions: 0o600])
      else { throw CocoaError(.fileWriteUnknown) }
      let handle = try FileHandle(forWritingTo: copy)
      defer { try? handle.close() }
      var count = 0
      while count <= file.stamp.size {
        let piece = try file.read(upTo: Self.pieceSize)
        guard !piece.isEmpty else { break }
        hash.update(data: piece)
        try handle.write(contentsOf: piece)
        count += piece.count
      }
      try handle.close()
      try FileManager.default.setAttributes(
        [
          .modificationDate: Date(
            timeIntervalSince1970: Double(changed.milliseconds) / 1000)
        ], ofItemAtPath: copy.path)
    } catch let obstacle as InboxObstacle {
      throw obstacle
    } catch {
      try? FileManager.default.removeItem(at: copy)
      throw InboxObstacle(reason: "not enough space for a copy next to the archive")
    }
    return (Data(), copy, hash.finalize().hexadecimal)
  }
}
