import ArkivedCore
import ArkivedStore
import Foundation

/// Functions shared by all exports: iterating over days, and writing files completely or not at
/// all.
extension ExportJob {
  /// Passes on the days of a span that have any content, in order, one at a time.
  func forEachDay(of span: DayFilter, _ body: (Day) throws -> Void) throws {
    for dayKey in try archive.daysWithEntries() where span.holds(dayKey) {
      try body(try archive.day(dayKey))
    }
  }

  /// Passes on the notes that belong to the days of a span.
  func forEachNote(of span: DayFilter, _ body: (Note) throws -> Void) throws {
    var filter = NoteFilter()
    filter.from = span.from
    filter.to = span.to
    filter.limit = partSize
    try forEachPart(
      { offset in
        filter.offset = offset
        return try archive.notes(filter).map { ($0.id, $0) }
      }, body)
  }

  /// The number of times a list is read again because the archive changed in the meantime.
  private static let passes = 3

  /// Passes on a list that is read in parts.
  ///
  /// A change in the meantime moves items from one part to another, so each is passed on once, and
  /// the list is read again for those that were missed.
  ///
  /// - Parameters:
  ///   - read: returns at most `partSize` items with their IDs, from an offset on.
  ///   - body: receives each item.
  /// - Throws: what `read` and `body` throw, and an error if the archive can't be read.
  func forEachPart<Item>(
    _ read: (_ offset: Int) throws -> [(UUID, Item)], _ body: (Item) throws -> Void
  ) throws {
    var seen: Set<UUID> = []
    for _ in 0..<Self.passes {
      let before = try archive.newestChange()
      var offset = 0
      while true {
        let part = try read(offset)
        for (id, item) in part where seen.insert(id).inserted { try body(item) }
        guard part.count == partSize else { break }
        offset += partSize
      }
      guard try archive.newestChange() != before else { return }
    }
  }

  /// Writes a text file piece by piece; it gets its name only when it is complete.
  static func writeText<Result>(
    to file: URL, _ body: (_ put: (String) throws -> Void) throws -> Result
  ) throws -> Result {
    try DurableFile.write(to: file) { append in
      try withoutActuallyEscaping(append) { append in
        var buffer = Data()
        let result = try body { text in
          buffer.append(contentsOf: text.utf8)
          guard buffer.count > 1 << 20 else { return }
          try append(buffer)
          buffer.removeAll(keepingCapacity: true)
        }
        try append(buffer)
        return result
      }
    }
  }

  // MARK: Files that may be overwritten

  /// Throws if a name belongs to something other than a file, or to a file that isn't an Arkived
  /// export.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - mark: the first bytes of an Arkived export.
  ///   - replaces: true if any file may be replaced.
  /// - Throws: `ArchiveError.refused` if it does, and an error if the file can't be read.
  func claimFile(_ file: URL, mark: String, replaces: Bool) throws {
    guard !archive.isOwn(file) else {
      throw ArchiveError.refused("\(file.path) belongs to the archive itself. Choose another file.")
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    switch attributes?[.type] as? FileAttributeType {
    case nil: return
    case .typeRegular: break
    case .typeDirectory:
      throw ArchiveError.refused("\(file.path) is a folder. Choose a file in it.")
    default:
      throw ArchiveError.refused(
        "\(file.path) isn’t a regular file. Choose another, or omit -o to write to standard output."
      )
    }
    guard !replaces, attributes?[.size] as? Int != 0 else { return }
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let head = String(decoding: try handle.read(upToCount: 1_024) ?? Data(), as: UTF8.self)
    guard head.contains(mark) else {
      throw ArchiveError.refused(
        "\(file.path) isn’t an Arkived export. Choose another file, or add --force to replace it.")
    }
  }

  // MARK: Attachments

  /// Copies an attachment's file into a folder, unless a complete copy is already there.
  func copyFile(of attachment: Attachment, into folder: URL, _ summary: inout Summary) throws {
    guard let path = attachment.relativePath else { return }
    guard let source = archive.file(of: attachment),
      FileManager.default.fileExists(atPath: source.path)
    else {
      summary.missingFiles.append(path)
      return
    }
    let target = folder.appendingPathComponent(path)
    let shelf = target.deletingLastPathComponent()
    try DurableFile.makeFolder(shelf)
    if FileManager.default.contentsEqual(atPath: source.path, andPath: target.path) {
      try DurableFile.synchronise(target)
      try DurableFile.toleratingUnflushable { try DurableFile.synchronise(shelf) }
    } else if try (try? Archive.hasOwnName(target)) != true
      // The archive's own file may have been altered, and must not replace an intact copy.
      && !DurableFile.copy(source, to: target)
    {
      // A file that can't be read must not keep all others out.
      summary.missingFiles.append(path)
      return
    }
    summary.files += 1
  }
}

extension DayFilter {
  /// Returns true if a day belongs to the span.
  func holds(_ day: DayKey) -> Bool { meets(from: day, to: day) }
}

extension Day {
  /// The attachments of the day's note and of its activities.
  var allAttachments: [Attachment] {
    (entry?.attachments ?? []) + activities.flatMap(\.attachments)
  }
}
