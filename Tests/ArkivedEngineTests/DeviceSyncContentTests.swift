import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedEngine
@testable import ArkivedStore

@Suite("What two devices make of the same things")
struct DeviceSyncContentTests {
  let pair: TwoDevices

  init() throws { pair = try TwoDevices() }

  private var computers: [Computer] { [pair.one, pair.two] }
  private let zone = Zone(TestArchive.zoneName) ?? .utc

  @Test("A file that was imported on both devices is there once", arguments: ["csv", "ics"])
  func importedOnBoth(_ format: String) throws {
    let contents = [
      "csv": """
      Date,Start,End,Activity,Notes
      2026-03-14,09:00,10:00,Read on the train,Chapter 4
      2026-03-14,18:30,19:15,Cooked lentils,
      2026-03-15,,,Slept late,
      """,
      "ics": """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//example//EN
      BEGIN:VEVENT
      UID:one@example.org
      DTSTAMP:20260301T080000Z
      DTSTART:20260314T090000Z
      DTEND:20260314T100000Z
      SUMMARY:Choir
      ATTENDEE;CN=Anna:mailto:anna@example.org
      END:VEVENT
      END:VCALENDAR
      """,
    ]
    let content = try #require(contents[format]).replacing("\n", with: "\r\n")
    let folder = try TemporaryFolder()
    let file = try folder.file("same.\(format)", content + "\r\n")
    for computer in computers {
      computer.clock.advance(seconds: 5)
      _ = try ImportJob(archive: computer.archive, homeZone: zone).run(file)
    }
    let expected = try texts(pair.one)
    #expect(!expected.isEmpty)
    try pair.exchange()
    for computer in computers { #expect(try texts(computer) == expected) }
    // Reading it again changes nothing on either.
    for computer in computers {
      _ = try ImportJob(archive: computer.archive, homeZone: zone).run(file)
    }
    try pair.exchange()
    for computer in computers { #expect(try texts(computer) == expected) }
  }

  private func texts(_ computer: Computer) throws -> [String] {
    let days = try ["2026-03-14", "2026-03-15"].map { try computer.day($0) }
    return days.flatMap { $0.activities.map(\.text) }.sorted()
  }

  @Test("Each device counts for itself what the other wrote towards a goal")
  func sumsAreCountedAgain() throws {
    let now = pair.one.clock.now
    let goal = try pair.one.archive.create(
      Goal(
        id: UUID(), title: "Run", measurementUnit: "km", measurementTarget: 100,
        createdAt: now, updatedAt: now)
    ).value
    try pair.exchange()
    var run = pair.two.activity("ran by the river")
    run.measurements = ["km": 5]
    let id = try pair.two.archive.add(run).value.id
    func expect(_ total: Double) throws {
      try pair.exchange()
      for computer in computers {
        let today = try #require(DayKey("2026-03-20"))
        #expect(try computer.archive.progress(of: [goal], today: today)[goal.id]?.total == total)
      }
    }
    try expect(5)
    _ = try pair.two.archive.updateActivity(id) { $0.measurements = ["km": 8] }
    try expect(8)
    _ = try pair.one.archive.deleteActivities([id])
    try expect(0)
    _ = try pair.one.archive.undo()
    try expect(8)
  }

  private func entries(_ computer: Computer) throws -> [String: Activity] {
    let activities = try computer.day("2026-03-14").activities
    return Dictionary(activities.map { ($0.text, $0) }) { $1 }
  }

  @Test("What one device tags while the other merges the tag has the tag it was merged into")
  func mergedTag() throws {
    for (text, tag) in [("walked", "sport"), ("swam", "exercise")] {
      var activity = pair.one.activity(text)
      activity.tags = [tag]
      _ = try pair.one.archive.add(activity)
    }
    try pair.exchange()
    for computer in computers { computer.clock.advance(seconds: 60) }
    let tags = try pair.one.archive.tags().map(\.tag)
    let merge = try pair.one.archive.mergeTag(
      try #require(tags.first { $0.name == "sport" }?.id),
      into: try #require(tags.first { $0.name == "exercise" }?.id))
    var run = pair.two.activity("ran")
    run.tags = ["sport"]
    _ = try pair.two.archive.add(run)
    try pair.exchange()
    for computer in computers {
      for text in ["walked", "swam", "ran"] {
        #expect(try entries(computer)[text]?.tags == ["exercise"], "\(text)")
      }
      #expect(try computer.archive.replicaConflicts().isEmpty)
    }
    _ = try pair.one.archive.undo(try #require(merge.change?.id))
    try pair.exchange()
    _ = try pair.two.archive.add(pair.two.activity("slept"))
    try pair.exchange()
    for computer in computers {
      let expected = ["walked": "sport", "swam": "exercise", "ran": "sport"]
      for (text, tag) in expected {
        #expect(try entries(computer)[text]?.tags == [tag], "\(text)")
      }
    }
  }

  @Test("Who is named on one device while the other merges them is the person they became")
  func mergedPerson() throws {
    func person(_ name: String) throws -> UUID {
      let now = pair.one.clock.now
      return try pair.one.archive.create(
        Person(id: UUID(), name: name, createdAt: now, updatedAt: now)
      ).value.id
    }
    let (old, kept) = (try person("Ann Lee"), try person("Susanna Quist"))
    try pair.exchange()
    for computer in computers { computer.clock.advance(seconds: 60) }
    _ = try pair.one.archive.merge(old, into: kept)
    var walk = pair.two.activity("a walk")
    walk.people = [Mention(name: "Ann Lee", personID: old)]
    _ = try pair.two.archive.add(walk)
    try pair.exchange()
    for computer in computers {
      #expect(try entries(computer)["a walk"]?.people.map(\.personID) == [kept])
    }
    // What expires leaves the entry as it is.
    for computer in computers {
      computer.clock.advance(seconds: 90 * 86_400)
      try computer.archive.setRetention(Retention(versionDays: 30, deletedDays: 30))
      _ = try computer.archive.add(computer.activity("much later"))
    }
    try pair.exchange()
    try pair.exchange()
    for computer in computers {
      #expect(try entries(computer)["a walk"]?.people.map(\.personID) == [kept])
    }
  }

  @Test("Of two tags that two devices merge into each other, one stays with all entries")
  func tagsMergedIntoEachOther() throws {
    for (text, tag) in [("walked", "sport"), ("swam", "exercise")] {
      var activity = pair.one.activity(text)
      activity.tags = [tag]
      _ = try pair.one.archive.add(activity)
    }
    try pair.exchange()
    for computer in computers { computer.clock.advance(seconds: 60) }
    let tags = try pair.one.archive.tags().map(\.tag.id)
    _ = try pair.one.archive.mergeTag(tags[0], into: tags[1])
    _ = try pair.two.archive.mergeTag(tags[1], into: tags[0])
    try pair.exchange()
    let left = try pair.one.archive.tags().map(\.tag)
    #expect(left.count == 1)
    for computer in computers {
      #expect(try computer.archive.tags().map(\.tag.id) == left.map(\.id))
      for text in ["walked", "swam"] {
        #expect(try entries(computer)[text]?.tags == left.map(\.name), "\(text)")
      }
    }
  }

  /// Merges changes of a third device, as they stand in its segments.
  private func merge(_ lines: [[String]], into computer: Computer) throws {
    let segments = try lines.enumerated().map { place, lines in
      ReplicaSegment(
        device: "third", sequence: place + 1, link: "\(place)", seen: [:],
        changes: try lines.map { try ReplicaChange(line: $0.utf8) })
    }
    _ = try computer.archive.mergeReplica(segments)
  }

  @Test("A tag that was deleted stands as another one once a device says that it was merged")
  func deletedThenMerged() throws {
    for (text, tag) in [("walked", "sport"), ("swam", "exercise")] {
      var activity = pair.one.activity(text)
      activity.tags = [tag]
      _ = try pair.one.archive.add(activity)
    }
    try pair.exchange()
    let tags = try pair.two.archive.tags().map(\.tag)
    let old = try #require(tags.first { $0.name == "sport" }).id.uuidString
    let kept = try #require(tags.first { $0.name == "exercise" }).id.uuidString
    let time = TestArchive.now.milliseconds + 60_000
    try merge(
      [[#"["tags","\#(old)",{"deleted":[\#(time),"third",1],"unwanted":true}]"#]], into: pair.two)
    #expect(try entries(pair.two)["walked"]?.tags == [])
    let merged = #"{"mergedInto":["\#(kept)",\#(time + 1),"third",2]}"#
    try merge(
      [
        [],
        [
          #"["tags","\#(old)",{"fields":\#(merged),"deleted":[\#(time + 1),"third",2],"unwanted":true}]"#
        ],
      ], into: pair.two)
    #expect(try entries(pair.two)["walked"]?.tags == ["exercise"])
  }

  @Test("A tag that a snapshot has under two IDs is in the entries of the snapshot")
  func tagUnderTwoIdentities() throws {
    let (kept, gone) = (
      "0A000000-0000-4000-8000-000000000001", "0B000000-0000-4000-8000-000000000001"
    )
    let entry = "0C000000-0000-4000-8000-000000000001"
    let stamp = #"[\#(TestArchive.now.milliseconds),"third",1]"#
    let made = #"["2026-03-14T20:00:00Z"]"#
    let when = #"[{"dayKey":"2026-03-14","timeZone":"\#(TestArchive.zoneName)"}]"#
    let lines = [
      #"["activities","\#(entry)",{"fields":{"text":["climbed"],"kind":["other"],"source":["manual"],"when":\#(when),"createdAt":\#(made),"updatedAt":\#(made),"tags/\#(kept)":[{"position":0}]},"touched":\#(stamp)}]"#,
      #"["tags","\#(kept)",{"fields":{"name":["outside"],"createdAt":\#(made),"updatedAt":\#(made)},"touched":\#(stamp)}]"#,
      #"["tags","\#(gone)",{"same":"\#(kept)"}]"#,
    ]
    let changes = try lines.map { try ReplicaChange(line: $0.utf8) }
    _ = try pair.two.archive.mergeReplicaSnapshot(
      by: "third", places: ["third": Archive.ReplicaPlace(sequence: 1, link: "1")]
    ) { body in for change in changes { try body(change) } }
    #expect(try entries(pair.two)["climbed"]?.tags == ["outside"])
  }

  @Test("Of templates that both devices add, the one that gives way is in the history of both")
  func templates() throws {
    let names = ["Walk", "Rest"]
    for (place, computer) in computers.enumerated() {
      computer.clock.advance(seconds: 60 * (place + 1))
      try computer.archive.updateWritingSettings { settings in
        try settings.keep(
          WritingTemplate(id: UUID(), name: names[place], text: "# \(names[place])"))
      }
    }
    try pair.exchange()
    for computer in computers {
      let present = try computer.archive.writingSettings().templates.map(\.name)
      #expect(present.contains("Rest") && !present.contains("Walk"))
      let old = try computer.archive.read { db in
        try String.fetchAll(
          db,
          sql: """
            SELECT record ->> '$.text' FROM history
            WHERE source_table = 'templates' AND reason = 'delete'
            """)
      }
      #expect(old == ["# Walk"])
    }
  }
}
