import ArkivedCore
import ArkivedEngine
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedStore
@testable import ArkivedWeb

@Suite("The page of the devices")
struct DeviceSyncPageTests {
  private static let id = "11111111-1111-4111-8111-111111111111"

  private func conflict(_ field: String, _ kept: JSON, _ gaveWay: JSON, member: String? = nil)
    -> ReplicaConflict
  {
    ReplicaConflict(
      id: Self.id, at: TestArchive.now, type: .activity, sourceID: Self.id, field: field,
      member: member, kept: kept, gaveWay: gaveWay, keptBy: "a", givenBy: "b")
  }

  private func words(_ conflict: ReplicaConflict) throws -> String {
    let zone = try #require(Zone("Europe/Berlin"))
    let wording = ConflictWording(conflict, in: zone)
    return "\(wording.label): \(wording.kept) | \(wording.replaced)"
  }

  @Test("A conflict is told in the words of the pages")
  func wording() throws {
    let nine: JSON = [
      "dayKey": "2026-03-14", "startAt": "2026-03-14T08:00:00Z", "endAt": "2026-03-14T09:00:00Z",
      "timeZone": "Europe/Berlin",
    ]
    let told = try [
      conflict("text", "walked far", "walked"), conflict("isPinned", true, false),
      conflict("kind", "health", "work"),
      conflict("when", nine, ["dayKey": "2026-03-15", "timeZone": "Europe/Berlin"]),
      conflict(
        "where", ["locationLabel": "Lake", "lat": 47.5, "lon": 8], ["lat": 47.5, "lon": 8]),
      conflict("tags/\(Self.id)", .null, ["position": 0], member: "sport"),
      conflict("mentions/#\(Self.id)", ["position": 1], .null, member: "Ann"),
      conflict("measurements/km", 5.5, 4),
      conflict("attachments/\(Self.id)", .null, ["originalName": "lake.jpg", "position": 0]),
      conflict("deleted", true, false), conflict("mood", 4, .null),
      conflict("plan", ["measurementTarget": 120, "startDate": "2026-01-01"], .null),
    ].map(words)
    #expect(
      told == [
        "Text: walked far | walked", "Pinned: yes | no", "Kind: Health | Work",
        "Time: 14 March 2026, 09:00–10:00 | 15 March 2026", "Place: Lake | 47.5, 8",
        "Tag: – | sport", "Person: Ann | –", "Measurement: 5.5 km | 4 km",
        "Attachment: – | lake.jpg", "Entry: Deleted | Kept", "Mood: 4 | –",
        "Target: Target: 120, Start: 1 January 2026 | –",
      ])
  }

  @Test("The page names the fields of conflicts, and what doesn’t fit together")
  func page() async throws {
    let web = try WebTest()
    let other = try TestArchive()
    let (desk, laptop) = (web.test.archive, other.archive)
    let shared = try TemporaryFolder()
    var first = try DevicePairing.start(desk, name: "desk", folder: shared.url)
    _ = try DevicePairing.ask(
      laptop, name: "laptop", folder: shared.url, code: try first.invite())
    try first.accept(try #require(try first.request()))
    _ = try #require(try DevicePairing.finish(laptop))
    func exchange() throws {
      for archive in [desk, laptop, desk, laptop] {
        var job = try #require(try DeviceSyncJob(archive: archive))
        try job.exchange()
      }
    }
    let entry = try web.test.add("walked").id
    let note = try desk.create(
      Note(
        id: UUID(), title: "Plan", text: "by the lake", createdAt: TestArchive.now,
        updatedAt: TestArchive.now)
    ).value.id
    try exchange()
    _ = try desk.updateActivity(entry) { $0.measurements["km"] = 4 }
    _ = try laptop.updateActivity(entry) { $0.measurements["km"] = 5.5 }
    _ = try desk.updateNote(note) { $0.title = nil }
    _ = try laptop.updateNote(note) { $0.text = "" }
    try exchange()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/sync", cookie: cookie).text
      #expect(page.contains("<p>Measurement</p>"))
      #expect(page.contains("<bdi>4 km</bdi>") && page.contains("<bdi>5.5 km</bdi>"))
      #expect(page.contains("1 item is different on this device"))
      #expect(page.contains("Note · by the lake · The text is empty, and so is the title."))
      #expect(!page.contains("Everything is in sync."))
    }
  }
}
