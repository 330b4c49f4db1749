import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Attendees in meetings, and who promised what to whom")
struct MeetingPeopleTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private var archive: Archive { test.archive }

  private func meeting(
    _ title: String, from start: String = "10:00", on day: String = "2026-03-13",
    with attendees: [Attendance]
  ) throws -> MeetingEntry {
    let activity = try test.activity(title, on: day, from: start)
    let id = archive.identities.next()
    var entry = MeetingEntry(
      meeting: Meeting(
        id: id, activityID: activity.id, eventIdentifier: id.uuidString,
        createdAt: activity.createdAt, updatedAt: activity.updatedAt),
      activity: activity)
    entry.setAttendees(attendees)
    return try archive.create(entry).value
  }

  private func note(_ text: String, in meeting: MeetingEntry? = nil) throws {
    try archive.create(
      Note(
        id: archive.identities.next(), text: text, meetingID: meeting?.id,
        createdAt: test.clock.now, updatedAt: test.clock.now))
  }

  private func person(_ name: String, email: String? = nil, aliases: [String] = []) throws -> UUID {
    try archive.create(
      Person(
        id: archive.identities.next(), name: name, email: email, aliases: aliases,
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value.id
  }

  private var today: DayKey { get throws { try #require(DayKey("2026-03-14")) } }

  private func day(of title: String, _ now: Instant) throws -> String {
    try archive.meeting(named: title, now: now).activity.dayKey.description
  }

  @Test("Names that mean the owner are nobody else in a note", arguments: ["me", "Ich", "mich"])
  func ownerInNotes(name: String) throws {
    let note = try archive.create(
      Note(
        id: archive.identities.next(), text: "- [ ] @\(name) mit @Priya reden",
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
    #expect(note.people.map(\.name) == ["Priya"])
    let found = try archive.promisePage(PromiseFilter()).promises
    #expect(found.map(\.isMine) == [true])
  }

  @Test func aTitleMeansTheNextOfItsMeetingsElseTheLatest() throws {
    let now = test.clock.now
    for day in ["2026-03-09", "2026-03-10", "2026-03-16", "2026-03-17"] {
      _ = try meeting("Standup", on: day, with: [])
    }
    let late = try meeting("Retrospective", on: "2026-03-11", with: [])
    #expect(try day(of: "standup", now) == "2026-03-16")
    #expect(try day(of: "STAND", now) == "2026-03-16")
    let after = now.adding(seconds: 30 * 86_400)
    #expect(try day(of: "standup", after) == "2026-03-17")
    #expect(try archive.meeting(named: "retro", now: now).id == late.id)
    let cancelled = try meeting("Standup", from: "08:00", on: "2026-03-15", with: [])
    _ = try archive.updateMeeting(cancelled.id) { $0.meeting.status = .cancelled }
    #expect(try day(of: "standup", now) == "2026-03-16")
    // Parts that fit several titles are asked about, also where most of them share one.
    for day in 1...9 { _ = try meeting("Standup two", on: "2026-04-0\(day)", with: []) }
    #expect(try day(of: "standup", now) == "2026-03-16")
    let error = #expect(throws: ArchiveError.self) {
      try archive.meeting(named: "stand", now: now)
    }
    #expect(error?.description.contains("matches several. Choose one by its ID") == true)
    #expect(throws: ArchiveError.self) { try archive.meeting(named: "nothing", now: now) }
  }

  @Test func anAddressTellsWhoIsMeantBeforeTheName() throws {
    let priya = try person("Priya Nair")
    let first = try meeting(
      "one", with: [Attendance(name: "Priya Nair", address: "priya@example.org")])
    #expect(first.meeting.attendances.map(\.personID) == [priya])
    #expect(try archive.people([priya]).first?.email == "priya@example.org")
    // Another address is another person, whatever the name.
    let second = try meeting(
      "two", with: [Attendance(name: "Priya Nair", address: "nair@example.com")])
    let other = try #require(second.meeting.attendances.first?.personID)
    #expect(other != priya)
    #expect(second.activity.people.map(\.personID) == [other])
    let third = try meeting(
      "three",
      with: [
        Attendance(name: "priya@example.org", address: "priya@example.org"),
        Attendance(name: "Priya", address: "PRIYA@example.org"),
      ])
    #expect(third.meeting.attendances.map(\.personID) == [priya])
    #expect(third.meeting.attendances.map(\.name) == ["Priya Nair"])
    let new = try meeting("four", with: [Attendance(name: "Zoe", address: "zoe@example.org")])
    let zoe = try #require(new.meeting.attendances.first?.personID)
    #expect(try archive.people([zoe]).first?.email == "zoe@example.org")
    #expect(try archive.person(priya, today: today)?.meetingCount == 2)
  }

  @Test func aPersonWhoseAddressSomeoneElseHasIsNotRestored() throws {
    let old = try person("Ann Lee", email: "ann@example.org")
    _ = try archive.deletePerson(old)
    _ = try person("Susanna Quist", email: "ann@example.org")
    let version = try #require(try archive.history(of: old).first)
    let conflict = #expect(throws: ArchiveError.self) { try archive.restore(version) }
    #expect(conflict?.description.contains("someone else now has one of these") == true)
    #expect(throws: ArchiveError.self) { try archive.restore(version, if: { _ in }) }
    #expect(try archive.people([old]).isEmpty)
  }

  @Test func anOldVersionNamesWhomAPersonWasMergedInto() throws {
    let (old, kept) = (try person("Ann Lee"), try person("Susanna Quist"))
    let entry = try test.add("a walk", people: ["Ann Lee"])
    #expect(entry.people.map(\.personID) == [old])
    let met = try meeting("one", with: [Attendance(name: "Ann Lee", personID: old)])
    let edits = [
      try archive.updateActivity(entry.id) { $0.people = [] }.change,
      try archive.updateMeeting(met.id) { $0.setAttendees([]) }.change,
    ].compactMap { $0 }
    #expect(edits.count == 2)
    _ = try archive.merge(old, into: kept)
    for edit in edits { _ = try archive.undo(edit.id) }
    #expect(try archive.activity(entry.id)?.people.map(\.personID) == [kept])
    #expect(try archive.meeting(met.id)?.meeting.attendances.map(\.personID) == [kept])
  }

  @Test func aNamesakeWithoutAnAddressIsNotTakenForWhoIsInvited() throws {
    let friend = try person("Priya")
    let entry = try meeting(
      "one", with: [Attendance(name: "Priya", address: "priya@example.org")])
    let invited = try #require(entry.meeting.attendances.first?.personID)
    #expect(invited != friend)
    #expect(try archive.people([friend]).first?.email == nil)
    // Nobody is merged; the owner is asked.
    let proposals = try archive.personMergeProposals(today: today)
    #expect(proposals.map { Set([$0.kept, $0.merged]) } == [[friend, invited]])
    do {
      _ = try archive.person(named: "Priya")
      Issue.record("one of two was taken")
    } catch ArchiveError.ambiguous(let text) {
      #expect(text.contains("Priya <priya@example.org>") && text.contains("Priya (no address"))
    }
    // Of her who takes part a first name is enough to tell the address.
    let mei = try person("Mei")
    let met = try meeting("two", with: [Attendance(name: "Mei", personID: mei)])
    let told = try archive.updateMeeting(met.id) { entry in
      entry.setAttendees([Attendance(name: "Mei", address: "mei@example.org")])
    }.value
    #expect(told.meeting.attendances.map(\.personID) == [mei])
    #expect(try archive.people([mei]).first?.email == "mei@example.org")
  }

  @Test func twoOfOneNameInOneMeetingStayTwo() throws {
    let entry = try meeting(
      "one",
      with: [
        Attendance(name: "Priya", address: "priya@example.org"),
        Attendance(name: "Priya", address: "nair@example.com"),
      ])
    let people = entry.meeting.attendances.compactMap(\.personID)
    #expect(Set(people).count == 2)
    // The entry of the day names both of them too.
    #expect(entry.activity.people.map(\.personID) == people)
    let saved = try archive.updateMeeting(entry.id) { entry in
      entry.setAttendees(entry.meeting.attendances + [Attendance(name: "Priya")])
    }.value
    // Which of the two is meant by the name alone is not known.
    #expect(saved.meeting.attendances.map(\.personID) == people + [nil])
    let again = try archive.updateMeeting(entry.id) { entry in
      entry.setAttendees(entry.meeting.attendances + [Attendance(name: "Zoe")])
    }.value
    #expect(again.meeting.attendances.count == 4)
  }

  @Test func decisionsAreOfThoseWhoTookPart() throws {
    let (priya, mei) = (try person("Priya Nair"), try person("Mei Lin"))
    let jonas = try person("Jonas Weber")
    let entry = try meeting(
      "one",
      with: [
        Attendance(name: "Priya Nair", personID: priya, reply: .accepted),
        Attendance(name: "Mei Lin", personID: mei, reply: .declined),
        Attendance(name: "Jonas Weber", personID: jonas, role: .informed),
      ])
    try note("Decided: paint the door", in: entry)
    #expect(try archive.decisions(with: priya).map(\.text) == ["paint the door"])
    #expect(try archive.decisions(with: mei).isEmpty)
    #expect(try archive.decisions(with: jonas).isEmpty)
    // A note that names somebody is about them, wherever they were.
    try note("Decided: ask Mei Lin", in: entry)
    #expect(try archive.decisions(with: mei).map(\.text) == ["ask Mei Lin"])
  }

  @Test func aMeetingWithoutATimeCountsOnceItsDayIsThere() throws {
    let priya = try person("Priya Nair")
    for day in ["2026-03-12", "2026-03-14", "2026-03-15"] {
      let activity = try test.activity("day", on: day)
      let id = archive.identities.next()
      try archive.create(
        MeetingEntry(
          meeting: Meeting(
            id: id, activityID: activity.id, eventIdentifier: id.uuidString,
            attendances: [Attendance(name: "Priya Nair", personID: priya)],
            createdAt: test.clock.now, updatedAt: test.clock.now), activity: activity))
    }
    let summary = try #require(try archive.person(priya, today: today))
    #expect(summary.meetingCount == 2 && summary.lastMet == DayKey("2026-03-14"))
    let listed = try archive.people(order: .meetings, today: today).first
    #expect(listed == summary)
  }

  @Test func theOwnerIsFoundAmongThoseWhoAreOftenAlone() throws {
    func one(_ name: String) -> Attendance { Attendance(name: name) }
    for number in 1...9 { _ = try meeting("focus \(number)", with: [one("Room Bot")]) }
    for number in 1...8 {
      _ = try meeting(
        "round \(number)",
        with: [one("Kim Self"), one(number > 5 ? "Priya Nair" : "Jonas Weber")])
    }
    let kim = try archive.person(named: "Kim Self").id
    #expect(try archive.ownPerson() == kim)
    for number in 1...6 {
      _ = try meeting("pair \(number)", with: [one("Jonas Weber"), one("Priya Nair")])
    }
    #expect(try archive.ownPerson() == nil)
  }

  @Test func anIdentityThatIsNobodysIsRefused() throws {
    let ghost = archive.identities.next()
    #expect(throws: FieldError.self) {
      try meeting("seance", with: [Attendance(name: "Ghost", personID: ghost)])
    }
    #expect(try archive.counts().activities == 0)
  }

  @Test func whatTheOwnerDeclinedIsNotMet() throws {
    let kim = try person("Kim Self", email: "kim@example.org", aliases: ["me"])
    let priya = try person("Priya Nair", email: "priya@example.org")
    func both(_ mine: AttendanceReply) -> [Attendance] {
      [
        Attendance(name: "Kim Self", address: "kim@example.org", reply: mine),
        Attendance(name: "Priya Nair", address: "priya@example.org", reply: .accepted),
      ]
    }
    _ = try meeting("held", on: "2026-03-10", with: both(.accepted))
    _ = try meeting("declined", on: "2026-03-12", with: both(.declined))
    // Of today, but later than now; and one to come that is declined, and one of the owner alone.
    _ = try meeting("tonight", from: "23:30", on: "2026-03-14", with: both(.accepted))
    _ = try meeting("soon", from: "21:30", on: "2026-03-14", with: both(.declined))
    _ = try meeting(
      "alone", from: "22:00", on: "2026-03-14",
      with: [Attendance(name: "Kim Self", address: "kim@example.org")])
    let summary = try #require(try archive.person(priya, today: today))
    #expect(summary.meetingCount == 1 && summary.lastMet == DayKey("2026-03-10"))
    #expect(try archive.people(order: .meetings, today: today).map(\.meetingCount) == [1, 1])
    #expect(try archive.meetings(of: priya, before: test.clock.now, on: today).count == 1)
    #expect(try archive.nextMeeting(at: test.clock.now)?.title == "tonight")
    #expect(try archive.ownPerson() == kim)
  }

  @Test func theNextMeetingIsTheFirstToBeginInAnyZone() throws {
    let others = [Attendance(name: "Priya Nair")]
    _ = try meeting("Berlin", from: "23:00", on: "2026-03-14", with: others)
    let far = try meeting("Auckland", from: "10:00", on: "2026-03-15", with: others)
    // In Auckland, 22:00 in Berlin is 10:00 on Sunday.
    _ = try archive.updateMeeting(far.id) {
      $0.activity.timeZone = "Pacific/Auckland"
      $0.activity.startAt = Instant("2026-03-14T21:00:00Z")
      $0.activity.endAt = Instant("2026-03-14T21:30:00Z")
    }
    #expect(try archive.nextMeeting(at: test.clock.now)?.title == "Auckland")
    let later = try #require(Instant("2026-03-14T21:45:00Z"))
    #expect(try archive.nextMeeting(at: later)?.title == "Berlin")
  }

  @Test func peopleAreFoundWithoutTheirAccents() throws {
    let jose = try person("José Peña")
    let ruth = try person("Ruth Müller", aliases: ["Chloë"])
    for (text, id) in [("jose", jose), ("PENA", jose), ("muller", ruth), ("chloe", ruth)] {
      #expect(try archive.people(matching: text, today: today).map(\.id) == [id])
      #expect(try archive.countPeople(matching: text) == 1)
      #expect(try archive.person(named: text).id == id)
    }
    #expect(try archive.people(matching: "Müll", today: today).map(\.id) == [ruth])
    #expect(try archive.countPeople(matching: "nobody") == 0)
    let ravi = try person("रवि शर्मा")
    // The last letter is typed before its vowel sign.
    #expect(try archive.people(matching: "रव", today: today).map(\.id) == [ravi])
    #expect(try archive.countPeople(matching: "श") == 1)
    // Whoever is spelt exactly so comes first.
    let other = try person("Jose Ruiz")
    #expect(try archive.person(named: "Jose").id == other)
    #expect(try archive.people(matching: "jose", today: today).count == 2)
  }

  @Test func thoseSeenOnOneDayAreInTheOrderInWhichTheyWereSeen() throws {
    _ = try person("Adam Early")
    _ = try person("Bea Never")
    _ = try person("Zoe Late")
    _ = try meeting(
      "Breakfast", from: "08:00", on: "2026-03-14",
      with: [Attendance(name: "Zoe Late"), Attendance(name: "Adam Early")])
    try test.add("tea", from: "09:00", people: ["Adam Early"])
    try test.add("lunch", from: "12:30", people: ["Zoe Late"])
    for limit in [1, 2, Int.max] {
      let names = try archive.people(order: .lastSeen, today: today, limit: limit)
        .map(\.person.displayName)
      #expect(names.prefix(2) == ["Zoe Late", "Adam Early"].prefix(limit))
    }
  }

  @Test func promisesAreTheOwnersByEitherNameAndNeverToThemselves() throws {
    _ = try person("Kim Self", email: "kim@example.org", aliases: ["me"])
    let entry = try meeting(
      "plan",
      with: [
        Attendance(name: "Kim Self", address: "kim@example.org"),
        Attendance(name: "Priya Nair", address: "priya@example.org"),
        Attendance(name: "Jonas Weber"),
      ])
    try note(
      """
      - [ ] book the room
      - [ ] @Kim pay the bill
      - [ ] @Priya and @Jonas both sign
      - [ ] @Jonas tell Priya
      """, in: entry)
    let mine = try archive.promises(filter { $0.owner = .me }).sorted {
      $0.promise.line < $1.promise.line
    }
    #expect(mine.map(\.promise.line) == [1, 2])
    #expect(mine.map(\.owner) == [nil, nil])
    #expect(mine.first?.to.map(\.name) == ["Priya Nair", "Jonas Weber"])
    let others = try archive.promises(filter { $0.owner = .others })
    #expect(others.map(\.ownerIDs.count).sorted() == [1, 2])
    let both = try #require(others.first { $0.promise.line == 3 })
    #expect(both.owner == "Priya and Jonas" && both.to.map(\.name) == ["Kim Self"])
    #expect(others.first { $0.promise.line == 4 }?.to.map(\.name) == ["Priya Nair"])
    let jonas = try archive.person(named: "Jonas Weber").id
    #expect(
      try archive.promises(filter { $0.owner = .person(jonas) }).map(\.promise.line) == [3, 4])
  }

  @Test func aPromiseIsMadeOnceToSomeoneWhoIsListedTwice() throws {
    let (priya, double) = (try person("Priya Nair"), try person("P. Nair"))
    let entry = try meeting(
      "one",
      with: [
        Attendance(name: "Priya Nair", personID: priya),
        Attendance(name: "P. Nair", personID: double), Attendance(name: "Mei Lin"),
      ])
    try note("- [ ] @me send Priya the plan\n- [ ] @me tidy up", in: entry)
    _ = try archive.merge(double, into: priya)
    let promises = try archive.promises()
    #expect(promises.map { $0.to.map(\.name) } == [["Priya Nair"], ["Priya Nair", "Mei Lin"]])
    #expect(promises.first?.to.map(\.personID) == [priya])
  }

  @Test func whoIsKnownLaterIsLinkedInEarlierPromises() throws {
    try note("- [ ] ask @Zoe.Newman about box 9")
    #expect(try archive.promises().first?.to.map(\.personID) == [nil])
    let zoe = try person("Zoe Newman")
    #expect(try archive.promises().first?.to.map(\.personID) == [zoe])
    #expect(try archive.promises(filter { $0.people = [zoe] }).count == 1)
  }

  @Test func namesakesAreToldApartByWhoTookPart() throws {
    _ = try person("Kim Self", aliases: ["me"])
    let (nair, patel) = (try person("Priya Nair"), try person("Priya Patel"))
    let entry = try meeting(
      "plan", with: [Attendance(name: "Priya Nair", personID: nair), Attendance(name: "Kim Self")])
    try note(
      """
      - [ ] @Priya send A
      - [ ] tell Priya Patel about it
      - [ ] tell Priya about B
      - [ ] ask @Kim about it
      - [ ] @Priya/@Kim both sign
      """, in: entry)
    let found = try archive.promises().sorted { $0.promise.line < $1.promise.line }
    #expect(found[0].ownerIDs == [nair] && found[0].to.map(\.name) == ["Kim Self"])
    #expect(!found[1].to.contains { $0.personID == nair && found[1].isToNamed })
    #expect(found[2].to.map(\.personID) == [nair])
    #expect(!found[3].to.contains { $0.name == "Kim Self" })
    #expect(found[4].isMine && found[4].ownerIDs == [nair] && found[4].promise.text == "both sign")
    let kim = try archive.person(named: "Kim Self").id
    #expect(
      try archive.promises(filter { $0.owner = .person(kim) }).map(\.promise.line)
        == archive.promises(filter { $0.owner = .me }).map(\.promise.line))
    _ = patel
  }

  @Test func notesAndDueDaysFollowTheirMeetingToAnotherDay() throws {
    let entry = try meeting("plan", on: "2026-03-18", with: [Attendance(name: "Priya Nair")])
    try note("- [ ] send the draft by Friday", in: entry)
    #expect(try archive.promises().map(\.promise.due) == [DayKey("2026-03-20")])
    _ = try archive.updateActivity(entry.activity.id) { activity in
      activity.dayKey = DayKey("2026-04-01") ?? activity.dayKey
      activity.startAt = nil
      activity.endAt = nil
    }
    let moved = try #require(try archive.promises().first)
    #expect(moved.promise.due == DayKey("2026-04-03") && moved.noteDay == DayKey("2026-04-01"))
    _ = try archive.undo()
    let back = try #require(try archive.promises().first)
    #expect(back.promise.due == DayKey("2026-03-20") && back.noteDay == DayKey("2026-03-18"))
  }

  @Test func promisesArePagedAndCounted() throws {
    try note((1...30).map { "- [ ] thing \($0)" }.joined(separator: "\n"))
    let page = try archive.promisePage(filter { ($0.limit, $0.offset) = (7, 25) })
    #expect(page.total == 30 && page.promises.map(\.promise.line) == [26, 27, 28, 29, 30])
  }

  @Test func aBoardHasTheOwnersFirstAndOfEachTheFirstFew() throws {
    let priya = try person("Priya Nair")
    try note(
      (1...30).map { "- [ ] @Priya thing \($0) by 2026-03-10" }.joined(separator: "\n")
        + "\n- [ ] pay the bill\n- [x] @Priya done by 2026-03-01\n- [ ] @Nobody.Known call back")
    let today = try self.today
    let board = try archive.promiseBoard(
      includesDone: false, today: today, limit: 7, columns: 0..<10, most: 100)
    #expect(board.columns.map(\.owner).prefix(2) == [.me, .person(priya)])
    #expect(board.columns.map(\.total) == [1, 30, 1] && board.columnCount == 3 && !board.isCut)
    #expect(board.columns.map(\.late) == [0, 30, 0])
    #expect(board.columns[1].promises.map(\.promise.line) == Array(1...7))
    let all = try archive.promises(filter { $0.owner = .person(priya) })
    #expect(all.prefix(7).map(\.json) == board.columns[1].promises.map(\.json))
    let part = try archive.promiseBoard(
      includesDone: true, today: today, limit: 40, columns: 1..<2, most: 20)
    #expect(part.columns.isEmpty && part.columnCount == 1 && part.isCut)
    let done = try archive.promiseBoard(
      includesDone: true, today: today, limit: 40, columns: 1..<2, most: 100)
    #expect(done.columns.map(\.total) == [31] && done.columns.map(\.late) == [30])
  }

  @Test func pagesOfALongListAreTheListInParts() throws {
    let kim = try person("Kim Self", aliases: ["me"])
    _ = try person("Priya Nair")
    let entry = try meeting(
      "plan", with: [Attendance(name: "Priya Nair"), Attendance(name: "Kim Self", personID: kim)])
    try note(
      (1...150).map { "- [ ] \($0 % 3 == 0 ? "@Priya " : "")thing \($0)" }
        .joined(separator: "\n"), in: entry)
    for owner in [PromiseFilter.Owner.anybody, .me, .others] {
      let all = try archive.promisePage(filter { $0.owner = owner })
      let count = owner == .anybody ? 150 : owner == .me ? 100 : 50
      #expect(all.total == count && all.promises.count == count)
      var parts: [StoredPromise] = []
      for offset in stride(from: 0, to: count, by: 40) {
        let page = try archive.promisePage(
          filter { ($0.owner, $0.limit, $0.offset) = (owner, 40, offset) })
        #expect(page.total == count)
        parts += page.promises
      }
      #expect(parts == all.promises)
    }
  }

  private func filter(_ change: (inout PromiseFilter) -> Void) -> PromiseFilter {
    var filter = PromiseFilter()
    change(&filter)
    return filter
  }
}
