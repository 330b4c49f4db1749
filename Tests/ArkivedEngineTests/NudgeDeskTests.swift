import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Nudges over a real archive")
struct NudgeDeskTests {
  private let test: TestArchive
  private var archive: Archive { test.archive }
  private var desk: NudgeDesk { NudgeDesk(archive: archive, zone: test.zone) }

  /// It is Saturday, 14 March 2026, 21:00.
  init() throws { test = try TestArchive() }

  private func choose(_ kinds: NudgeKind..., showsText: Bool = false) throws {
    try archive.updateNudgeSettings { settings in
      for kind in kinds { settings.set(kind, at: .at(21)) }
      settings.channels = [.today, .web]
      settings.quiet = nil
      settings.showsText = showsText
      settings.mostADay = 20
    }
  }

  @discardableResult
  private func meeting(
    _ title: String, at start: String = "21:05", with attendees: [Attendance],
    _ edit: (inout Meeting) -> Void = { _ in }
  ) throws -> MeetingEntry {
    let activity = try test.activity(title, from: start)
    let id = archive.identities.next()
    var entry = MeetingEntry(
      meeting: Meeting(
        id: id, activityID: activity.id, eventIdentifier: id.uuidString,
        createdAt: activity.createdAt, updatedAt: activity.updatedAt),
      activity: activity)
    edit(&entry.meeting)
    entry.setAttendees(attendees)
    return try archive.create(entry).value
  }

  private func goal(_ title: String, target: Double? = 100) throws -> Goal {
    try archive.create(
      Goal(
        id: archive.identities.next(), title: title, measurementUnit: "km",
        measurementTarget: target, startDate: DayKey("2026-01-01"),
        targetDate: DayKey("2026-04-30"), createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  @Test func nothingIsGivenUnlessItIsChosen() throws {
    try meeting("Planning", with: [Attendance(name: "Ana")])
    _ = try goal("Run")
    let round = try desk.giveDue()
    #expect(round.given.isEmpty && round.next == nil)
    #expect(try archive.nudgeMemory().given.isEmpty && desk.standing().isEmpty)
  }

  @Test func theEveningNoteIsGivenOnceByHoweverManyProgramsAndStarts() async throws {
    try choose(.evening)
    let programs = try (0..<6).map { _ in try test.another() }
    let zone = test.zone
    let given = try await withThrowingTaskGroup(of: Int.self) { group in
      for program in programs {
        group.addTask {
          try await ArkivedTestSupport.onThread {
            try NudgeDesk(archive: program, zone: zone).giveDue().given.count
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(given == 1)
    #expect(try NudgeDesk(archive: test.another(), zone: zone).giveDue().given.isEmpty)
    test.clock.advance(seconds: 86_400)
    #expect(try desk.giveDue().given.map(\.kind) == [.evening])
    #expect(try archive.changes(limit: 5).isEmpty, "a nudge is no change of the archive")
  }

  @Test func aDayWithANoteIsNotAskedForAndAWrittenNoteTakesTheLineAway() throws {
    try choose(.evening)
    let today = test.zone.dayKey(at: test.clock.now)
    _ = try archive.updateDay(today) { $0.note = " \n" }
    #expect(try desk.giveDue().given.count == 1)
    #expect(try desk.standing().map(\.words.text) == ["The day has no note yet."])
    #expect(try desk.standing().first?.words.href == "/day/2026-03-14/note/edit")
    _ = try archive.updateDay(today) { $0.note = "A quiet day." }
    #expect(try desk.standing().isEmpty)
    test.clock.advance(seconds: 86_400)
    _ = try archive.updateDay(today.advanced(by: 1)) { $0.note = "Another." }
    #expect(try desk.giveDue().given.isEmpty)
  }

  @Test func onlyMeetingsToGoToAreSpokenOf() throws {
    try choose(.meeting)
    let me = try archive.create(
      Person(
        id: archive.identities.next(), name: "Jo", aliases: ["me"], createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value.id
    let ana = Attendance(name: "Ana")
    func mine(_ reply: AttendanceReply) -> [Attendance] {
      [Attendance(name: "Jo", personID: me, reply: reply), ana]
    }
    try meeting("cancelled", with: mine(.accepted)) { $0.status = .cancelled }
    try meeting("dropped", with: mine(.accepted)) { $0.isEventDeleted = true }
    try meeting("whole day", with: mine(.accepted)) { $0.isAllDay = true }
    try meeting("declined", with: mine(.declined))
    try meeting("alone", with: [Attendance(name: "Jo", personID: me, isOrganizer: true)])
    try meeting("begun", at: "21:00", with: [Attendance(name: "Cy")])
    try meeting("later", at: "21:11", with: mine(.accepted))
    #expect(try desk.giveDue().given.isEmpty)
    let wanted = try meeting("Planning", with: mine(.accepted))
    let other = try meeting(
      "Others may decline", at: "21:09",
      with: [Attendance(name: "Jo", personID: me), Attendance(name: "Bo", reply: .declined)])
    let round = try desk.giveDue()
    #expect(round.given.map(\.subject) == [wanted.id, other.id])
    #expect(round.next == test.clock.now.adding(seconds: 60))
    let lines = try desk.standing().map(\.words.text)
    #expect(lines.first == "Planning in five minutes, at 21:05, with Ana.", "\(lines)")
    #expect(try desk.standing().first?.words.href == "/meetings/\(wanted.id.uuidString)/brief")
    // A meeting that goes away takes its line with it.
    _ = try archive.deleteMeeting(wanted.id)
    #expect(try desk.standing().map(\.given.nudge.subject) == [other.id])
  }

  @Test func aGoalBehindItsPaceAndAnOverdueBackupAreFound() throws {
    try choose(.goal, .backup)
    let run = try goal("Run far")
    _ = try goal("No target", target: nil)
    let round = try desk.giveDue()
    #expect(round.given.map(\.kind) == [.goal, .backup])
    #expect(round.given.first?.subject == run.id)
    let lines = try desk.standing().map(\.words.text)
    #expect(lines.first?.hasPrefix("Run far is behind pace: 0 of 100 km; ") == true, "\(lines)")
    #expect(lines.last == "A backup is overdue: there is none yet.")
    let folder = test.folder.url.appendingPathComponent("backups")
    try BackupBook.change(of: archive) {
      $0.plan = BackupBook.Plan(folder: folder.path, recipients: [AgeIdentity().recipient])
    }
    _ = try PlannedBackup(archive: archive, zone: test.zone).run()
    #expect(try desk.standing().map(\.given.nudge.kind) == [.goal])
  }

  @Test func pastYearsOfTheDayAreToldWithTheirYears() throws {
    try choose(.onThisDay)
    #expect(try desk.giveDue().given.isEmpty)
    try test.add("the castle", on: "2019-03-14")
    try test.add("a walk by the lake", on: "2024-03-14")
    #expect(try desk.giveDue().given.map(\.kind) == [.onThisDay])
    #expect(
      try desk.standing().map(\.words.text)
        == ["On this day in 2024 and 2019: a walk by the lake"])
  }

  @Test func noNotificationTellsWhatIsWrittenUnlessAllowed() throws {
    let canary = "Canary"
    try choose(.meeting, .evening, .goal, .backup, .onThisDay)
    try meeting("\(canary) talk", with: [Attendance(name: "\(canary) Quist")])
    _ = try goal("\(canary) goal")
    try test.add("\(canary) walk", on: "2024-03-14")
    let given = try desk.giveDue().given
    #expect(given.map(\.kind) == [.meeting, .evening, .goal, .backup, .onThisDay])
    for nudge in given {
      let plain = try desk.words(of: nudge, showsText: false)
      #expect(!plain.text.contains(canary) && !plain.href.contains(canary), "\(plain)")
    }
    let announced = try desk.announcements(besides: [])
    #expect(announced.count == 5 && announced.allSatisfy { $0.notifies })
    #expect(announced.first?.words.text == "A meeting in five minutes.")
    #expect(announced.allSatisfy { !$0.words.json.text().contains(canary) })
    #expect(try !archive.nudgeMemory().json.text().contains(canary))
    try choose(showsText: true)
    let telling = try desk.announcements(besides: Set(given.prefix(1).map(\.id)))
    #expect(telling.count == 4)
    #expect(telling.filter { $0.words.text.contains(canary) }.count == 2)
  }

  @Test func nudgesSpeakTheLanguageOfWhoeverIsTold() throws {
    try choose(.meeting, .backup, showsText: true)
    try meeting("Planning", with: [Attendance(name: "Ana"), Attendance(name: "Sam")])
    _ = try desk.giveDue()
    let texts = try desk.announcements(besides: []).map(\.texts)
    #expect(
      texts.compactMap { $0["en"] } == [
        "Planning in five minutes, at 21:05, with Ana and Sam.",
        "A backup is overdue: there is none yet.",
      ])
    #expect(
      texts.compactMap { $0["de"] } == [
        "Planning in fünf Minuten, um 21:05, mit Ana und Sam.",
        "Eine Sicherung ist überfällig: es gibt noch keine.",
      ])
    let german = try ShownDates.speaking(.german) { try desk.standing().map(\.words.text) }
    #expect(german == texts.compactMap { $0["de"] })
    try choose(showsText: false)
    #expect(
      try desk.announcements(besides: []).compactMap { $0.texts["de"] }
        == ["Ein Treffen in fünf Minuten.", "Eine Sicherung ist überfällig."])
  }

  @Test func aLineIsPutOffOrTakenAway() throws {
    try choose(.evening)
    #expect(throws: ArchiveError.self) { try desk.close("evening.2026-03-14", snoozes: true) }
    let nudge = try #require(try desk.giveDue().given.first)
    try desk.close(nudge.id, snoozes: true)
    #expect(try desk.standing().isEmpty)
    test.clock.advance(seconds: NudgeDesk.snoozeSeconds)
    #expect(try desk.standing().count == 1)
    try desk.close(nudge.id, snoozes: false)
    #expect(try desk.standing().isEmpty && desk.giveDue().given.isEmpty)
    // Its settings are kept, whoever opens the archive.
    #expect(try test.another().nudgeSettings() == archive.nudgeSettings())
  }
}
