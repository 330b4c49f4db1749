import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Imports into the archive")
struct ImportJobTests {
  private func job(_ test: TestArchive, overridesOwner: Bool = false) -> ImportJob {
    ImportJob(archive: test.archive, homeZone: test.zone, overridesOwner: overridesOwner)
  }

  private let life = """
    {"type":"arkived","version":1}
    {"type":"person","id":"AAAAAAAA-0000-4000-8000-000000000001","name":"Alex Kim","email":"a@x.org"}
    {"type":"activity","text":"no identity","dayKey":"2026-01-01","people":["Alex Kim"]}
    {"type":"activity","text":"no identity","dayKey":"2026-01-01","people":["Alex Kim"]}
    {"type":"activity","text":"with reference","dayKey":"2026-01-02","provider":"p","externalId":"1"}
    {"type":"activity","id":"AAAAAAAA-0000-4000-8000-000000000002","text":"with id","startAt":"2026-01-03T10:00:00Z"}
    {"type":"day","dayKey":"2026-01-01","note":"new year","mood":5}
    {"type":"metric","dayKey":"2026-01-01","metric":"steps","unit":"steps","value":8000,"source":"watch"}
    """

  @Test func aSecondImportChangesNothing() throws {
    let test = try TestArchive()
    let file = try test.folder.file("life.jsonl", life)
    let first = try #require(try job(test).run(file).first)
    #expect(first.created == ["activity": 4, "day": 1, "person": 1, "metric": 1])
    #expect(first.skipped == 0 && first.warnings.isEmpty)
    let before = try ExportJob(archive: test.archive).lines()
    test.clock.advance(seconds: 3600)
    let second = try #require(try job(test).run(file).first)
    #expect(second.created.isEmpty && second.updated == 0 && second.unchanged == 7)
    #expect(try ExportJob(archive: test.archive).lines() == before)
    #expect(try test.archive.importRuns().count == 2)
  }

  @Test func whatChangedAtTheSourceIsUpdatedAndTheOldVersionKept() throws {
    let test = try TestArchive()
    _ = try job(test).run(try test.folder.file("a.jsonl", life))
    let changed = life.replacingOccurrences(of: "with reference", with: "better words")
    let run = try #require(try job(test).run(try test.folder.file("b.jsonl", changed)).first)
    #expect(run.updated == 1 && run.created.isEmpty)
    let day = try test.archive.day(try #require(DayKey("2026-01-02")))
    #expect(day.activities.map(\.text) == ["better words"])
    let old = try test.archive.history(of: try #require(day.activities.first).id)
    #expect(old.first?.record["text"]?.string == "with reference")
    #expect(old.first?.archivedBy == .importer)
  }

  @Test func whatTheOwnerChangedIsKeptAndTold() throws {
    let test = try TestArchive()
    _ = try job(test).run(try test.folder.file("a.jsonl", life))
    let day = try #require(DayKey("2026-01-02"))
    let activity = try #require(try test.archive.day(day).activities.first)
    _ = try test.archive.updateActivity(activity.id) { $0.notes = "mine" }
    let changed = life.replacingOccurrences(of: "with reference", with: "better words")
    let file = try test.folder.file("b.jsonl", changed)
    let run = try #require(try job(test).run(file).first)
    #expect(run.updated == 0)
    #expect(run.warnings.first?.message.contains("your version was kept") == true)
    #expect(try test.archive.day(day).activities.first?.notes == "mine")
    _ = try job(test, overridesOwner: true).run(file)
    #expect(try test.archive.day(day).activities.first?.text == "better words")
  }

  @Test func attachmentsThatTheOwnerRemovedStayAwayUnlessAsked() throws {
    let source = try TestArchive()
    func file(_ content: String) throws -> ArkivedCore.Attachment {
      try source.archive.store(
        Data(content.utf8),
        as: Attachment(
          id: source.archive.identities.next(), type: .file, originalName: "a.txt",
          createdAt: source.clock.now, updatedAt: source.clock.now))
    }
    var activity = try source.activity("with a file")
    activity.attachments = [try file("one")]
    try source.archive.add(activity)
    let day = activity.dayKey
    let second = try file("two")
    _ = try source.archive.updateDay(day) { entry in
      entry.note = "A day."
      entry.attachments = [second]
    }
    var note = Note(
      id: source.archive.identities.next(), text: "A note.", createdAt: source.clock.now,
      updatedAt: source.clock.now)
    note.attachments = [try file("three")]
    note = try source.archive.create(note).value
    let export = source.folder.url.appendingPathComponent("out/life.jsonl")
    _ = try ExportJob(archive: source.archive).writeJSONLines(to: export)

    let test = try TestArchive()
    let archive = test.archive
    func counts() throws -> [Int?] {
      [
        try archive.activity(activity.id)?.attachments.count,
        try archive.day(day).entry?.attachments.count, try archive.note(note.id)?.attachments.count,
      ]
    }
    _ = try job(test).run(export)
    #expect(try counts() == [1, 1, 1])
    test.clock.advance(seconds: 60)
    _ = try archive.updateActivity(activity.id) { $0.attachments = [] }
    _ = try archive.updateDay(day) { $0.attachments = [] }
    _ = try archive.updateNote(note.id) { $0.attachments = [] }
    _ = try job(test).run(export)
    #expect(try counts() == [0, 0, 0])
    _ = try job(test, overridesOwner: true).run(export)
    #expect(try counts() == [1, 1, 1])
  }

  @Test func whatTheOwnerDeletedStaysAwayUnlessAsked() throws {
    let test = try TestArchive()
    let file = try test.folder.file("a.jsonl", life)
    _ = try job(test).run(file)
    for day in ["2026-01-01", "2026-01-02", "2026-01-03"] {
      _ = try test.archive.deleteDay(try #require(DayKey(day)))
    }
    #expect(try #require(try job(test).run(file).first).created.isEmpty)
    #expect(try test.archive.counts().activities == 0)
    #expect(try #require(try job(test, overridesOwner: true).run(file).first).created.count == 3)
    #expect(try test.archive.counts().activities == 4)
  }

  @Test func whatWasDeletedStaysAwayInAnArchiveMadeFromAnExport() throws {
    let source = try TestArchive()
    let file = try source.folder.file("a.jsonl", life)
    _ = try job(source).run(file)
    _ = try source.archive.deleteDay(try #require(DayKey("2026-01-02")))
    let export = source.folder.url.appendingPathComponent("out.jsonl")
    _ = try ExportJob(archive: source.archive).writeJSONLines(to: export)
    let target = try TestArchive()
    _ = try job(target).run(export)
    #expect(try job(target).run(file).first?.created.isEmpty == true)
    #expect(try target.day("2026-01-02").activities.isEmpty)
  }

  @Test func anUndoneImportIsGoneAndMayComeAgain() throws {
    let test = try TestArchive()
    try test.add("mine", people: ["Alex Kim"])
    let before = try ExportJob(archive: test.archive).lines()
    let file = try test.folder.file("a.jsonl", life)
    let run = try #require(try job(test).run(file).first)
    let (_, change) = try test.archive.importRun(matching: run.id.uuidString)
    let undone = try test.archive.undo(change)
    #expect(undone.removed == 6 && undone.kept == 0)
    let after = try ExportJob(archive: test.archive).lines()
    #expect(after.filter { !$0.hasPrefix(#"{"type":"history""#) } == before)
    #expect(try test.archive.importRuns().first?.isUndone == true)
    #expect(try #require(try job(test).run(file).first).created["activity"] == 4)
  }

  @Test func undoingAnImportKeepsWhatTheOwnerTouchedSince() throws {
    let test = try TestArchive()
    let run = try #require(try job(test).run(try test.folder.file("a.jsonl", life)).first)
    let day = try #require(DayKey("2026-01-02"))
    let activity = try #require(try test.archive.day(day).activities.first)
    _ = try test.archive.updateActivity(activity.id) { $0.isPinned = true }
    let (_, change) = try test.archive.importRun(matching: run.id.uuidString)
    #expect(try test.archive.undo(change).kept == 1)
    #expect(try test.archive.counts().activities == 1)
  }

  @Test func badLinesAreNamedAndTheGoodOnesComeIn() throws {
    let test = try TestArchive()
    let lines = [
      #"{"type":"activity","text":"good","dayKey":"2026-01-01"}"#,
      #"{"type":"activity","text":"truncat"#,
      #"{"type":"day","dayKey":"2026-01-01","mood":9}"#,
      #"{"type":"activity","text":"x","dayKey":"2026-01-01","lat":91,"lon":0}"#,
      #"{"type":"activity","text":"x","startAt":"2026-01-01T10:00:00Z","endAt":"2026-01-01T09:00:00Z"}"#,
      #"{"type":"dream","text":"x"}"#, "[1,2]", "not json", "",
      #"{"type":"activity","text":"future","dayKey":"2026-01-01","colour":"red"}"#,
      #"{"type":"activity","text":"dup","dayKey":"2026-01-01","provider":"p","externalId":"1"}"#,
      #"{"type":"activity","text":"dup!","dayKey":"2026-01-01","provider":"p","externalId":"1"}"#,
    ]
    var content = Data(lines.joined(separator: "\r\n").utf8)
    content.append(contentsOf: [0x0A, 0x7B, 0xFF, 0xFE, 0x7D])
    let file = try test.folder.file("bad.jsonl", content)
    let run = try #require(try job(test).run(file).first)
    #expect(run.created == ["activity": 3])
    #expect(run.skipped == 9)
    let places = run.warnings.map(\.place)
    for place in [
      "bad.jsonl:2", "bad.jsonl:3 field “mood”", "bad.jsonl:4 field “lat”",
      "bad.jsonl:5 field “endAt”", "bad.jsonl:6", "bad.jsonl:7", "bad.jsonl:8",
      "bad.jsonl:10 field “colour”", "bad.jsonl:12", "bad.jsonl:13",
    ] { #expect(places.contains(place), "\(place) in \(places)") }
    let again = try #require(try job(test).run(file).first)
    #expect(again.created.isEmpty && again.updated == 0)
  }

  @Test(arguments: [
    ("empty.jsonl", ""), ("blank.jsonl", "\n\n  \n"), ("prose.jsonl", "Dear diary,\ntoday"),
    ("binary.jsonl", "\u{0}\u{1}\u{2}PNG"), ("letter.txt", "hello"), ("empty.ics", ""),
    ("newer.jsonl", "{\"type\":\"arkived\",\"version\":99}\n"),
    ("cut.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:half"),
  ])
  func aFileWithNothingUsableIsRefusedWithAReason(name: String, content: String) throws {
    let test = try TestArchive()
    let file = try test.folder.file(name, content)
    let refusal = #expect(throws: ImportRefusal.self) { try job(test).run(file) }
    #expect(refusal?.place.contains(name) == true)
    #expect(refusal?.message.isEmpty == false)
    #expect(try test.archive.changes().isEmpty)
  }

  @Test func aFileThatTurnsOutNewerInTheMiddleLeavesNothing() throws {
    let test = try TestArchive()
    let file = try test.folder.file(
      "mixed.jsonl", life + "\n{\"type\":\"arkived\",\"version\":99}\n")
    #expect(throws: ImportRefusal.self) { try job(test).run(file) }
    #expect(try test.archive.counts().activities == 0)
    #expect(try test.archive.people().isEmpty)
  }

  @Test func aFolderIsWalkedAndLinksAreNot() throws {
    let test = try TestArchive()
    _ = try test.folder.file("in/deep/life.jsonl", life)
    _ = try test.folder.file("in/readme.txt", "hello")
    let outside = try test.folder.file("secret.jsonl", life)
    let folder = test.folder.url.appendingPathComponent("in")
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("link.jsonl"), withDestinationURL: outside)
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("loop"), withDestinationURL: folder)
    let runs = try job(test).run(folder)
    #expect(runs.count == 1 && runs.first?.created["activity"] == 4)
    #expect(runs.first?.warnings.map(\.place) == ["readme.txt", "link.jsonl"])
    #expect(runs.first?.warnings.last?.message.contains("More links: 1") == true)
    // A link that the owner names is what it leads to.
    let way = test.folder.url.appendingPathComponent("way")
    try FileManager.default.createSymbolicLink(at: way, withDestinationURL: folder)
    #expect(try job(test).run(way).map(\.format) == ["jsonl"])
  }

  #if canImport(Glibc)
    /// Names as Windows wrote them in Latin-1, which no text can hold.
    @Test func namesThatAreNoTextAreTold() throws {
      let test = try TestArchive()
      _ = try test.folder.file("old/good.csv", "date,title\n2026-03-10,kept\n")
      let start = Array("\(test.folder.url.path)/old/K".utf8)
      func name(_ end: String) -> [CChar] {
        (start + [0xF6] + Array(end.utf8) + [0]).map { CChar(bitPattern: $0) }
      }
      let file = open(name("ln.csv"), O_CREAT | O_WRONLY, 0o600)
      try #require(file >= 0)
      close(file)
      try #require(mkdir(name("nig"), 0o700) == 0)
      let run = try #require(
        try job(test).run(test.folder.url.appendingPathComponent("old")).first)
      #expect(run.created == ["activity": 1] && run.skipped == 1)
      #expect(run.warnings.contains { $0.message.hasPrefix("names that aren’t valid UTF-8: 2.") })
    }
  #endif

  @Test func otherObjectsWithATypeAreNotTakenForLinesOfItsOwn() throws {
    let importer = JSONLinesImporter()
    func isOwn(_ line: String) -> Bool {
      importer.recognises(head: Array(line.utf8), fileName: "track.geojson")
    }
    #expect(!isOwn(#"{"type":"LineString","coordinates":[[13.4,52.5]]}"#))
    #expect(isOwn(#"{ "text": "a", "type" : "activity", "dayKey": "2026-03-10"}"#))
    #expect(isOwn(#"{"type":"goal","title":"Swim"}"#))
  }

  @Test func anEditHereSurvivesALineThatSaysNoVersion() throws {
    let test = try TestArchive()
    let id = "AAAAAAAA-0000-4000-8000-000000000009"
    func line(_ text: String) -> String {
      #"{"type":"activity","id":"\#(id)","text":"\#(text)","dayKey":"2026-01-01"}"#
    }
    _ = try job(test).run(try test.folder.file("a.jsonl", line("one")))
    test.clock.advance(seconds: 60)
    #expect(try job(test).run(try test.folder.file("b.jsonl", line("two"))).first?.updated == 1)
    let key = try #require(UUID(uuidString: id))
    _ = try test.archive.updateActivity(key) { $0.text = "mine" }
    test.clock.advance(seconds: 60)
    #expect(try job(test).run(try test.folder.file("c.jsonl", line("three"))).first?.updated == 0)
    #expect(try test.archive.activity(key)?.text == "mine")
  }

  @Test func oneEntryThatARuleRefusesLeavesTheOthersIn() throws {
    let test = try TestArchive()
    let attachment = #"{"id":"AAAAAAAA-0000-4000-8000-00000000000A","externalURL":"https://x.org"}"#
    let lines = [
      #"{"type":"person","name":"A","email":"a@x.org","addresses":["A@x.org","b@x.org"]}"#,
      #"{"type":"activity","text":"a","dayKey":"2026-01-01","attachments":[\#(attachment)]}"#,
      #"{"type":"activity","text":"b","dayKey":"2026-01-01","attachments":[\#(attachment)],"people":["New"]}"#,
      #"{"type":"activity","text":"c","dayKey":"2026-01-01","attachments":[{"relativePath":"aa/missing.jpg"}]}"#,
    ]
    let file = try test.folder.file("x.jsonl", lines.joined(separator: "\n"))
    let run = try #require(try job(test).run(file).first)
    #expect(run.created == ["person": 1, "activity": 2] && run.skipped == 1)
    #expect(run.warnings.map(\.place).contains { $0.hasPrefix("x.jsonl:3") })
    #expect(try test.archive.people().count == 1)
  }

  @Test("A file that the archive cannot keep stops the import, and nothing of it comes in")
  func anUnkeptFileStopsTheImport() throws {
    let test = try TestArchive()
    let line =
      #"{"type":"activity","text":"a","dayKey":"2026-01-01","attachments":[{"relativePath":"aa/leaf.bin"}]}"#
    let file = try test.folder.file("x.jsonl", line)
    _ = try test.folder.file("attachments/aa/leaf.bin", "a pressed leaf")
    // Where the archive's folder of files should be, there is something else.
    let folder = try #require(test.archive.attachmentsFolder)
    try? FileManager.default.removeItem(at: folder)
    try Data("no folder".utf8).write(to: folder)
    #expect(throws: POSIXFailure.self) { try job(test).run(file) }
    #expect(try test.archive.counts().activities == 0)
    try FileManager.default.removeItem(at: folder)
    let run = try #require(try job(test).run(file).first)
    #expect(run.created == ["activity": 1] && run.warnings.isEmpty)
  }

  @Test func aRefusedFileInAFolderLeavesNothingAndTheOthersComeIn() throws {
    let test = try TestArchive()
    _ = try test.folder.file("in/good.jsonl", life)
    _ = try test.folder.file(
      "in/newer.jsonl",
      #"{"type":"activity","text":"x","dayKey":"2026-01-01"}"# + "\n"
        + #"{"type":"arkived","version":99}"#)
    _ = try test.folder.file("in/broken.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:half")
    let runs = try job(test).run(test.folder.url.appendingPathComponent("in"))
    #expect(runs.count == 1 && runs.first?.created["activity"] == 4)
    #expect(runs.first?.warnings.map(\.place).contains { $0.contains("broken.ics") } == true)
    #expect(runs.first?.warnings.map(\.place).contains { $0.contains("newer.jsonl") } == true)
    #expect(try test.archive.counts().activities == 4)
  }

  @Test func hostileTextIsKeptAsDataAndHostilePathsAreRefused() throws {
    let test = try TestArchive()
    let text = "<script>alert('x')</script> ../../etc/passwd '; DROP TABLE activities; --"
    let line: JSON = [
      "type": "activity", "text": .string(text), "dayKey": "2026-01-01",
      "tags": [.string("<img src=x>")], "people": [.string("\"><svg onload=1>")],
      "locationLabel": .string(text), "notes": .string(text),
    ]
    let evil =
      #"{"type":"activity","text":"x","dayKey":"2026-01-01","attachments":[{"relativePath":"../../../etc/passwd"}]}"#
    let file = try test.folder.file("evil.jsonl", line.text() + "\n" + evil + "\n")
    let run = try #require(try job(test).run(file).first)
    #expect(run.created["activity"] == 1 && run.skipped == 1)
    let activity = try #require(
      try test.day("2026-01-01").activities.first)
    #expect(activity.text == text && activity.tags == ["<img src=x>"])
    #expect(try test.archive.counts().activities == 1)
  }
}

extension ExportJob {
  /// The lines of an export without its head, whose time differs.
  func lines() throws -> [String] {
    var lines: [String] = []
    _ = try writeJSONLines { lines.append($0) }
    return Array(lines.dropFirst())
  }
}
