import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Tools that search")
struct ToolSearchTests {
  @Test("Notes that match better don’t hide the entries that are asked for")
  func notesBeforeEntries() throws {
    let test = try TestArchive()
    let now = test.clock.now
    for _ in 0..<12 {
      try test.archive.create(
        Note(
          id: test.archive.identities.next(), title: "Castle", text: "castle", createdAt: now,
          updatedAt: now))
    }
    let entry = try test.add(
      "walked for hours through the woods to some ruin that may have been a castle",
      on: "2025-02-01")
    let box = ToolBox(archive: test.archive, zone: test.zone)
    let answer = box.call(
      ToolCall(id: "a", name: "searchActivities", arguments: ["query": "castle", "limit": 1]),
      by: .agent("tester"))
    #expect(
      answer.result?["results"]?.array?.compactMap { $0["id"]?.string } == [entry.id.uuidString],
      "\(answer.json.text())")
  }

  /// Adds more entries about a subject than a search looks at.
  private func addMany(_ text: String, to test: TestArchive) throws {
    let activity = try test.activity(text)
    _ = try test.archive.write(by: .owner, "add", "Added many entries") { scope in
      for _ in 0..<600 {
        var one = activity
        one.id = test.archive.identities.next()
        try scope.insert(one)
      }
    }
  }

  @Test("Hundreds of better results don’t hide a meeting, a note or an entry")
  func manyBeforeOne() throws {
    let test = try TestArchive()
    let now = test.clock.now
    try addMany("castle", to: test)
    let anna = try test.archive.create(
      Person(id: test.archive.identities.next(), name: "Anna Wolf", createdAt: now, updatedAt: now)
    ).value
    let entry = try test.activity(
      "talked for a long while about some old ruin that may have been a castle", on: "2025-02-01")
    let id = test.archive.identities.next()
    let meeting = try test.archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: id, activityID: entry.id, eventIdentifier: id.uuidString,
          attendances: [Attendance(name: "Anna Wolf", personID: anna.id)],
          createdAt: now, updatedAt: now), activity: entry)
    ).value
    let note = try test.archive.create(
      Note(
        id: test.archive.identities.next(), title: "Ruins",
        text: "a very long list of the ruins of the region, among them a castle",
        createdAt: now, updatedAt: now)
    ).value
    let box = ToolBox(archive: test.archive, zone: test.zone)
    for arguments in [["query": "castle"], ["query": "castle", "people": ["Anna Wolf"]]]
      as [JSONObject]
    {
      let answer = box.call(
        ToolCall(id: "a", name: "findMeetings", arguments: arguments), by: .agent("tester"))
      #expect(
        answer.result?["meetings"]?.array?.compactMap { $0["id"]?.string }
          == [meeting.id.uuidString], "\(answer.json.text())")
      #expect(answer.result?["total"] == 1)
    }
    let notes = box.call(
      ToolCall(id: "a", name: "searchNotes", arguments: ["query": "castle"]), by: .agent("tester"))
    #expect(
      notes.result?["notes"]?.array?.compactMap { $0["id"]?.string } == [note.id.uuidString],
      "\(notes.json.text())")
  }

  @Test("Whoever declined or isn’t invited isn’t found by a subject")
  func onlyAttendees() throws {
    let test = try TestArchive()
    let now = test.clock.now
    let people = try ["Anna Wolf", "Bela Kiss", "Cleo Berg"].map { name in
      try test.archive.create(
        Person(id: test.archive.identities.next(), name: name, createdAt: now, updatedAt: now)
      ).value
    }
    let entry = try test.activity("castle tour")
    let id = test.archive.identities.next()
    try test.archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: id, activityID: entry.id, eventIdentifier: id.uuidString,
          attendances: [
            Attendance(name: "Anna Wolf", personID: people[0].id, reply: .accepted),
            Attendance(name: "Bela Kiss", personID: people[1].id, reply: .declined),
          ], createdAt: now, updatedAt: now), activity: entry))
    let box = ToolBox(archive: test.archive, zone: test.zone)
    for (person, total) in zip(people, [1, 0, 0]) {
      let answer = box.call(
        ToolCall(
          id: "a", name: "findMeetings",
          arguments: ["query": "castle", "people": [.string(person.id.uuidString)]]),
        by: .agent("tester"))
      #expect(answer.result?["total"] == JSON(total), "\(answer.json.text())")
    }
  }
  @Test("Each of hundreds of meetings counts")
  func hundredsOfMeetings() throws {
    let test = try TestArchive()
    let now = test.clock.now
    let entry = try test.activity("castle round", from: "15:00", to: "15:30")
    _ = try test.archive.write(by: .owner, "add", "Added many meetings") { scope in
      for _ in 0..<520 {
        var one = entry
        one.id = test.archive.identities.next()
        try scope.insert(one)
        let id = test.archive.identities.next()
        try scope.insert(
          Meeting(
            id: id, activityID: one.id, eventIdentifier: id.uuidString, attendances: [],
            createdAt: now, updatedAt: now))
      }
    }
    let answer = ToolBox(archive: test.archive, zone: test.zone).call(
      ToolCall(id: "a", name: "findMeetings", arguments: ["query": "castle"]),
      by: .agent("tester"))
    #expect(answer.result?["total"] == 520)
    #expect(answer.result?["meetings"]?.array?.count == 20)
  }
}
