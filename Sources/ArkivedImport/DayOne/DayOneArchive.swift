import ArkivedCore
import Foundation

/// A Day One export as a zip archive: journals and their media folders.
struct DayOneArchive {
  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private let zip: ZipFile

  /// A journal in the archive, with its folder there.
  private struct Member {
    var journal: DayOneJournal
    var folder: String
  }

  /// Opens the archive.
  ///
  /// - Throws: `ImportRefusal` if it isn't a readable zip archive.
  init(_ file: ImportFile, context: ImportContext, sink: any ImportSink) throws {
    self.file = file
    self.context = context
    self.sink = sink
    do {
      zip = try ZipFile(file.url)
    } catch {
      throw ImportRefusal(place: file.name, message: "the zip archive can’t be read: \(error)")
    }
  }

  func read() throws {
    let scratch = try context.scratchFolder().appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let members = try unpackJournals(into: scratch)
    tellDamage()
    var survey = DayOneJournal.Survey()
    for member in members { survey.add(try member.journal.survey()) }
    let files = try unpackMedia(survey, of: Set(members.map(\.folder)), into: scratch)
    tellMissing(survey, files)
    var refusals: [ImportRefusal] = []
    var count = 0
    for member in members {
      guard let files = files[member.folder] else { continue }
      do {
        count += try member.journal.read(
          DayOneEntry.Surroundings(context: context, files: files, media: survey.media), into: sink)
      } catch let refusal as ImportRefusal {
        refusals.append(refusal)
      }
    }
    if let first = refusals.first, refusals.count == members.count { throw first }
    for refusal in refusals { tell(.skipped, refusal.message, at: refusal.place) }
    if count == 0 { DayOneImporter.tellEmpty(file.name, sink) }
  }

  private func tell(
    _ severity: Diagnostic.Severity, _ message: String, at place: String? = nil,
    mayPass: Bool = false
  ) {
    sink.diagnose(
      Diagnostic(severity, place: place ?? file.name, message: message, mayPass: mayPass))
  }

  private func tellDamage() {
    if let damage = zip.damage {
      tell(.skipped, "only part of the zip archive could be read: \(damage). Export it again")
    }
    if let name = zip.strangeNames.first {
      tell(
        .skipped,
        "skipped files with unsafe names (\(zip.strangeNames.count)), such as "
          + "\(FieldError.shown(name))")
    }
    ZipMembers.tellLinks(of: zip, named: file.name, tell: sink.diagnose)
  }

  // MARK: Journals

  private func unpackJournals(into scratch: URL) throws -> [Member] {
    let candidates = DayOneImporter.candidates(in: zip)
    let heads = zip.heads(of: candidates)
    let entries = candidates.filter { entry in
      heads[entry.index].map { DayOneHead($0).isJournal } ?? true
    }
    guard !entries.isEmpty else {
      throw ImportRefusal(
        place: file.name, message: "the zip archive contains no Day One journal")
    }
    var targets: [Int: URL] = [:]
    for entry in entries {
      targets[entry.index] = scratch.appendingPathComponent("\(entry.index).json")
    }
    let failures = try zip.unpack(
      targets, sizeLimit: DayOneImporter.journalLimit,
      totalLimit: min(try room(in: scratch), try ZipMembers.room(for: zip, in: scratch)),
      keepsParts: true)
    var members: [Member] = []
    for entry in entries {
      guard let url = targets[entry.index] else { continue }
      let place = "\(file.name)/\(entry.name)"
      let isThere = FileManager.default.fileExists(atPath: url.path)
      if let failure = failures[entry.index] {
        tell(
          .skipped,
          isThere ? "only part of the journal could be read: \(failure)" : "skipped: \(failure)",
          at: place, mayPass: true)
      }
      guard isThere else { continue }
      members.append(
        Member(
          journal: DayOneJournal(
            url: url, place: place, name: String(entry.fileName.dropLast(".json".count))),
          folder: entry.folder))
    }
    guard !members.isEmpty else {
      let failure = entries.lazy.compactMap { failures[$0.index] }.first
      throw ImportRefusal(
        place: entries.first.map { "\(file.name)/\($0.name)" } ?? file.name,
        message: "the journal can’t be read: \(failure.map(\.description) ?? "it is not there")")
    }
    return members
  }

  private func room(in scratch: URL) throws -> Int64 {
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: scratch.path)
    let free = (attributes[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
    return max(0, free - DayOneImporter.reserve)
  }

  // MARK: Media

  /// Unpacks the media that entries refer to, each under a generated name.
  ///
  /// - Returns: The files, keyed by the folder of their journals.
  private func unpackMedia(
    _ survey: DayOneJournal.Survey, of homes: Set<String>, into scratch: URL
  ) throws -> [String: DayOneMediaFiles] {
    var wanted: Set<String> = []
    for media in survey.media.values {
      for stem in media.stems { wanted.insert("\(media.kind.folder)/\(stem)") }
    }
    let folders = Dictionary(
      uniqueKeysWithValues: homes.sorted().enumerated().map { number, home in
        (home, scratch.appendingPathComponent("\(number)"))
      })
    var targets: [Int: URL] = [:]
    var origins: [Int: (home: String, path: String)] = [:]
    var taken: Set<URL> = []
    var orphans: [String] = []
    for entry in zip.entries {
      guard let (home, path) = mediaPath(entry, wanted, homes), let folder = folders[home] else {
        if isMedium(entry, of: homes) { orphans.append(entry.name) }
        continue
      }
      let target = folder.appendingPathComponent(path)
      guard taken.insert(target).inserted else { continue }
      targets[entry.index] = target
      origins[entry.index] = (home, path)
    }
    for folder in folders.values {
      for kind in DayOneMedia.Kind.allCases {
        try FileManager.default.createDirectory(
          at: folder.appendingPathComponent(kind.folder), withIntermediateDirectories: true)
      }
    }
    tellOrphans(orphans)
    let room = try room(in: scratch)
    try checkRoom(room, for: targets.keys, in: scratch)
    let failures = try zip.unpack(
      targets, sizeLimit: DayOneMediaFiles.sizeLimit,
      totalLimit: min(room, try ZipMembers.room(for: zip, in: scratch)))
    return folders.reduce(into: [:]) { files, item in
      let own = origins.filter { $0.value.home == item.key }
      files[item.key] = DayOneMediaFiles(
        unpackedIn: item.value, paths: own.values.map(\.path).sorted(),
        failures: own.reduce(into: [:]) { reasons, origin in
          reasons[origin.value.path] = failures[origin.key]?.description
        })
    }
  }

  /// Returns the folder of the journals to which a media file belongs, and its new name.
  private func mediaPath(
    _ entry: ZipFile.Entry, _ wanted: Set<String>, _ homes: Set<String>
  ) -> (home: String, path: String)? {
    for kind in DayOneMedia.Kind.allCases where entry.folder.hasSuffix(kind.folder + "/") {
      let home = String(entry.folder.dropLast(kind.folder.count + 1))
      let parts = entry.fileName.split(separator: ".", omittingEmptySubsequences: false)
      guard homes.contains(home), parts.count <= 2,
        let stem = parts.first.flatMap({ DayOneMedia.stem(String($0)) }),
        wanted.contains("\(kind.folder)/\(stem)")
      else { continue }
      let ending = parts.count == 2 ? DayOneMedia.ending(String(parts[1])) : nil
      return (home, "\(kind.folder)/\(stem)" + (ending.map { ".\($0)" } ?? ""))
    }
    return nil
  }

  /// Returns true if a file's folder and name are those of a journal's media.
  private func isMedium(_ entry: ZipFile.Entry, of homes: Set<String>) -> Bool {
    !entry.isHidden && DayOneImporter().accompanies(entry.name, filesIn: homes)
  }

  private func tellOrphans(_ names: [String]) {
    guard let first = names.first else { return }
    tell(
      .note,
      """
      photos or other media that don’t belong to any entry weren’t imported (\(names.count)); this \
      is the first
      """,
      at: "\(file.name)/\(first)")
  }

  private func checkRoom(
    _ room: Int64, for indexes: some Sequence<Int>, in scratch: URL
  ) throws {
    let chosen = Set(indexes)
    var needed: Int64 = 0
    for entry in zip.entries where chosen.contains(entry.index) {
      let size = min(max(entry.size ?? 0, 0), DayOneMediaFiles.sizeLimit)
      needed = needed.addingReportingOverflow(size).partialValue
    }
    guard needed > room else { return }
    throw ImportRefusal(
      place: file.name,
      message: "not enough space to unpack its media: needs \(ZipFailure.size(needed)), "
        + "\(ZipFailure.size(room)) free in \(scratch.deletingLastPathComponent().path). Free up "
        + "space, or set TMPDIR to a folder on a larger disk")
  }

  private func tellMissing(_ survey: DayOneJournal.Survey, _ files: [String: DayOneMediaFiles]) {
    guard !survey.media.isEmpty, files.values.allSatisfy(\.isEmpty) else { return }
    tell(
      .note,
      "the archive contains none of the \(survey.media.count) photos and other media that its "
        + "entries refer to. To import them, export it again with media")
  }
}
