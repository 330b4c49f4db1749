import ArkivedBackup
import ArkivedCore
import ArkivedStore
import Foundation

/// A writer of the other archive's lines, adapted to this one.
final class MergeWriter {
  let folder: URL
  let files = MergeFiles()
  private(set) var conflicts: [MergeConflict] = []
  private(set) var conflictCount = 0
  private(set) var sameCount = 0
  /// The entries that are not here yet, for finding likely duplicates.
  private(set) var coming: [EntrySketch] = []
  private let source: MergeSource
  private let archive: Archive
  private let index: MergeIndex
  /// The entries here that already know the other version: files missing from them were removed on
  /// purpose.
  private var settled: Set<String> = []
  /// The entries here that an entry there replaces; no other entry may replace them.
  private var written: Set<UUID> = []
  private var outputs: [String: LineWriter] = [:]

  /// A placeholder for a line without content, which does not count as an entry.
  private static let silence = #"{"type":"arkived","version":1}"#
  /// A placeholder for a line longer than any entry; lines of such a type are reported as skipped.
  private static let excess = #"{"type":"longer than 64 MiB"}"#

  init(folder: URL, source: MergeSource, archive: Archive, index: MergeIndex) {
    self.folder = folder
    self.source = source
    self.archive = archive
    self.index = index
    files.there = source.attachments
  }

  /// Writes the adapted lines.
  ///
  /// Each line keeps its position in its file, so diagnostics about it can be traced.
  func write(
    _ versions: MergeVersions, _ map: inout MergeMap, look: () throws -> Void
  ) throws {
    try DurableFile.makeFolder(folder)
    if let attachments = source.attachments {
      try FileManager.default.createSymbolicLink(
        at: folder.appendingPathComponent("attachments"),
        withDestinationURL: attachments.standardizedFileURL)
    }
    var (versions, adapter) = (versions, map)
    var count = 0
    try source.forEachLine { number, bytes, json in
      count += 1
      if count.isMultiple(of: 1_024) { try look() }
      let lines = try self.output(source.files[number].name)
      guard let json, let type = json["type"]?.string, type != "arkived" else {
        // The import reports lines that cannot be read.
        if json == nil, bytes?.isEmpty != true { files.isEmpty = false }
        guard let bytes else { return try lines.write(Self.excess) }
        return try lines.write(bytes)
      }
      let entry = adapter.adapted(type, json)
      try self.write(
        type, entry, of: MergeContent.identity(json["id"]), adapter, &versions, to: lines)
    }
    map = adapter
    for output in outputs.values { try output.close() }
  }

  private func output(_ name: String) throws -> LineWriter {
    if let output = outputs[name] { return output }
    let file = folder.appendingPathComponent(name)
    try DurableFile.makeFolder(file.deletingLastPathComponent())
    let output = try LineWriter(file)
    outputs[name] = output
    return output
  }

  /// Writes an entry.
  ///
  /// - Parameters:
  ///   - type: the type of the entry.
  ///   - entry: the entry.
  ///   - other: the ID that the entry has there.
  ///   - map: the mapping between entries of the two archives.
  ///   - versions: the old versions of the entries.
  ///   - output: where to write.
  /// - Throws: an error if it can't be written.
  private func write(
    _ type: String, _ entry: JSON, of other: UUID?, _ map: MergeMap,
    _ versions: inout MergeVersions, to output: LineWriter
  ) throws {
    files.isEmpty = false
    switch type {
    case "attachment" where isSettled(entry): return try output.write(Self.silence)
    case "history": files.note(entry["record"] ?? .null)
    default: break
    }
    guard !MergeContent.noEntries.contains(type), let id = MergeContent.identity(entry["id"])
    else { return try output.write(ExportJob.typed(type, entry)) }
    // Several entries there may be one here, and only some of them may have the same content.
    if versions.same.contains(id),
      versions.here[id] == nil || MergeContent.print(entry) == index.entries[id]
    {
      sameCount += 1
      return try output.write(Self.silence)
    }
    guard let here = versions.here[id] else {
      if type == "activity", let sketch = EntrySketch(line: entry, id: id) {
        coming.append(sketch)
      }
      return try output.write(ExportJob.typed(type, entry))
    }
    let decision = MergeDecision(
      type: type, id: id, here: here, there: entry, oldHere: versions.oldHere[id] ?? [],
      oldThere: versions.oldThere[id] ?? [], now: archive.clock.now,
      saidHere: versions.saidHere[id] ?? [], saidThere: versions.saidThere[id] ?? [],
      isPart: other != id && map.isShared(id))
    let result =
      written.contains(id)
      ? decision.givingWay : decision.withAddressesOfHere(decision.result(), index, map)
    if let conflict = result.conflict { note(conflict) }
    if let old = result.old {
      files.note(entry)
      try self.output("old/history.jsonl").write(ExportJob.typed("history", old))
    }
    guard let line = result.line else {
      if result.conflict == nil {
        sameCount += 1
        settled.insert(type == "day" ? here["dayKey"]?.string ?? "" : id.uuidString)
      }
      return try output.write(Self.silence)
    }
    if type == "person" { versions.joined(id, line) } else { written.insert(id) }
    guard result.isJoined, type == "day" else {
      return try output.write(ExportJob.typed(type, line))
    }
    try output.write(Self.silence)
    try self.output("joined/days.jsonl").write(ExportJob.typed(type, line))
    try gather(line)
  }

  private func note(_ conflict: MergeConflict) {
    conflictCount += 1
    if conflicts.count < MergeReport.conflictLimit { conflicts.append(conflict) }
  }

  // MARK: Attachments

  /// Returns true if the entry here already has the file, or removed it since.
  private func isSettled(_ attachment: JSON) -> Bool {
    guard let owner = MergeIndex.owner(of: attachment) else { return false }
    return settled.contains(owner) || index.hasFile(attachment)
  }

  /// Copies the files of a joined entry, which are in two archives, into one folder.
  private func gather(_ entry: JSON) throws {
    let target = folder.appendingPathComponent("joined/attachments")
    for attachment in entry["attachments"]?.array ?? [] {
      guard let path = attachment["relativePath"]?.string,
        MemberName.isAttachment("attachments/\(path)")
      else { continue }
      let places = [archive.attachmentsFolder, source.attachments].compactMap {
        $0?.appendingPathComponent(path).standardizedFileURL
      }
      let link = target.appendingPathComponent(path)
      guard let file = places.first(where: { FileManager.default.fileExists(atPath: $0.path) }),
        !FileManager.default.fileExists(atPath: link.path)
      else { continue }
      try DurableFile.makeFolder(link.deletingLastPathComponent())
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    }
  }
}

/// The files that old versions of the other archive refer to.
final class MergeFiles {
  var there: URL?
  /// True if the other archive has no content.
  var isEmpty = true
  private var paths: Set<String> = []

  /// Records the files that an old version refers to.
  func note(_ record: JSON) {
    for json in (record["attachments"]?.array ?? []) + [record] {
      guard let path = json["relativePath"]?.string,
        MemberName.isAttachment("attachments/\(path)")
      else { continue }
      paths.insert(path)
    }
  }

  /// Stores the files that are not here yet.
  func store(into archive: Archive, look: () throws -> Void) throws {
    guard let there, let here = archive.attachmentsFolder else { return }
    for path in paths.sorted() {
      try look()
      let file = there.appendingPathComponent(path)
      guard !FileManager.default.fileExists(atPath: here.appendingPathComponent(path).path),
        let content = try? Data(contentsOf: file, options: .mappedIfSafe)
      else { continue }
      _ = try archive.store(
        content,
        as: Attachment(
          id: UUID(), type: .file, originalName: file.lastPathComponent,
          createdAt: archive.clock.now, updatedAt: archive.clock.now))
    }
  }
}
