import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

/// How SQLite answers what is asked often; a whole life must not be read for a small answer.
@Suite("Work that doesn’t grow with the archive")
struct BoundedWorkTests {
  private let archive: Archive
  private let day: DayKey

  init() throws {
    archive = try Archive(
      at: .memory, clock: HandClock(TestArchive.now), identities: CountedIdentities())
    day = try #require(DayKey("2026-03-14"))
  }

  private final class Statements {
    var list: [String] = []

    func note(_ sql: String) {
      // Neither transactions nor the parts of triggers.
      if ["SELECT", "WITH", "UPDATE", "DELETE"].contains(where: { sql.hasPrefix($0) }) {
        list.append(sql)
      }
    }
  }

  /// Returns the statements that a body runs; an archive in memory has only one connection.
  private func statements(_ body: () throws -> Void) throws -> [String] {
    let statements = Statements()
    try archive.writer.write { db in
      db.trace { event in
        if case .statement(let statement) = event { statements.note(statement.expandedSQL) }
      }
    }
    try body()
    try archive.writer.write { db in db.trace() }
    return statements.list
  }

  /// Returns the steps in which SQLite runs the statements of a body.
  private func plans(_ body: () throws -> Void) throws -> [String] {
    let statements = try statements(body)
    return try archive.writer.write { db in
      try statements.flatMap { sql in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
      }
    }
  }

  private func activity(_ text: String, tags: [String] = []) -> Activity {
    Activity(
      id: archive.identities.next(), dayKey: day, timeZone: "Europe/Berlin", text: text,
      tags: tags, createdAt: TestArchive.now, updatedAt: TestArchive.now)
  }

  // MARK: Changes

  /// SQLite looks for what refers to a change when one without effect is removed.
  @Test func whatRefersToAChangeIsFoundInAnIndex() throws {
    let scanned = try archive.read { db in
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
          """)
      return try tables.filter { table in
        let columns = try String.fetchAll(
          db,
          sql: """
            SELECT "from" FROM pragma_foreign_key_list(?) WHERE "table" = 'change_rows'
            """, arguments: [table])
        return try columns.contains { column in
          let plan = try Row.fetchAll(
            db, sql: "EXPLAIN QUERY PLAN SELECT 1 FROM \(table) WHERE \(column) = 1")
          return !plan.contains { ($0["detail"] as String).hasPrefix("SEARCH") }
        }
      }
    }
    // These have few rows, and short ones.
    let short: Set = [
      "tag_rows", "thread_rows", "goal_rows", "value_rows", "term_rows", "lifetime_rows",
      "alignment_rows", "assignment_rows", "import_runs",
    ]
    #expect(Set(scanned).subtracting(short).isEmpty)
  }

  @Test func theListOfChangesDoesNotReadAllChanges() throws {
    let added = try #require(try archive.add(activity("tea")).change)
    let undone = try archive.undo(added.id).change
    let plans = try plans { () throws in
      _ = try archive.changes(after: nil)
      #expect(try archive.listedChanges(ChangeFilter()).changes.count == 2)
      #expect(try archive.changeActions() == ["add", "undo"])
      for id in [added.id, undone.id] {
        _ = try archive.listedChange(id)
        _ = try archive.entities(ofChange: id, limit: 10)
      }
    }
    let scans = plans.filter {
      $0.hasPrefix("SCAN history")
        || $0.hasPrefix("SCAN change_rows") && !$0.contains("changes_by_position")
    }
    #expect(!plans.isEmpty && scans.isEmpty, "\(scans)")
  }

  @Test func oldVersionsAreFoundByTheirAge() throws {
    let clock = try #require(archive.clock as? HandClock)
    let saved = try archive.add(activity("tea")).value
    for text in ["green tea", "black tea"] {
      _ = try archive.updateActivity(saved.id) { $0.text = text }
    }
    let gone = try archive.add(activity("gone")).value
    _ = try archive.deleteActivities([gone.id])
    clock.advance(seconds: 40 * 86_400)
    _ = try archive.updateActivity(saved.id) { $0.text = "tea" }
    try archive.setRetention(Retention(versionDays: 30))
    let plans = try plans { () throws in #expect(try archive.applyRetention() == 2) }
    #expect(!plans.contains { $0.hasPrefix("SCAN history") }, "\(plans)")
    #expect(plans.contains { $0.contains("history_by_age") })
    #expect(try archive.history(of: saved.id).count == 1)
    #expect(try archive.history(of: gone.id).count == 1)
  }

  // MARK: References

  @Test func entriesOfADayAreNotSoughtAmongAllOfTheirSource() throws {
    let plans = try plans { () throws in
      _ = try archive.untouchedEntries(on: day, of: "immich")
      _ = try archive.write(by: .importer, "import", "Imported a table") { scope in
        _ = try scope.names(of: "csv", startingAt: TestArchive.now, around: day)
      }
    }
    let byDay = plans.filter { $0.hasPrefix("SEARCH") && $0.contains("activities_of_day") }
    #expect(byDay.count == 2)
    #expect(!plans.contains { $0.contains("(provider=?)") }, "\(plans)")
  }

  // MARK: Tags

  @Test func theLastDayOfATagIsSoughtFromTheEnd() throws {
    let saved = try archive.add(activity("tea", tags: ["drink"])).value
    for number in 1...5 {
      var other = activity("later")
      other.dayKey = day.advanced(by: number)
      try archive.add(other)
    }
    let plans = try plans { () throws in
      try archive.read { db in
        let key = try Int64.fetchOne(db, sql: "SELECT pk FROM tags") ?? 0
        for (many, walk) in [(0, 100), (0, 3), (0, 5), (100, 100)] {
          var days = LastDays(db, many: many, walk: walk)
          let found = try days.day(ofTag: key, uses: 1)
          #expect(found == saved.dayKey.description)
        }
        var days = LastDays(db, many: 0)
        let none = try days.day(ofTag: key + 1, uses: 1)
        #expect(none == nil)
      }
    }
    // Each entry of the last ones is looked up, instead of all entries with the tag.
    #expect(plans.contains { $0.hasPrefix("SEARCH activity_rows") && $0.contains("day_key>") })
    #expect(plans.contains { $0.contains("activity_tags") && $0.contains("activity_pk=?") })
  }

  @Test func aSimilarTagIsCountedInTheIndexOfItsLinks() throws {
    try archive.add(activity("tea", tags: ["breakfast"]))
    let plans = try plans { () throws in
      let found = try archive.suggestions(for: ["breakfasts"])
      #expect(found.map(\.existing) == ["breakfast"] && found.map(\.count) == [1])
    }
    #expect(plans.contains { $0.contains("activity_tags") })
    #expect(!plans.contains { $0.contains("activity_rows") }, "\(plans)")
  }

  // MARK: People

  private func addPeople(_ names: [String]) throws {
    for name in names {
      try archive.create(
        Person(
          id: archive.identities.next(), name: name, createdAt: TestArchive.now,
          updatedAt: TestArchive.now))
    }
  }

  @Test func aPageOfPeopleReadsOnlyTheNamesOfTheOthers() throws {
    try addPeople(["Cem", "Ana", "Ben"])
    for order in [Archive.PersonOrder.name, .lastSeen, .meetings] {
      let statements = try statements { () throws in
        let page = try archive.people(order: order, today: day, limit: 1, offset: 1)
        #expect(page.map(\.person.displayName) == ["Ben"])
        let found = try archive.people(matching: "a", order: order, today: day, limit: 1)
        #expect(found.map(\.person.displayName) == ["Ana"])
      }
      let complete = statements.filter { $0.contains("SELECT * FROM persons") }
      // Somebody who was never seen has to be looked up to be sorted by when.
      guard order != .lastSeen else { continue }
      #expect(complete.count == 2 && complete.allSatisfy { $0.contains("json_each('[") })
      #expect(!complete.contains { $0.contains(",") }, "\(complete)")
    }
  }

  @Test func aNoteIsSavedWithoutReadingThePeopleItDoesNotName() throws {
    try addPeople(["Ana Kraus", "Ben Ito", "Cem Aydin"])
    let long = "Met Ana Kraus. " + String(repeating: "and so on ", count: 8_000) + "@Ben"
    let statements = try statements { () throws in
      let entry = try archive.updateDay(day) { $0.note = long }.value
      #expect(entry.people.map(\.name) == ["Ben Ito", "Ana Kraus"])
      let note = try addNote("Journal", long)
      #expect(note.people.map(\.name) == ["Ben Ito", "Ana Kraus"])
    }
    let complete = statements.filter { $0.contains("SELECT * FROM persons") }
    #expect(complete.count == 2 && complete.allSatisfy { $0.contains("json_each('[1,2]')") })
  }

  @Test func entriesOfARenamedPersonAreReadAndIndexedTogether() throws {
    try addPeople(["Ana Kraus"])
    let person = try archive.person(named: "Ana Kraus")
    let mention = Mention(name: "Ana Kraus", personID: person.id)
    for number in 0..<3 {
      var entry = activity("lunch")
      entry.people = [mention]
      try archive.add(entry)
      _ = try archive.updateDay(day.advanced(by: -number)) {
        $0.note = "A good day"
        $0.people = [mention]
      }
    }
    func found(_ word: String) throws -> Int? {
      try archive.read { db in
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM search_words WHERE search_words MATCH ?",
          arguments: [word])
      }
    }
    #expect(try found("kraus") == 6)
    let statements = try statements { () throws in
      _ = try archive.updatePerson(person.id) { $0.name = "Ana Weber" }
    }
    #expect(try found("weber") == 6 && found("kraus") == 0)
    for table in ["activity_rows", "day_rows"] {
      #expect(statements.filter { $0.contains("SELECT * FROM \(table) WHERE") }.count == 1)
    }
  }

  @Test func onlyPeopleWhoAreAlikeAreWeighed() throws {
    try addPeople(["Priya Nair", "Ana Kraus", "Nair Priya", "Ben Ito"])
    let statements = try statements { () throws in
      #expect(try archive.personMergeProposals(today: day).count == 1)
    }
    #expect(statements.filter { $0.contains("count(*) FROM mentions") }.count == 2)
  }

  @Test func aPageFindsOutOnlyOnceWhoTheOwnerIs() throws {
    try addPeople(["Ana", "Ben"])
    let person = try archive.person(named: "Ana")
    let owner = try archive.owner()
    func asked(_ owner: Owner?) throws -> Int {
      let statements = try statements { () throws in
        #expect(try archive.nextMeeting(at: TestArchive.now, owner: owner) == nil)
        #expect(try archive.person(person.id, today: day, owner: owner)?.id == person.id)
        #expect(try archive.promises(PromiseFilter(), owner: owner).isEmpty)
      }
      return statements.filter { $0.contains("INDEXED BY attendances_shared") }.count
    }
    #expect(try asked(owner) == 0)
    #expect(try asked(nil) == 3)
  }

  // MARK: Notes

  private func addNote(_ title: String?, _ text: String) throws -> Note {
    try archive.create(
      Note(
        id: archive.identities.next(), title: title, text: text, createdAt: TestArchive.now,
        updatedAt: TestArchive.now)
    ).value
  }

  @Test func oneNoteIsFoundByNameWithoutReadingTheOthers() throws {
    for number in 1...8 { _ = try addNote("Plans \(number % 2)", "long text") }
    let wanted = try addNote(
      nil, String(repeating: "\n \n", count: 3_000) + "# Roof and *walls*\nmore")
    for _ in 1...8 { _ = try addNote("Shopping", "bread") }
    let statements = try statements { () throws in
      #expect(try archive.note(named: "roof and walls").id == wanted.id)
      #expect(try archive.note(named: "walls").id == wanted.id)
      #expect(try archive.note(named: "shop").title == "Shopping")
      #expect(throws: ArchiveError.self) { try archive.note(named: "plans") }
    }
    let complete = statements.filter { $0.contains("SELECT it.*") }
    #expect(complete.count == 4 && complete.allSatisfy { $0.contains("it.pk IN") })
    #expect(complete.prefix(2).allSatisfy { $0.contains("json_each('[9]')") }, "\(complete)")
  }

  @Test func notesWithoutAMeetingAreCountedWithoutReadingTexts() throws {
    _ = try addNote("Alone", "text")
    var filter = NoteFilter()
    filter.isFree = true
    let asked = filter
    let plans = try plans { () throws in
      #expect(try archive.countNotes(asked) == 1)
      #expect(try archive.notes(asked).count == 1)
    }
    let scans = plans.filter { $0.hasPrefix("SCAN note_rows") || $0.hasPrefix("SCAN it") }
    #expect(!scans.isEmpty && scans.allSatisfy { $0.contains("INDEX notes_alone") }, "\(scans)")
    #expect(scans.contains { $0.contains("COVERING INDEX notes_alone") })
  }

  @Test func promisesDueSoonAreChosenByTheirDays() throws {
    _ = try addNote("List", "- [ ] paint by 2026-03-20\n- [ ] sell by 2027-01-01\n- [ ] think")
    var filter = PromiseFilter()
    filter.owner = .me
    filter.due = day...day.advanced(by: 7)
    let asked = filter
    let statements = try statements { () throws in
      let found = try archive.promisePage(asked)
      #expect(found.total == 1 && found.promises.first?.promise.due == day.advanced(by: 6))
    }
    #expect(statements.contains { $0.contains("one.due BETWEEN '2026-03-14' AND '2026-03-21'") })
  }

  // MARK: Goals

  private func goal(_ title: String) throws -> Goal {
    try archive.create(
      Goal(
        id: archive.identities.next(), title: title, logTime: TestArchive.now,
        measurementUnit: "km", measurementTarget: 100, createdAt: TestArchive.now,
        updatedAt: TestArchive.now)
    ).value
  }

  @Test func theProgressOfAGoalIsReadWithoutTheDaysOfOthers() throws {
    let goals = try ["Run", "Walk", "Swim"].map(goal)
    let statements = try statements { () throws in
      #expect(try archive.progress(of: Array(goals.prefix(2)), today: day).count == 2)
    }
    let days = statements.filter {
      $0.contains("FROM goals AS goal JOIN goal_sums") || $0.contains("AS waiting")
    }
    #expect(days.count == 2 && !days.contains { $0.contains(goals[2].id.uuidString) })
    #expect(days.allSatisfy { $0.contains(goals[1].id.uuidString) }, "\(days)")
  }

  @Test func aPageOfActionsIsSoughtInItsDays() throws {
    let run = try goal("Run")
    for number in 0..<12 {
      var action = activity("run")
      action.dayKey = day.advanced(by: -number / 2)
      action.measurements = ["km": 5]
      try archive.add(action)
    }
    try archive.settleGoalSums()
    let all = try archive.contributions(toGoal: run.id)
    #expect(all.count == 12)
    try archive.read { db in
      for limit in 1...5 {
        for offset in 0...12 {
          let page = try Archive.contributions(
            toGoal: run.id, nil, limit: limit, offset: offset, many: 0, db)
          let ids = page.map(\.contribution.id)
          let expected = all.dropFirst(offset).prefix(limit).map(\.contribution.id)
          #expect(ids == expected, "\(limit) after \(offset)")
        }
      }
      let part = try GoalSums.part(ofGoal: run.id, nil, limit: 3, offset: 5, many: 0, db)
      #expect(part?.days == day.advanced(by: -3)...day.advanced(by: -2))
      #expect(part?.skipped == 4)
    }
    let plans = try plans { () throws in
      _ = try archive.read { db in
        try Archive.contributions(toGoal: run.id, nil, limit: 3, offset: 5, many: 0, db)
      }
    }
    #expect(plans.contains { $0.contains("(goal_pk=? AND activity_pk=?)") }, "\(plans)")
  }

  @Test func actionsAreNotSoughtAmongAllEntries() throws {
    let run = try goal("Run")
    var ids: [UUID] = []
    for number in 0..<6 {
      var entry = activity("entry \(number)")
      entry.dayKey = day.advanced(by: -number)
      let unit = number == 0 ? "km" : "pages"
      if number % 2 == 0 { entry.measurements = [unit: 5] }
      ids.append(try archive.add(entry).value.id)
    }
    try archive.link(action: ids[3], goal: run.id, amount: 2)
    var filters = [ActionFilter(), ActionFilter(searchText: "entry")]
    for isLinked in [true, false] {
      let measured: [Bool?] = [nil, true, false]
      for one in measured {
        filters.append(ActionFilter(hasMeasurements: one, isLinked: isLinked))
      }
    }
    let expected = [
      ["0", "2", "3", "4"], ["0", "2", "3", "4"], ["0", "3"], ["0"], ["3"], ["1", "2", "4", "5"],
      ["2", "4"], ["1", "5"],
    ]
    let asked = Array(zip(filters, expected))
    var searches: [[String]] = []
    for (filter, numbers) in asked {
      let texts = numbers.map { "entry \($0)" }
      let steps = try plans { () throws in
        #expect(try archive.actions(filter).map(\.text) == texts)
        #expect(try archive.countActions(filter) == texts.count)
      }
      searches.append(steps)
    }
    // Only entries without something are sought by day.
    for (place, steps) in searches.enumerated() where ![5, 7].contains(place) {
      let scans = steps.filter { $0.contains("(day_key>? AND day_key<?)") }
      #expect(scans.isEmpty, "\(filters[place]): \(scans)")
    }
    _ = try archive.write(by: .importer, "import", "Still running") { scope in
      var unseen = activity("unseen")
      unseen.measurements = ["km": 1]
      try scope.insert(unseen)
      try scope.db.execute(
        sql: "INSERT INTO hidden_changes (change_pk, state) VALUES (?, 'staged')",
        arguments: [scope.changeKey])
    }
    for (filter, numbers) in asked {
      #expect(try archive.countActions(filter) == numbers.count)
    }
  }

  // MARK: Photos

  @Test func photosAreSoughtAgainOnlyWhenThereMayBeNewOnes() throws {
    let first = try archive.photoMark()
    let entry = try archive.add(activity("walk")).value
    #expect(try archive.photoMark() == first)
    _ = try archive.updateActivity(entry.id) { activity in
      activity.attachments = [
        Attachment(
          id: archive.identities.next(), type: .link, externalURL: "https://example.org",
          createdAt: TestArchive.now, updatedAt: TestArchive.now)
      ]
    }
    let second = try archive.photoMark()
    #expect(second != first)
    // The photos of an import become visible without being written.
    try archive.writer.write { db in
      try db.execute(
        sql: """
          INSERT INTO hidden_changes (change_pk, state)
          SELECT max(pk), 'staged' FROM change_rows
          """)
    }
    #expect(try archive.photoMark() != second)
  }

  // MARK: Everything

  @Test func aPageOfDaysIsReadFromTheLatest() throws {
    for number in 0..<5 {
      var entry = activity("entry")
      entry.dayKey = day.advanced(by: -2 * number)
      try archive.add(entry)
    }
    _ = try archive.updateDay(day.advanced(by: -1)) { $0.note = "Note" }
    let all = Array(try archive.daysWithEntries().reversed())
    #expect(all.count == 6)
    let plans = try plans { () throws in
      for (limit, offset) in [(3, 0), (3, 3), (4, 4), (2, 9)] {
        #expect(
          try archive.latestDays(limit: limit, offset: offset)
            == Array(all.dropFirst(offset).prefix(limit)))
      }
    }
    // Each table is read in its order, and only as far as the page goes.
    #expect(plans.contains("MERGE (UNION)") && !plans.contains { $0.contains("TEMP B-TREE") })
  }

  @Test func theNotesOfALifeAreReadInParts() throws {
    let days = (0..<401).map { day.advanced(by: -$0) }
    _ = try archive.write(by: .owner, "add", "Wrote a journal") { scope in
      for one in days {
        try scope.insert(
          DayEntry(
            id: archive.identities.next(), dayKey: one, note: "Note of \(one)",
            createdAt: TestArchive.now, updatedAt: TestArchive.now))
      }
    }
    var found: [String] = []
    let statements = try statements { () throws in
      try archive.forEachEntity { type, json in
        if type == "day" { found.append(json["dayKey"]?.string ?? "") }
      }
      try archive.rebuildSearchWords()
    }
    #expect(found == days.map(\.description).reversed())
    for table in ["days", "day_rows"] {
      let read = statements.filter { $0.hasPrefix("SELECT * FROM \(table) WHERE day_key > ") }
      #expect(read.count == 3 && read.allSatisfy { $0.hasSuffix("LIMIT 200") }, "\(read)")
    }
    let count = try archive.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM search_words")
    }
    #expect(count == 401)
  }
}
