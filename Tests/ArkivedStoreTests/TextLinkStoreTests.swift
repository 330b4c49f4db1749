import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

@Suite("Links between entries")
struct TextLinkStoreTests {
  private let test: TestArchive
  private var archive: Archive { test.archive }

  init() throws { test = try TestArchive() }

  private func person(_ name: String, _ aliases: [String] = []) throws -> Person {
    try archive.create(
      Person(
        id: archive.identities.next(), name: name, aliases: aliases, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
  }

  private func note(_ title: String?, _ text: String, day: String? = nil) throws -> Note {
    try archive.create(
      Note(
        id: archive.identities.next(), title: title, text: text, dayKey: day.flatMap(DayKey.init),
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  private func write(_ text: String, on day: String) throws {
    let key = try #require(DayKey(day))
    _ = try archive.updateDay(key) { $0.note = text }
  }

  private func sources(_ subject: LinkSubject) throws -> [String] {
    try archive.backlinks(to: subject).links.map { "\($0.type.rawValue) \($0.dayKey)" }
  }

  private func targets(_ text: String) throws -> [[LinkTarget]?] {
    try archive.targets(of: TextLink.links(in: text))
  }

  @Test func whatIsLinkedFindsItsLinksTheLatestFirst() throws {
    let alex = try person("Alex Kim", ["Lex"])
    let plan = try note("Garden plan", "Ask [[lex]] about [[2024-03-05]]", day: "2026-03-02")
    try write("With [[Alex Kim|Alex]] over the [[garden plan]].", on: "2026-03-10")
    var run = try test.activity("ran")
    run.notes = "as on [[5 March 2024]]"
    try archive.add(run)
    try write("See [[entry:\(run.id.uuidString)|the run]] and [[2026-03-11]]", on: "2026-03-11")
    #expect(try sources(.person(alex.id)) == ["day 2026-03-10", "note 2026-03-02"])
    #expect(try sources(.note(plan.id)) == ["day 2026-03-10"])
    #expect(
      try sources(.day(#require(DayKey("2024-03-05"))))
        == ["activity \(run.dayKey)", "note 2026-03-02"])
    #expect(try sources(.entry(run.id)) == ["day 2026-03-11"])
    // A text's links to itself say nothing.
    #expect(try sources(.day(#require(DayKey("2026-03-11")))) == [])
    let links = try archive.backlinks(to: .person(alex.id))
    #expect(links.count == 2)
    #expect(
      links.links.map(\.snippet) == ["With Alex over the garden plan.", "Ask lex about 2024-03-05"])
    #expect(
      try archive.backlinks(to: .person(alex.id), limit: 1, offset: 1).links.map(\.id) == [plan.id])
  }

  @Test func changedDeletedAndRestoredTextsKeepTheIndexTrue() throws {
    let alex = try person("Alex Kim")
    let plan = try note("Plan", "[[Alex Kim]]")
    _ = try archive.updateNote(plan.id) { $0.text = "nobody" }
    #expect(try sources(.person(alex.id)) == [])
    _ = try archive.undo()
    #expect(try sources(.person(alex.id)).count == 1)
    try archive.deleteNote(plan.id)
    #expect(try sources(.person(alex.id)) == [])
    #expect(try targets("[[plan]]") == [[]])
    _ = try archive.undo()
    #expect(try sources(.person(alex.id)).count == 1)
    #expect(try targets("[[plan]]").map { $0?.map(\.id) } == [[plan.id]])
    #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test func namesLeadToOneThingToSeveralOrToNone() throws {
    let alex = try person("Alex Kim", ["Chief"])
    _ = try person("Priya", ["Alex Kim", "Chief"])
    let plan = try note("Trip", "a")
    let day = try #require(DayKey("2024-03-05"))
    let found = try targets(
      """
      [[alex kim]] [[chief]] [[TRIP]] [[2024-03-05]] [[nobody]] [[entry:\(plan.id.uuidString)]] \
      [[entry:DEADBEEF]]
      """
    )
    #expect(
      found.map { $0?.map(\.kind) } == [
        [.person], [.person, .person], [.note], [.day], [], [.note], [],
      ])
    #expect(found[0]?.first?.id == alex.id && found[3]?.first?.day == day)
    _ = try note("Alex Kim", "a page of the same name")
    #expect(try targets("[[Alex Kim]]").map { $0?.map(\.kind) } == [[.person, .note]])
  }

  /// As earlier versions left people whose name was removed.
  @Test func whoHasABlankNameIsShownByAnotherOne() throws {
    let zoe = try person("Zoe", ["Mo"])
    _ = try person("Ann")
    try archive.writer.write { db in
      try db.execute(
        sql: """
          UPDATE person_rows SET name = ' ' WHERE id = ?;
          UPDATE person_names SET value = ' ', folded = ''
          WHERE role = 'name' AND value = 'Zoe'
          """, arguments: [zoe.id.uuidString])
    }
    #expect(try targets("[[Mo]]").map { $0?.map(\.label) } == [["Mo"]])
    let today = test.zone.dayKey(at: test.clock.now)
    let reader = TimeReader(now: test.clock.now, zone: test.zone)
    let offers = try archive.linkOffers(
      matching: "", kinds: [.person], today: today, reader: reader)
    #expect(offers.map(\.target.label).sorted() == ["Ann", "Mo"])
    let people = try archive.people(matching: "", order: .name, today: today)
    #expect(people.map(\.person.displayName) == ["Ann", "Mo"])
  }

  @Test func onlyTheFirstLinksOfATextAreLookedUp() throws {
    let text =
      (0...Archive.linkLimit).map { "[[name \($0)]]" }.joined(separator: " ") + " [[name 0]]"
    let found = try targets(text)
    #expect(found.count(where: { $0 == nil }) == 1 && found.last == .some([]))
  }

  @Test func anUnfinishedImportLinksNowhere() throws {
    let alex = try person("Alex Kim")
    let plan = try note("Plan", "[[Alex Kim]]")
    try archive.writer.write { db in
      try db.execute(
        sql: """
          INSERT INTO hidden_changes (change_pk, state)
          SELECT changed_pk, 'staged' FROM note_rows WHERE id = ?
          """, arguments: [plan.id.uuidString])
    }
    #expect(try sources(.person(alex.id)) == [])
    #expect(try targets("[[Plan]]") == [[]])
  }

  @Test func anIndexThatIsNotTrueIsFoundAndRebuilt() throws {
    let alex = try person("Alex Kim")
    _ = try note("Plan", "[[Alex Kim]]")
    try write("[[Alex Kim]] [[Plan]]", on: "2026-03-10")
    let rows = try archive.read { try Row.fetchAll($0, sql: "SELECT * FROM text_links") }
    try archive.writer.write { db in
      try db.execute(sql: "DELETE FROM text_links WHERE document % 8 = 3; DELETE FROM note_names")
    }
    let problems = try archive.examine().filter { $0.verdict == .problem }
    #expect(problems.map(\.check) == ["text links"])
    try archive.rebuildTextLinks()
    #expect(try archive.read { try Row.fetchAll($0, sql: "SELECT * FROM text_links") } == rows)
    try archive.rebuildSearchWords()
    #expect(try archive.read { try Row.fetchAll($0, sql: "SELECT * FROM text_links") } == rows)
    #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
    #expect(try sources(.person(alex.id)).count == 2)
  }

  @Test func offersNameWhatTheyLeadTo() throws {
    let alex = try person("Alex Kim")
    _ = try note("Alexandria", "a")
    _ = try person("Sam")
    let other = try note("Sam", "the same name")
    var run = try test.activity("Alexander technique [x]")
    run.startAt = nil
    try archive.add(run)
    let reader = TimeReader(now: test.clock.now, zone: test.zone)
    let today = test.zone.dayKey(at: test.clock.now)
    func offers(_ text: String, _ kinds: Set<LinkTarget.Kind> = []) throws -> [String] {
      try archive.linkOffers(matching: text, kinds: kinds, today: today, reader: reader)
        .map(\.insert)
    }
    #expect(
      try offers("alex") == [
        "[[Alex Kim]]", "[[Alexandria]]",
        "[[entry:\(run.id.uuidString)|Alexander technique x]]",
      ])
    #expect(try offers("kim") == ["[[Alex Kim]]"])
    #expect(try offers("alex", [.person]) == ["[[Alex Kim]]"])
    #expect(try offers("2024-03-05") == ["[[2024-03-05]]"])
    #expect(try offers("yesterday", [.day]) == ["[[2026-03-13]]"])
    #expect(try offers("", [.day]) == ["[[2026-03-14]]", "[[2026-03-13]]"])
    try test.add("tags", tags: ["rest [easy]", "rest more", "restful"])
    #expect(try offers("rest", [.tag]) == ["[[rest more]]", "#restful"])
    // Two things of one name are told apart by identity.
    #expect(try offers("sam", [.note]) == ["[[entry:\(other.id.uuidString)|Sam]]"])
    for odd in ["\"", "*", "(", "NEAR(", "a OR", "[[", "%", String(repeating: "x ", count: 5_000)] {
      _ = try offers(odd)
    }
    _ = alex
  }

  @Test func renamingAPersonRewritesTheirLinksAndUndoTakesItBack() throws {
    let alex = try person("Alex Kim", ["Lex"])
    let plan = try note("Plan", "[[Alex Kim]], [[alex kim|A.]], [[Lex]], `[[Alex Kim]]`")
    try write("[[Alex Kim]]", on: "2026-03-10")
    var run = try test.activity("ran with [[Alex Kim]]")
    run.notes = "[[Alex Kim]]"
    try archive.add(run)
    test.clock.advance(seconds: 60)
    let saved = try archive.updatePerson(alex.id) { person in
      person.name = "Alex Miller"
      person.aliases = []
    }
    #expect(saved.change != nil)
    #expect(
      try archive.note(plan.id)?.text
        == "[[Alex Miller]], [[Alex Miller|A.]], [[Alex Miller|Lex]], `[[Alex Kim]]`")
    #expect(try archive.activity(run.id)?.text == "ran with [[Alex Miller]]")
    #expect(try archive.activity(run.id)?.notes == "[[Alex Miller]]")
    #expect(try sources(.person(alex.id)).count == 3)
    #expect(try archive.history(of: plan.id).count == 1)
    _ = try archive.undo()
    #expect(
      try archive.note(plan.id)?.text
        == "[[Alex Kim]], [[alex kim|A.]], [[Lex]], `[[Alex Kim]]`")
    #expect(try archive.activity(run.id)?.text == "ran with [[Alex Kim]]")
    #expect(
      try archive.person(alex.id, today: #require(DayKey("2026-03-14")))?.person.name == "Alex Kim")
    #expect(try sources(.person(alex.id)).count == 3)
    #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test func aNameThatStillLeadsSomewhereIsLeftAlone() throws {
    let alex = try person("Alex Kim")
    _ = try person("Other", ["Alex Kim"])
    let plan = try note("Plan", "[[Alex Kim]]")
    _ = try archive.updatePerson(alex.id) { $0.name = "Alex Miller" }
    #expect(try archive.note(plan.id)?.text == "[[Alex Kim]]")
    _ = try archive.updatePerson(alex.id) { $0.relationshipSummary = "a friend" }
    #expect(try archive.note(plan.id)?.text == "[[Alex Kim]]")
  }

  @Test func renamingANoteRewritesItsLinksByNameOrByIdentity() throws {
    let plan = try note("Plan", "see [[plan]]")
    let other = try note("Other", "[[Plan#Costs|costs]] and [[PLAN]]")
    _ = try archive.updateNote(plan.id) { $0.title = "Plan B" }
    #expect(try archive.note(other.id)?.text == "[[Plan B#Costs|costs]] and [[Plan B]]")
    #expect(try archive.note(plan.id)?.text == "see [[Plan B]]")
    // A name that can't be written in a link leaves the identity.
    _ = try archive.updateNote(plan.id) { $0.title = "Plan [C]" }
    let id = plan.id.uuidString
    #expect(
      try archive.note(other.id)?.text == "[[entry:\(id)#Costs|costs]] and [[entry:\(id)|Plan B]]")
    #expect(try sources(.note(plan.id)).count == 1)
    // A tick of a checkbox renames nothing.
    _ = try archive.updateNote(other.id) { $0.text += "\n[[Plan]]" }
    _ = try archive.updateNote(plan.id) { $0.text = "new" }
    #expect(try archive.note(other.id)?.text.hasSuffix("[[Plan]]") == true)
  }

  @Test func aTableStaysATableWhenALinkInItIsRenamed() throws {
    let plan = try note("Plan", "a")
    let table = try note("Table", "| Costs |\n|---|\n| [[Plan\\|the plan]] |")
    _ = try archive.updateNote(plan.id) { $0.title = "Plan B" }
    #expect(
      try archive.note(table.id)?.text == "| Costs |\n|---|\n| [[Plan B\\|the plan]] |")
  }

  @Test func aLinkWithFoldersFollowsTheNewName() throws {
    let alex = try person("Alex Kim")
    _ = try note("team/Alex Kim", "a page of its own")
    let plan = try note("Plan", "[[people/Alex Kim]], [[people/Alex Kim|A.]], [[team/Alex Kim]]")
    _ = try archive.updatePerson(alex.id) { $0.name = "Alex Miller" }
    #expect(
      try archive.note(plan.id)?.text
        == "[[Alex Miller]], [[Alex Miller|A.]], [[team/Alex Kim]]")
    #expect(try sources(.person(alex.id)).count == 1)
  }

  @Test func renamingOrMergingATagRewritesItsLinksAndUndoTakesItBack() throws {
    let dig = try test.add("dug", tags: ["garden work"])
    try test.add("planted", tags: ["planting"])
    let plan = try note("Plan", "see [[garden work]], [[Garden Work|there]]")
    let tag = try archive.tag(named: "garden work").id
    _ = try archive.renameTag(tag, to: "digging")
    #expect(try archive.note(plan.id)?.text == "see [[digging]], [[digging|there]]")
    #expect(try targets("[[digging]]").map { $0?.map(\.id) } == [[tag]])
    _ = try archive.undo()
    #expect(try archive.note(plan.id)?.text == "see [[garden work]], [[Garden Work|there]]")
    let kept = try archive.tag(named: "planting").id
    let merged = try archive.mergeTag(tag, into: kept)
    #expect(try archive.note(plan.id)?.text == "see [[planting]], [[planting|there]]")
    _ = try archive.undo(merged.change?.id)
    #expect(try archive.note(plan.id)?.text == "see [[garden work]], [[Garden Work|there]]")
    #expect(try archive.activity(dig.id)?.tags == ["garden work"])
    // A name that also belongs to a note doesn't lead to the tag.
    _ = try note("Digging", "a")
    _ = try archive.renameTag(tag, to: "digging")
    #expect(try archive.note(plan.id)?.text.contains("[[garden work]]") == true)
    #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test func anOldNameThatIsRestoredIsInTheLinksAgain() throws {
    let (alex, trip) = (try person("Alex Kim"), try note("Trip", "a"))
    try test.add("dug", tags: ["garden work"])
    let text = "[[Alex Kim]] on [[Trip]] for [[garden work]]"
    let plan = try note("Plan", text)
    let tag = try archive.tag(named: "garden work").id
    _ = try archive.updatePerson(alex.id) { $0.name = "Alex Miller" }
    _ = try archive.updateNote(trip.id) { $0.title = "Journey" }
    _ = try archive.renameTag(tag, to: "digging")
    #expect(
      try archive.note(plan.id)?.text == "[[Alex Miller]] on [[Journey]] for [[digging]]")
    for id in [alex.id, trip.id, tag] {
      _ = try archive.restore(try #require(try archive.history(of: id).last))
    }
    #expect(try archive.note(plan.id)?.text == text)
    #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test func linksToAMergedEntryLeadToTheOneItWasMergedInto() throws {
    let (kept, other) = (try test.add("ran"), try test.add("run in the park"))
    let id = other.id.uuidString
    let text = "[[entry:\(id)|the run]] and [[entry:\(id.lowercased())]]"
    let plan = try note("Plan", text)
    let merged = try archive.mergeActivity(other.id, into: kept.id)
    let new = kept.id.uuidString
    #expect(try archive.note(plan.id)?.text == "[[entry:\(new)|the run]] and [[entry:\(new)]]")
    #expect(try sources(.entry(kept.id)).count == 1)
    _ = try archive.undo(merged.change?.id)
    #expect(try archive.note(plan.id)?.text == text)
    #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test func linksToAMergedPersonLeadToTheOneTheyWereMergedInto() throws {
    let (sam, other) = (try person("Sam"), try person("Sam"))
    let plan = try note("Plan", "ask [[entry:\(other.id.uuidString)|Sam]]")
    let merged = try archive.merge(other.id, into: sam.id)
    #expect(try archive.note(plan.id)?.text == "ask [[entry:\(sam.id.uuidString)|Sam]]")
    #expect(try sources(.person(sam.id)) == ["note 2026-03-14"])
    _ = try archive.undo(merged.change?.id)
    #expect(try archive.note(plan.id)?.text == plan.text)
    #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test func linksOfAMeetingAreInItsTextsAndLeadToItsEntry() throws {
    let alex = try person("Alex Kim")
    let activity = try test.activity("Pricing")
    let meeting = try archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: archive.identities.next(), activityID: activity.id, eventIdentifier: "x",
          purpose: "With [[Alex Kim]]", createdAt: test.clock.now, updatedAt: test.clock.now),
        activity: activity)
    ).value
    try write("After [[entry:\(meeting.id.uuidString)|pricing]]", on: "2026-03-10")
    try write("[[entry:\(activity.id.uuidString)]]", on: "2026-03-11")
    #expect(try sources(.person(alex.id)) == ["activity \(activity.dayKey)"])
    #expect(try sources(.entry(meeting.id)) == ["day 2026-03-11", "day 2026-03-10"])
    #expect(try sources(.entry(activity.id)) == sources(.entry(meeting.id)))
    _ = try archive.updatePerson(alex.id) { $0.name = "Alex Miller" }
    #expect(try archive.meeting(meeting.id)?.meeting.purpose == "With [[Alex Miller]]")
    #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
  }
}
