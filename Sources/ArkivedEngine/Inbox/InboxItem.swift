import ArkivedCore
import ArkivedImport
import ArkivedStore
import ArkivedCrypto
import Foundation

/// The file of an inbox is nothing that can come in; it goes to the shelf of those that failed.
struct InboxRefusal: Error, Hashable {
  /// Why, and what to do, as a sentence without its full stop.
  let reason: String
}

/// A file of an inbox that was read once, and what it is known by.
struct InboxItem: Sendable {
  let name: InboxName
  let stamp: InboxStamp
  let kind: InboxName.Kind
  let time: InboxTime
  /// SHA-256 of its content, in lower-case hexadecimal.
  let hash: String
  /// The text of a text or page.
  let text: String?
  /// Where a private copy of anything else lies, which nobody changes any more.
  let copy: URL?
  /// The media type of a recording.
  let soundType: String?

  /// By what the archive knows what comes of it.
  ///
  /// A photo and a recording are their content. A text is content and name, without what a sync program
  /// wrote into the name of a copy; where nothing but the file's own time says of which day it is, the
  /// day as well: the same word on another day is another entry.
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

/// Reads the files of an inbox: small texts whole, all else piece by piece into private copies, since
/// a file that shrinks while it is looked at would end the program.
struct InboxReader {
  let folder: InboxFolder
  let stillness: InboxStillness
  /// Where copies lie.
  let work: URL
  let home: Zone
  let now: Instant

  /// No attachment may be larger.
  static let mediaLimit = 2 << 30
  /// A larger calendar is an export, which may take long.
  static let calendarLimit = 32 << 20
  private static let pieceSize = 1 << 20

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
    // What a sync program wrote into the name of a copy says when it was in conflict.
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

  /// Copies a file piece by piece; the copy has its name and times.
  private func copied(
    _ file: InboxFolder.OpenFile, _ name: InboxName, _ changed: Instant, _ kind: InboxName.Kind
  ) throws -> Content {
    // What stands beside a photo has to lie beside its copy.
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
      throw InboxObstacle(reason: "not enough space for a copy beside the archive")
    }
    return (Data(), copy, hash.finalize().hexadecimal)
  }
}
