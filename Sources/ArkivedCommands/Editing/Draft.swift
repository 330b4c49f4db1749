import ArkivedCore
import ArkivedStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A text in an editor that is not saved yet, and what it is for.
struct Draft {
  enum Purpose: String {
    /// The note of a day.
    case note
    /// Entries as an `EntrySheet`.
    case entries
    /// A new activity.
    case add
  }

  /// Its beginning, by the clock, and four digits.
  let name: String
  let purpose: Purpose
  let startedAt: Instant
  /// The text as the editor was given it.
  let original: String
  /// The day of a note.
  var dayKey: DayKey?
  /// The versions that the text was made from, by entry. An entry that is not there yet has none.
  var versions: [UUID: Instant]

  /// “the note of 2026-03-14, begun 2026-03-14T20:00:00Z”.
  var title: String {
    let what =
      switch purpose {
      case .note: dayKey.map { said("the note of \($0)") } ?? said("the note of a day")
      case .entries: said(versions.count, one: "an entry", other: "\(versions.count) entries")
      case .add: said("a new entry")
      }
    return said("\(what), begun \(startedAt)")
  }

  /// A name for one that begins now.
  static func newName(_ context: Context) -> String {
    let wall = context.zone.wallTime(at: context.clock.now)
    let time = wall.clockText.filter { $0 != ":" }
    return "\(wall.day)-\(time)-\(UUID().uuidString.prefix(4).lowercased())"
  }

  var json: JSON {
    [
      "name": .string(name), "purpose": .string(purpose.rawValue), "startedAt": JSON(startedAt),
      "dayKey": JSON(dayKey),
      "entries": .array(
        versions.sorted { $0.key.uuidString < $1.key.uuidString }.map {
          ["id": .string($0.key.uuidString), "updatedAt": JSON($0.value)]
        }),
      "original": .string(original),
    ]
  }

  init(
    name: String, purpose: Purpose, startedAt: Instant, original: String, dayKey: DayKey? = nil,
    versions: [UUID: Instant] = [:]
  ) {
    self.name = name
    self.purpose = purpose
    self.startedAt = startedAt
    self.original = original
    self.dayKey = dayKey
    self.versions = versions
  }

  /// Reads what `json` wrote; nil for anything else.
  init?(_ json: JSON) {
    guard let name = json["name"]?.string, let startedAt = json["startedAt"]?.string,
      let start = Instant(startedAt), let original = json["original"]?.string,
      let purpose = json["purpose"]?.string.flatMap(Purpose.init)
    else { return nil }
    var versions: [UUID: Instant] = [:]
    for entry in json["entries"]?.array ?? [] {
      guard let id = entry["id"]?.string.flatMap(UUID.init(uuidString:)),
        let version = entry["updatedAt"]?.string.flatMap(Instant.init)
      else { return nil }
      versions[id] = version
    }
    self.init(
      name: name, purpose: purpose, startedAt: start, original: original,
      dayKey: json["dayKey"]?.string.flatMap(DayKey.init), versions: versions)
  }
}

/// A draft that this process works on; no other takes it meanwhile.
struct OpenDraft {
  let draft: Draft
  /// What the editor opens.
  let file: URL
  /// The open record, which holds the lock until it is closed.
  fileprivate let descriptor: Int32

  /// Whether the text is, to the byte, what the editor was given.
  func isUntouched() throws -> Bool {
    FileManager.default.contents(atPath: file.path) == Data(draft.original.utf8)
  }

  /// Where the text is, for its owner.
  var keptSentence: String {
    said("The text is kept in \(file.path); to go on with it: arkived drafts recover \(draft.name)")
  }

  /// The text as it is now; nil when the file is gone.
  ///
  /// - Throws: `CommandFailure` when it is not UTF-8.
  func text() throws -> String? {
    guard let data = FileManager.default.contents(atPath: file.path) else { return nil }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw CommandFailure(.badInput, said("The text is not UTF-8."))
    }
    return text
  }
}

/// Where drafts lie: a private folder in the archive's, so that they outlive a crash of the editor,
/// the program or the machine.
struct DraftFolder {
  let url: URL

  /// The drafts of an archive in memory lie in a folder of the session, else of the system.
  init(
    _ location: ArchiveLocation,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    switch location {
    case .folder(let folder): url = folder.appendingPathComponent("drafts")
    case .memory:
      let session = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      url = URL(fileURLWithPath: session ?? NSTemporaryDirectory())
        .appendingPathComponent("arkived-drafts-\(getuid())")
    }
  }

  private func file(_ name: String) -> URL { url.appendingPathComponent("\(name).md") }
  private func record(_ name: String) -> URL { url.appendingPathComponent("\(name).json") }

  /// Writes a new draft for the editor to open.
  func begin(_ draft: Draft) throws -> OpenDraft {
    guard mkdir(url.path, 0o700) == 0 || errno == EEXIST else { throw failure(url) }
    // Others may not look in, nor may a folder that somebody else made be trusted.
    var status = stat()
    guard lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == getuid(), chmod(url.path, 0o700) == 0
    else { throw failure(url) }
    let descriptor = try write(draft.json.text(), to: record(draft.name))
    guard flock(descriptor, LOCK_EX) == 0 else { throw failure(record(draft.name)) }
    close(try write(draft.original, to: file(draft.name)))
    return OpenDraft(draft: draft, file: file(draft.name), descriptor: descriptor)
  }

  /// Keeps a text of which no editor knows, durably.
  func keep(_ text: String, as draft: Draft) throws -> OpenDraft {
    let open = try begin(draft)
    do {
      try DurableFile.write(Data(text.utf8), to: open.file)
    } catch {
      release(open)
      throw error
    }
    return open
  }

  /// Drafts that nobody works on. One in which nothing was typed is no draft and goes.
  func unfinished() -> [Draft] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
      guard let open = take(String(name.dropLast(5))) else { return nil }
      // An editor's own file of recovery may hold what was typed.
      let hasCompanions = companions(of: open.draft.name).count > 2
      if !hasCompanions, (try? open.isUntouched()) == true {
        finish(open)
        return nil
      }
      release(open)
      return open.draft
    }
  }

  /// Takes a draft that was left; nil when there is none of the name or another process has it.
  func take(_ name: String) -> OpenDraft? {
    let record = record(name)
    let descriptor = open(record.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      let data = FileManager.default.contents(atPath: record.path),
      let json = try? JSON(parsing: String(decoding: data, as: UTF8.self)), let draft = Draft(json),
      draft.name == name
    else {
      close(descriptor)
      return nil
    }
    return OpenDraft(draft: draft, file: file(name), descriptor: descriptor)
  }

  /// Lets go of a draft, which stays.
  func release(_ open: OpenDraft) { close(open.descriptor) }

  /// Removes a draft and what the editor left beside it.
  func finish(_ open: OpenDraft) {
    for name in companions(of: open.draft.name) {
      unlink(url.appendingPathComponent(name).path)
    }
    close(open.descriptor)
  }

  /// The draft's files: its text, its record, an editor's backups and swap files.
  private func companions(of name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [])
      .filter { $0.contains(name) }
  }

  /// Writes a new private file durably and leaves it open.
  private func write(_ text: String, to file: URL) throws -> Int32 {
    let descriptor = open(file.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(file) }
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #else
          Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
      guard count >= 0 || errno == EINTR else {
        let problem = failure(file)
        close(descriptor)
        throw problem
      }
      written += max(0, count)
    }
    guard fsync(descriptor) == 0 else {
      let problem = failure(file)
      close(descriptor)
      throw problem
    }
    return descriptor
  }

  private func failure(_ file: URL) -> CommandFailure {
    CommandFailure(
      .cannotCreate, said("\(file.path) cannot be written: \(String(cString: strerror(errno)))."))
  }
}
