import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Ten Week databases: consent before large deletions, and the numbers of terms")
struct TenWeekConsentTests {
  let test: TestArchive
  let database: TenWeekDatabase
  var archive: Archive { test.archive }

  /// A database of 30 values and 3 terms, linked and in line.
  init() throws {
    test = try TestArchive()
    database = try TenWeekDatabase(
      test.folder.url.appendingPathComponent("goals.db"), TenWeekDatabase.plain,
      (0..<30).map { number in
        """
        INSERT INTO personal_values (id, friendly_name, incentive_type, priority)
        VALUES ('\(Self.value(number))', 'Value \(number)', 'general', 40)
        """
      }.joined(separator: ";\n"),
      (1...3).map { number in
        """
        INSERT INTO terms (id, term_number, start_date, target_date, theme, created_at, updated_at)
        VALUES ('\(Self.term(number))', \(number), '2026-0\(number)-01', '2026-0\(number)-20',
          'Theme \(number)', '2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z')
        """
      }.joined(separator: ";\n"))
    _ = try SyncJob(archive: archive, homeZone: test.zone).link(database.url)
    try sync()
  }

  private static func value(_ number: Int) -> String {
    "AAAAAAAA-0000-4000-8000-0000000000\(number < 10 ? "0" : "")\(number)"
  }

  private static func term(_ number: Int) -> String {
    "BBBBBBBB-0000-4000-8000-00000000000\(number)"
  }

  private func id(_ text: String) throws -> UUID { try #require(UUID(uuidString: text)) }

  @discardableResult
  private func sync(allowsDeletions: Bool = false) throws -> SyncReport {
    test.clock.advance(seconds: 60)
    return try SyncJob(archive: archive, homeZone: test.zone)
      .run(try #require(try archive.syncLinks().first), allowsDeletions: allowsDeletions)
  }

  private func deleteThere(_ numbers: some Sequence<Int>) throws {
    for number in numbers {
      try database.run(
        """
        DELETE FROM personal_values WHERE id = '\(Self.value(number))';
        INSERT INTO archive VALUES ('d\(number)', 'personal_values', '\(Self.value(number))', '{}',
          'delete', '2026-03-14T22:00:00Z', 'user', NULL);
        """)
    }
  }

  // MARK: Deletions

  @Test func mostOfAKindIsNotDeletedHereUnasked() throws {
    try deleteThere(0..<25)
    try database.run("UPDATE terms SET theme = 'New', updated_at = '2026-03-14T22:00:00Z'")
    let changes = try archive.changes(limit: 100).count
    let file = try database.dump("archive")
    #expect(
      throws: LargeDeletion(
        address: database.url.path,
        parts: [.init(side: .here, kind: "values", count: 25, total: 30)])
    ) { try sync() }
    #expect(try archive.values().count == 30)
    #expect(try archive.terms().allSatisfy { $0.theme != "New" })
    #expect(try archive.changes(limit: 100).count == changes)
    #expect(try database.dump("archive") == file)
    let told = try archive.syncLinks().first?.outcome?["error"]?.string
    #expect(told?.contains("25 of 30 values in this archive") == true, "\(told ?? "")")
    let report = try sync(allowsDeletions: true)
    #expect(report.pulled["deleted"] == 25 && report.pulled["changed"] == 3)
    #expect(try archive.values().count == 5)
    #expect(try sync().isQuiet)
  }

  @Test func mostOfAKindIsNotDeletedThereUnasked() throws {
    for number in 0..<21 {
      _ = try archive.delete(PersonalValue.self, try id(Self.value(number)))
    }
    let file = try (database.dump("personal_values"), database.dump("archive"))
    #expect(
      throws: LargeDeletion(
        address: database.url.path,
        parts: [.init(side: .there, kind: "values", count: 21, total: 30)])
    ) { try sync() }
    #expect(try database.dump("personal_values") == file.0)
    #expect(try database.dump("archive") == file.1)
    #expect(try sync(allowsDeletions: true).pushed["deleted"] == 21)
    #expect(try database.dump("personal_values").count == 9)
    #expect(try sync().isQuiet)
  }

  @Test func fewRowsAndLessThanHalfAreDeletedWithoutAWord() throws {
    // 20 are not more than 20.
    try deleteThere(0..<20)
    #expect(try sync().pulled["deleted"] == 20)
    for _ in 0..<40 {
      try archive.create(
        PersonalValue(
          id: archive.identities.next(), title: "More", createdAt: test.clock.now,
          updatedAt: test.clock.now))
    }
    try sync()
    // 25 of 50 are not more than half.
    for value in try archive.values().prefix(25) {
      _ = try archive.delete(PersonalValue.self, value.id)
    }
    #expect(try sync().pushed["deleted"] == 25)
  }

  @Test func theDeletionsAreTranslatedOneByOne() {
    let deletion = LargeDeletion(
      address: "/home/ann/goals.db",
      parts: [
        .init(side: .here, kind: "values", count: 25, total: 30),
        .init(side: .there, kind: "goals", count: 40, total: 60),
      ])
    #expect(
      deletion.sentence
        == """
        The sync would delete 25 of 30 values in this archive, 40 of 60 goals in \
        /home/ann/goals.db. Nothing was changed on either side.
        """)
    ShownDates.speaking(.german) {
      #expect(
        deletion.sentence
          == """
          Der Abgleich würde 25 von 30 Werten in diesem Archiv, 40 von 60 Zielen in \
          /home/ann/goals.db löschen. Auf keiner Seite wurde etwas geändert.
          """)
    }
  }

  // MARK: Numbers

  private var numbersHere: [String: Int] {
    get throws {
      Dictionary(
        uniqueKeysWithValues: try archive.terms().map { ($0.theme ?? "", $0.termNumber) })
    }
  }

  private var numbersThere: [String?] {
    get throws { try database.texts("SELECT theme FROM terms ORDER BY term_number") }
  }

  private func swapThere() throws {
    try database.run(
      """
      UPDATE terms SET term_number = 99 WHERE id = '\(Self.term(1))';
      UPDATE terms SET term_number = 1, updated_at = '2026-03-14T22:00:00Z'
        WHERE id = '\(Self.term(2))';
      UPDATE terms SET term_number = 2, updated_at = '2026-03-14T22:00:00Z'
        WHERE id = '\(Self.term(1))';
      """)
  }

  @Test func numbersThatWereExchangedThereAreExchangedHere() throws {
    try swapThere()
    let report = try sync()
    #expect(report.warnings.isEmpty && report.pulled == ["changed": 2])
    #expect(try numbersHere == ["Theme 1": 2, "Theme 2": 1, "Theme 3": 3])
    #expect(try numbersThere == ["Theme 2", "Theme 1", "Theme 3"])
    // The history has the numbers that they had, none that was only passed through.
    for (number, id) in [(1, Self.term(1)), (2, Self.term(2))] {
      let old = try archive.history(of: try self.id(id)).map { $0.record["termNumber"]?.int }
      #expect(old == [number])
    }
    #expect(try sync().isQuiet)
    // Taking it back exchanges them again, and once more.
    let undone = try archive.undo()
    #expect(try numbersHere == ["Theme 1": 1, "Theme 2": 2, "Theme 3": 3])
    _ = try archive.undo(undone.change.id)
    #expect(try numbersHere == ["Theme 1": 2, "Theme 2": 1, "Theme 3": 3])
    #expect(try sync().warnings.isEmpty)
  }

  @Test func numbersThatWereExchangedHereAreExchangedThere() throws {
    test.clock.advance(seconds: 60)
    for (term, number) in [(1, 99), (2, 1), (3, 2), (1, 3)] {
      _ = try archive.update(Term.self, try id(Self.term(term))) { $0.termNumber = number }
    }
    let report = try sync()
    #expect(report.warnings.isEmpty && report.pushed == ["changed": 3])
    #expect(try numbersThere == ["Theme 2", "Theme 3", "Theme 1"])
    #expect(
      try database.texts(
        "SELECT json_extract(record_data, '$.term_number') FROM archive ORDER BY 1") == [
          "1", "2", "3",
        ])
    #expect(try sync().isQuiet)
  }

  @Test func aNumberBeyondAllCountingKeepsNobodyFromExchanging() throws {
    try database.run(
      """
      INSERT INTO terms (id, term_number, start_date, target_date)
        VALUES ('\(Self.term(9))', 9223372036854775807, '2025-01-01', '2025-02-20')
      """)
    test.clock.advance(seconds: 60)
    for (term, number) in [(1, 99), (2, 1), (1, 2)] {
      _ = try archive.update(Term.self, try id(Self.term(term))) { $0.termNumber = number }
    }
    let report = try sync()
    #expect(report.pushed == ["changed": 2], "\(report.json.text())")
    #expect(try Array(numbersThere.prefix(3)) == ["Theme 2", "Theme 1", "Theme 3"])
  }

  @Test func aNumberThatSomebodyKeepsIsTold() throws {
    try swapThere()
    // Here the second got another number later, and keeps it.
    test.clock.set(Instant(milliseconds: TestArchive.now.milliseconds + 86_400_000))
    _ = try archive.update(Term.self, try id(Self.term(2))) { $0.termNumber = 7 }
    _ = try archive.update(Term.self, try id(Self.term(3))) { $0.termNumber = 2 }
    let report = try sync()
    #expect(
      report.warnings.contains { $0.message.contains("but another term already has that number") })
    #expect(try numbersHere == ["Theme 1": 1, "Theme 2": 7, "Theme 3": 2])
    #expect(Set(try archive.terms().map(\.termNumber)).count == 3)
    #expect(try database.texts("SELECT DISTINCT term_number FROM terms").count == 3)
  }

  @Test func aNewTermTakesANumberThatWasGivenUp() throws {
    try database.run(
      """
      UPDATE terms SET term_number = 4, updated_at = '2026-03-14T22:00:00Z'
        WHERE id = '\(Self.term(1))';
      INSERT INTO terms (id, term_number, start_date, target_date, theme)
        VALUES ('\(Self.term(9))', 1, '2025-01-01', '2025-02-20', 'First');
      DELETE FROM terms WHERE id = '\(Self.term(3))';
      INSERT INTO archive VALUES ('d3', 'terms', '\(Self.term(3))', '{}', 'delete',
        '2026-03-14T22:00:00Z', 'user', NULL);
      UPDATE terms SET term_number = 3, updated_at = '2026-03-14T22:00:00Z'
        WHERE id = '\(Self.term(2))';
      """)
    let report = try sync()
    #expect(report.warnings.isEmpty, "\(report.json.text())")
    #expect(try numbersHere == ["First": 1, "Theme 1": 4, "Theme 2": 3])
    #expect(try sync().isQuiet)
  }
}
