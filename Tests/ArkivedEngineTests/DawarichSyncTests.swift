import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Locations from a linked Dawarich server")
struct DawarichSyncTests {
  private let test: TestArchive
  private let dawarich: DawarichScript

  private static let home = (lat: 52.5, lon: 13.4)
  private static let office = (lat: 52.55, lon: 13.4)

  init() throws {
    test = try TestArchive()
    dawarich = try DawarichScript(Self.morning)
  }

  /// An hour at home, half an hour on the way, and an hour at the office.
  private static var morning: [DawarichScript.Position] {
    DawarichScript.stay("2026-03-10T07:00:00Z", minutes: 60, lat: home.lat, lon: home.lon)
      + DawarichScript.way("2026-03-10T08:00:00Z", minutes: 30, from: home, to: office)
      + DawarichScript.stay("2026-03-10T08:30:00Z", minutes: 60, lat: office.lat, lon: office.lon)
  }

  private static func atOffice(_ start: String, minutes: Int) -> [DawarichScript.Position] {
    DawarichScript.stay(start, minutes: minutes, lat: office.lat, lon: office.lon)
  }

  private static func atHome(_ start: String, minutes: Int) -> [DawarichScript.Position] {
    DawarichScript.stay(start, minutes: minutes, lat: home.lat, lon: home.lon)
  }

  private var job: SyncJob { SyncJob(archive: test.archive, homeZone: test.zone) }

  private func link() async throws {
    var order = LinkedServiceOrder(.dawarich, address: dawarich.address, key: DawarichScript.key)
    order.name = "Places"
    _ = try await job.linkService(order)
  }

  private func sync(readsAll: Bool = false) async throws -> SyncReport {
    let link = try #require(try test.archive.syncLinks().first)
    test.clock.advance(seconds: 60)
    dawarich.server.forget()
    return try await job.bringInLine(link, readsAll: readsAll)
  }

  private func entries(_ day: String = "2026-03-10") throws -> [Activity] {
    try test.day(day).activities
  }

  /// The clock times at home of a day's entries.
  private func times(_ day: String = "2026-03-10") throws -> [String] {
    try entries(day).map { entry in
      [entry.startAt, entry.endAt].map { instant in
        instant.map { test.zone.wallTime(at: $0).clockText } ?? "?"
      }.joined(separator: "–")
    }
  }

  // MARK: What comes

  @Test func positionsBecomeTheSameEntriesAsTheServersExport() async throws {
    try await link()
    #expect(try await sync().pulled == ["new": 3])
    let other = try TestArchive()
    let export = try other.folder.file("export.json", dawarich.export)
    _ = try ImportJob(archive: other.archive, homeZone: other.zone).run(export)
    func described(_ entries: [Activity]) -> [String] {
      entries.map { entry in
        let refs = entry.externalRefs.map {
          "\($0.provider) \($0.externalID) \($0.contentHash ?? "")"
        }
        return """
          \(entry.dayKey) \(entry.text) \(entry.startAt.map { "\($0)" } ?? "") \
          \(entry.endAt.map { "\($0)" } ?? "") \(entry.lat ?? 0) \(entry.lon ?? 0) \
          \(entry.measurements) \(entry.attachments.map(\.contentHash)) \(refs)
          """
      }
    }
    let exported = try other.day("2026-03-10").activities
    #expect(try described(entries()) == described(exported))
    #expect(try entries().allSatisfy { $0.source == .locationImport })
    #expect(try times() == ["08:00–09:00", "09:00–09:30", "09:30–10:29"])
    #expect(try test.archive.importRuns().map(\.format) == ["dawarich"])
  }

  @Test func aDayWhosePositionsTheServerLostStaysAsRichAsItWas() async throws {
    try await link()
    _ = try await sync()
    let before = try entries()
    for count in [10, 12, 0, 12] {
      dawarich.change { $0 = Array(Self.morning.prefix(count)) }
      _ = try await sync()
      #expect(try entries() == before)
    }
    #expect(try await sync(readsAll: true).isQuiet)
    #expect(try entries() == before)
    dawarich.change { $0 = Self.morning + Self.atOffice("2026-03-10T09:30:00Z", minutes: 30) }
    _ = try await sync()
    #expect(try times() == ["08:00–09:00", "09:00–09:30", "09:30–10:59"])
  }

  @Test func aSecondSyncAsksThreeQuestionsAndChangesNothing() async throws {
    try await link()
    _ = try await sync()
    let before = try entries()
    #expect(try await sync().isQuiet)
    #expect(dawarich.server.requests.count == 3)
    #expect(dawarich.server.requests.allSatisfy { $0.method == "GET" })
    // The key is in no address, which servers write into their logs.
    #expect(!dawarich.server.requests.contains { $0.path.contains(DawarichScript.key) })
    #expect(try await sync(readsAll: true).isQuiet)
    #expect(try entries() == before)
    #expect(try test.archive.importRuns().count == 1)
  }

  @Test func whatAnExportBroughtIsNotDoubled() async throws {
    let export = try test.folder.file("export.json", dawarich.export)
    _ = try ImportJob(archive: test.archive, homeZone: test.zone).run(export)
    try await link()
    #expect(try await sync().isQuiet)
    #expect(try entries().count == 3)
  }

  @Test func aDayGoesOn() async throws {
    try await link()
    _ = try await sync()
    dawarich.change { $0 += Self.atOffice("2026-03-10T09:30:00Z", minutes: 90) }
    #expect(try await sync().pulled == ["changed": 1])
    #expect(try times() == ["08:00–09:00", "09:00–09:30", "09:30–11:59"])
    // Only the day that changed is read again.
    let asked = dawarich.server.requests.filter { $0.path.contains("per_page=1000") }
    #expect(asked.count == 3 && asked.allSatisfy { $0.path.contains("2026-03-09T23:00:00Z") })
    dawarich.change { $0 += Self.atHome("2026-03-12T18:00:00Z", minutes: 30) }
    #expect(try await sync().pulled == ["new": 1])
    #expect(try times("2026-03-12") == ["19:00–19:29"])
    #expect(try await sync().isQuiet)
  }

  @Test func positionsOfAnEarlierDayThatComeLateAreFound() async throws {
    dawarich.change { $0 += Self.atHome("2026-03-13T18:00:00Z", minutes: 30) }
    try await link()
    #expect(try await sync().pulled == ["new": 4])
    dawarich.change { positions in
      positions += Self.atHome("2019-07-01T18:00:00Z", minutes: 30)
      positions += Self.atHome("2026-03-11T18:00:00Z", minutes: 30)
    }
    #expect(try await sync().pulled == ["new": 2])
    #expect(try times("2019-07-01") == ["20:00–20:29"])
    #expect(try times("2026-03-11") == ["19:00–19:29"])
    #expect(dawarich.server.requests.count < 60)
    #expect(try await sync().isQuiet)
  }

  @Test func otherStaysOfTheSameHoursReplaceThoseFromBefore() async throws {
    try await link()
    _ = try await sync()
    // The phone had not uploaded the first hour.
    dawarich.change { $0 += Self.atHome("2026-03-10T06:00:00Z", minutes: 60) }
    #expect(try await sync().pulled == ["new": 1, "changed": 1])
    #expect(try times() == ["07:00–09:00", "09:00–09:30", "09:30–10:29"])
    // The one from before is in the history, and undo brings it back.
    let run = try #require(try test.archive.importRuns().first)
    _ = try test.archive.undo(try test.archive.importRun(matching: run.id.uuidString).changeID)
    #expect(try times() == ["08:00–09:00", "09:00–09:30", "09:30–10:29"])
  }

  // MARK: What the owner does here

  @Test func whatTheOwnerChangedOrDeletedStaysSo() async throws {
    try await link()
    _ = try await sync()
    let found = try entries()
    _ = try test.archive.updateActivity(found[0].id) { $0.text = "Breakfast with Ann" }
    _ = try test.archive.deleteActivities([found[1].id])
    dawarich.change { positions in
      positions += Self.atHome("2026-03-10T06:00:00Z", minutes: 60)
      positions += Self.atOffice("2026-03-10T09:30:00Z", minutes: 30)
    }
    _ = try await sync()
    _ = try await sync(readsAll: true)
    let texts = try entries().map(\.text)
    #expect(texts.contains("Breakfast with Ann"))
    #expect(try !entries().contains { $0.id == found[1].id || $0.text == found[1].text })
    #expect(try entries().contains { $0.id == found[2].id })
  }

  // MARK: What happens there

  @Test func positionsThatAreGoneThereStayHere() async throws {
    try await link()
    _ = try await sync()
    let before = try entries()
    dawarich.change { $0.removeLast(40) }
    #expect(try await sync().isQuiet)
    #expect(try await sync().isQuiet)
    #expect(dawarich.server.requests.count == 3)
    dawarich.change { $0 = [] }
    #expect(try await sync().isQuiet)
    #expect(try entries() == before)
  }

  @Test func aServerThatGoesAwayInTheMiddleLeavesNothingHalf() async throws {
    try await link()
    let script = dawarich
    script.server.reply { request in
      request.path.contains("&page=2")
        ? .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n[{".utf8))
        : script.reply(request)
    }
    let error = await #expect(throws: LinkedServiceFailure.self) { try await sync() }
    #expect(error?.description.hasPrefix(dawarich.address) == true)
    #expect(try entries().isEmpty && test.archive.importRuns().isEmpty)
    #expect(try test.archive.syncLinks().first?.outcome?["error"]?.string == error?.description)
    script.answerAll()
    #expect(try await sync().pulled == ["new": 3])
  }

  @Test func invalidPositionsAreReported() async throws {
    dawarich.change { positions in
      positions.append(.init(time: positions[0].time + 5, lat: 91, lon: 13.4))
    }
    try await link()
    let report = try await sync()
    #expect(report.pulled == ["new": 3] && report.warnings.map(\.place) == ["Places"])
  }

  // MARK: Linking

  @Test func aWrongKeyOrAnotherProgramIsRefused() async throws {
    let order = LinkedServiceOrder(.dawarich, address: dawarich.address, key: "wrong-key")
    let error = await #expect(throws: LinkedServiceFailure.self) {
      try await job.linkService(order)
    }
    #expect(error == .wrongKey(place: dawarich.address + "/", service: .dawarich))
    let other = LinkedServiceOrder(.immich, address: dawarich.address, key: "wrong-key")
    await #expect(throws: LinkedServiceFailure.self) { try await job.linkService(other) }
    #expect(try test.archive.syncLinks().isEmpty)
  }
}
