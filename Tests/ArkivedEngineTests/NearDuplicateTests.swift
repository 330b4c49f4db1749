import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Possible duplicates")
struct NearDuplicateTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  @discardableResult
  private func bring(_ name: String, _ rows: String) throws -> ImportRun {
    let content = "Start,End,Title,Distance (km),Kind,\(name)\n" + rows
    return try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone)
        .run(try test.folder.file("\(name).csv", content)).first)
  }

  private let watch = "2026-03-10 07:30,2026-03-10 08:15,Outdoor running,8.4,health,pulse 150\n"
  private let phone = "2026-03-10 07:31,2026-03-10 08:14,Run,8.5,other,with Sam\n"

  @Test func aRunFromTheWatchAndThePhoneIsProposedAndNothingElse() throws {
    try bring("watch", watch + "2026-03-11 10:00,2026-03-11 11:00,Yoga,,health,\n")
    try bring(
      "phone",
      phone + "2026-03-11 10:50,2026-03-11 12:00,Yoga,,health,\n"
        + "2026-03-12 10:00,2026-03-12 11:00,Run,5,health,\n")
    try bring("other", "2026-03-12 10:00,2026-03-12 11:00,Run,9,health,\n")
    try test.add("Call", on: "2026-03-10", from: "07:30", to: "08:15")
    let pairs = try test.archive.nearDuplicates()
    #expect(pairs.map { Set([$0.first.text, $0.second.text]) } == [["Outdoor running", "Run"]])
    // Only a little of the time is common, or the ways differ, or the words and the kind do.
    let day = try #require(DayKey("2026-03-11"))
    #expect(try test.archive.nearDuplicates(on: day...day).isEmpty)
    #expect(try test.archive.counts().activities == 7)
  }

  @Test func aWorkoutOfHealthAndTheTrackOfTheSameRunAreProposed() throws {
    func point(_ number: Int) -> String {
      "<trkpt lat=\"\(52.5 + Double(number) / 200)\" lon=\"13.4\">"
        + "<time>2026-03-10T07:3\(number):00Z</time></trkpt>"
    }
    let points = (0...9).map(point).joined()
    let files = [
      "watch/export.xml": """
      <HealthData locale="en_GB"><Workout workoutActivityType="HKWorkoutActivityTypeRunning"
      duration="9.5" durationUnit="min" totalDistance="5.1" totalDistanceUnit="km"
      sourceName="Watch" startDate="2026-03-10 08:30:00 +0100"
      endDate="2026-03-10 08:39:30 +0100"/></HealthData>
      """,
      "phone/run.gpx": """
      <gpx version="1.1"><trk><name>Morning by the river</name><type>running</type>
      <trkseg>\(points)</trkseg></trk></gpx>
      """,
    ]
    for (name, content) in files {
      _ = try ImportJob(archive: test.archive, homeZone: test.zone)
        .run(try test.folder.file(name, content))
    }
    let pairs = try test.archive.nearDuplicates()
    #expect(pairs.count == 1)
    let texts = pairs.flatMap { [$0.first.text, $0.second.text] }
    #expect(Set(texts) == ["Run, 5.1 km", "Morning by the river"])
  }

  @Test func workoutsThatTwoProgramsToldAppleHealthAreProposedAndMergedForGood() throws {
    func workout(_ source: String, _ start: String, _ end: String, _ km: String) -> String {
      """
      <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="44" durationUnit="min"
      totalDistance="\(km)" totalDistanceUnit="km" sourceName="\(source)"
      startDate="2026-03-10 \(start) +0100" endDate="2026-03-10 \(end) +0100"/>

      """
    }
    let runs =
      workout("Ada’s Watch", "08:30:00", "09:14:00", "8.4")
      + workout("Strides", "08:30:20", "09:15:00", "8.5")
      // The watch itself never tells of one run twice.
      + workout("Ada’s Watch", "17:00:00", "17:44:00", "8.4")
      + workout("Ada’s Watch", "17:01:00", "17:44:00", "8.4")
        // What is no workout is told by nobody else.
        + """
        <Record type="HKCategoryTypeIdentifierHeadache" sourceName="Strides" value="HKCategoryValueSeverityMild"
        startDate="2026-03-10 17:00:00 +0100" endDate="2026-03-10 17:44:00 +0100"/>

        """
    let file = try test.folder.file(
      "export.xml", "<HealthData locale=\"en_GB\">\n\(runs)</HealthData>")
    let job = ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true)
    #expect(try job.run(file).first?.created == ["activity": 5])
    let pairs = try test.archive.nearDuplicates()
    let pair = try #require(pairs.first)
    #expect(pairs.count == 1)
    #expect(Set([pair.first.text, pair.second.text]) == ["Run, 8.4 km", "Run, 8.5 km"])
    _ = try test.archive.mergeActivity(pair.second.id, into: pair.first.id)
    let again = try #require(try job.run(file).first)
    #expect(again.created.isEmpty && again.updated == 0)
    #expect(try test.day("2026-03-10").activities.count == 4)
  }

  @Test func tablesOfOtherColumnsInOneFolderAreTwoSources() throws {
    _ = try test.folder.file(
      "both/watch.csv", "Start,End,Title,Watch\n2026-03-10 07:30,2026-03-10 08:15,Running,1\n")
    let phone = try test.folder.file(
      "both/phone.csv", "Start,End,Title,Phone\n2026-03-10 07:31,2026-03-10 08:14,Run,x\n")
    let runs = try ImportJob(archive: test.archive, homeZone: test.zone)
      .run(phone.deletingLastPathComponent())
    #expect(runs.map(\.created) == [["activity": 2]])
    #expect(try test.archive.nearDuplicates().count == 1)
  }

  @Test func mergingTakesOverWhatTheOtherSaysAndUndoPartsThemAgain() throws {
    try bring("watch", watch)
    try bring("phone", phone)
    let before = try ExportJob(archive: test.archive).lines().filter { $0.contains("activity\",") }
    let pair = try #require(try test.archive.nearDuplicates().first)
    let merged = try test.archive.mergeActivity(pair.second.id, into: pair.first.id)
    #expect(merged.value.measurements == pair.first.measurements)
    #expect(merged.value.kind == .health && merged.value.externalRefs.count == 2)
    #expect(try test.day("2026-03-10").activities.count == 1)
    // Both sources know it again.
    for (name, rows) in [("watch", watch), ("phone", phone)] {
      let again = try bring(name, rows)
      #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 1)
    }
    #expect(try test.archive.nearDuplicates().isEmpty)
    _ = try test.archive.undo(try #require(merged.change).id)
    let after = try ExportJob(archive: test.archive).lines().filter { $0.contains("activity\",") }
    #expect(after.count == before.count)
    #expect(try test.day("2026-03-10").activities.map(\.externalRefs.count) == [1, 1])
  }

  @Test func whatTheOwnerLinkedWithTheOtherStaysLinked() throws {
    func goal(_ title: String) throws -> Goal {
      try test.archive.create(
        Goal(
          id: test.archive.identities.next(), title: title, measurementUnit: "points",
          createdAt: test.clock.now, updatedAt: test.clock.now)
      ).value
    }
    let (alone, both, refused) = (try goal("Alone"), try goal("Both"), try goal("Refused"))
    try bring("watch", watch)
    try bring("phone", phone)
    let pair = try #require(try test.archive.nearDuplicates().first)
    try test.archive.link(action: pair.second.id, goal: alone.id, amount: 3)
    try test.archive.link(action: pair.second.id, goal: both.id, amount: 4)
    try test.archive.link(action: pair.first.id, goal: both.id, amount: 5)
    let match = try test.archive.link(action: pair.second.id, goal: refused.id, amount: 6).value
    try test.archive.decide([match.id], .userRejected)
    func links(_ id: UUID) throws -> [String: Double] {
      let links = try test.archive.contributions(ofAction: id).filter { $0.contribution.counts }
      return Dictionary(
        links.map { ($0.goal.title, $0.contribution.contribution) }, uniquingKeysWith: +)
    }
    let merged = try test.archive.mergeActivity(pair.second.id, into: pair.first.id)
    #expect(try links(pair.first.id) == ["Alone": 3, "Both": 5])
    _ = try test.archive.undo(try #require(merged.change).id)
    #expect(try links(pair.first.id) == ["Both": 5])
    #expect(try links(pair.second.id) == ["Alone": 3, "Both": 4])
  }

  @Test func whatTheOwnerKeepsIsProposedNoMore() throws {
    try bring("watch", watch)
    try bring("phone", phone)
    let pair = try #require(try test.archive.nearDuplicates().first)
    try test.archive.keepApart(pair.second.id, pair.first.id)
    #expect(try test.archive.nearDuplicates().isEmpty)
    #expect(throws: FieldError.self) {
      try test.archive.mergeActivity(pair.first.id, into: pair.first.id)
    }
  }
}
