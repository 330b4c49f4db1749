import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Reminders about people")
struct NudgePeopleTests {
  private let test: TestArchive
  private var archive: Archive { test.archive }
  private var desk: NudgeDesk { NudgeDesk(archive: archive, zone: test.zone) }

  /// It is Saturday, 14 March 2026, 21:00.
  init() throws { test = try TestArchive() }

  private func choose(_ kind: NudgeKind) throws {
    try archive.updateNudgeSettings { settings in
      settings.set(kind, at: .at(18))
      settings.quiet = nil
      settings.mostADay = 20
    }
  }

  @discardableResult
  private func person(_ name: String, aliases: [String] = []) throws -> UUID {
    try archive.create(
      Person(
        id: archive.identities.next(), name: name, aliases: aliases, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value.id
  }

  private func note(_ title: String, _ text: String) throws {
    _ = try archive.create(
      Note(
        id: archive.identities.next(), title: title, text: text, createdAt: test.clock.now,
        updatedAt: test.clock.now))
  }

  private func lines() throws -> [String] { try desk.standing().map(\.words.text) }

  // MARK: Birthdays

  @Test func birthdaysAreSoughtAgainOnlyAfterANoteOrAPersonHasChanged() throws {
    let priya = try person("Priya Nair")
    try note("Priya Nair", "Birthday: 14 March 1985")
    let (memory, today) = (BirthdayMemory(), try #require(DayKey("2026-03-14")))
    #expect(try memory.people(on: today, in: archive) == [priya])
    let mark = try archive.birthdayMark()
    try test.add("lunch with Priya", people: ["Priya Nair"])
    #expect(try archive.birthdayMark() == mark)
    #expect(try memory.people(on: today.advanced(by: 1), in: archive).isEmpty)
    #expect(try memory.people(on: today, in: archive) == [priya])
    let id = try #require(try archive.notes(NoteFilter()).first?.id)
    _ = try archive.updateNote(id) { $0.text = "Birthday: 15 March 1985" }
    #expect(try memory.people(on: today, in: archive).isEmpty)
    let other = try archive.birthdayMark()
    _ = try archive.updatePerson(priya) { $0.aliases = ["Pri"] }
    #expect(try archive.birthdayMark() != other)
  }

  @Test func birthdaysOfImportedContactsAreMentioned() throws {
    let file = try test.folder.file(
      "contacts.vcf",
      AddressBookShelf.card("UID:1\nFN:Priya Nair\nBDAY:1985-03-14\nX-SPOUSE:Jonas Weber")
        + AddressBookShelf.card("UID:2\nFN:Mei Lin\nBDAY:--0314")
        + AddressBookShelf.card("UID:3\nFN:Jonas Weber\nBDAY:1985-03-15")
        + AddressBookShelf.card("UID:4\nFN:Ann Lee\nBDAY:1920-03-14\nDEATHDATE:2001-01-01"))
    _ = try ImportJob(archive: archive, homeZone: test.zone).run(file)
    try choose(.birthday)
    #expect(try desk.giveDue().given.count == 2)
    #expect(
      try Set(lines()) == ["Priya Nair turns 41 today.", "It’s Mei Lin’s birthday today."])
    #expect(try desk.giveDue().given.isEmpty)
    let german = try ShownDates.speaking(.german) { try lines() }
    #expect(Set(german) == ["Priya Nair wird heute 41.", "Mei Lin hat heute Geburtstag."])
    // Somebody who is deleted takes the line along.
    let priya = try archive.person(named: "Priya Nair")
    _ = try archive.deletePerson(priya.id)
    #expect(try lines() == ["It’s Mei Lin’s birthday today."])
  }

  @Test func birthdaysInTheOwnersNotesAreMentionedIfItIsClearWhose() throws {
    for name in ["Priya Nair", "Jonas Weber", "Mei Lin"] { try person(name) }
    try note("Priya Nair", "Sister of @Jonas Weber\nGeburtstag: 14. März")
    try note("The family", "Mei Lin and Jonas Weber\nBirthday: 14 March")
    try note("Mei Lin", "Birthday: 15 March")
    try choose(.birthday)
    _ = try desk.giveDue()
    #expect(try lines() == ["It’s Priya Nair’s birthday today."])
  }

  @Test func emphasisDoesNotHideABirthdayOrADeath() throws {
    for name in ["Ann Lee", "Zoe Quist"] { try person(name) }
    try note("Ann Lee", "- **Birthday**: 14 March 1986")
    try note("Zoe Quist", "Birthday: 14 March\n_Gestorben_: 2019")
    try choose(.birthday)
    _ = try desk.giveDue()
    #expect(try lines() == ["Ann Lee turns 40 today."])
  }

  @Test func aNotificationNamesNobody() throws {
    try person("Canary Quist")
    try note("Canary Quist", "Birthday: 14 March 1990")
    try choose(.birthday)
    let nudge = try #require(try desk.giveDue().given.first)
    let plain = try desk.words(of: nudge, showsText: false)
    #expect(plain.text == "Somebody you know has a birthday today.")
    #expect(plain.href == "/people/\(try #require(nudge.subject).uuidString)")
  }

  // MARK: Absences

  /// Adds an entry with a person on days at a distance, the last a number of days ago.
  private func see(_ name: String, every days: Int, times: Int, last: Int) throws {
    let today = test.zone.dayKey(at: test.clock.now)
    for number in 0..<times {
      let day = today.advanced(by: -last - days * number)
      var entry = try test.activity("coffee", on: day.description)
      entry.people = [
        Mention(name: name, personID: try archive.person(named: name).id)
      ]
      _ = try archive.add(entry)
    }
  }

  @Test func whoIsMissedUnusuallyLongIsMentionedOnce() throws {
    for name in ["Ann Lee", "Ben Roe", "Cleo Fox"] { try person(name) }
    try person("Jo", aliases: ["me"])
    try see("Ann Lee", every: 14, times: 12, last: 60)
    try see("Ben Roe", every: 14, times: 12, last: 20)
    try see("Cleo Fox", every: 90, times: 4, last: 60)
    try see("Jo", every: 7, times: 12, last: 60)
    try choose(.notSeen)
    #expect(try desk.giveDue().given.count == 1)
    let line = try #require(try desk.standing().first)
    #expect(line.words.text.hasPrefix("Ann Lee hasn’t been in your entries since "))
    // Seen again, the line goes.
    try see("Ann Lee", every: 1, times: 1, last: 0)
    #expect(try desk.standing().isEmpty)
    for _ in 0..<3 {
      test.clock.advance(seconds: 7 * 86_400)
      #expect(try desk.giveDue().given.isEmpty)
    }
  }

  @Test func whoHasDiedIsNotMissed() throws {
    try person("Ann Lee")
    try see("Ann Lee", every: 14, times: 12, last: 60)
    try note("Ann Lee", "Gestorben: Januar 2026")
    try choose(.notSeen)
    #expect(try desk.giveDue().given.isEmpty)
  }
}
