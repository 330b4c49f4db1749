import ArkivedCore
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedEngine

@Suite("Photos from a linked Immich server")
struct ImmichSyncTests {
  private let test: TestArchive
  private let immich: ImmichScript

  init() throws {
    test = try TestArchive()
    immich = try ImmichScript(Self.walk)
  }

  /// Two photos and a video of an hour, and one in the evening.
  private static var walk: [ImmichScript.Photo] {
    var photos = [
      ImmichScript.Photo(1, "2026-03-10T14:05:00Z"), .init(2, "2026-03-10T14:20:00Z"),
      .init(3, "2026-03-10T14:25:00Z", name: "IMG_3.MOV"), .init(4, "2026-03-10T18:00:00Z"),
    ]
    photos[0].description = "The old harbour"
    photos[0].city = "Lisbon"
    photos[0].country = "Portugal"
    photos[2].isVideo = true
    return photos
  }

  /// A day after the first photos were uploaded.
  private let later = "2026-03-11T08:00:00Z"

  private var job: SyncJob { SyncJob(archive: test.archive, homeZone: test.zone) }

  private func link(
    _ change: (inout LinkedServiceOrder) -> Void = { _ in }
  ) async throws {
    var order = LinkedServiceOrder(.immich, address: immich.address, key: ImmichScript.key)
    order.name = "Photos"
    change(&order)
    _ = try await job.linkService(order)
  }

  private func sync(readsAll: Bool = false) async throws -> SyncReport {
    let link = try #require(try test.archive.syncLinks().first)
    test.clock.advance(seconds: 60)
    immich.server.forget()
    return try await job.bringInLine(link, readsAll: readsAll)
  }

  private func entries(_ day: String = "2026-03-10") throws -> [Activity] {
    try test.day(day).activities
  }

  private func texts() throws -> [String] { try entries().map(\.text) }

  // MARK: What comes

  @Test func photosTakenTogetherAreAnEntryAndASecondSyncChangesNothing() async throws {
    try await link()
    #expect(try await sync().pulled == ["new": 2])
    let found = try entries()
    #expect(found.map(\.text) == ["2 photos and a video", "A photo"])
    let walk = try #require(found.first)
    #expect(walk.source == .photosImport && walk.timeZone == TestArchive.zoneName)
    #expect(walk.startAt == Instant("2026-03-10T14:05:00Z"))
    #expect(walk.endAt == Instant("2026-03-10T14:25:00Z"))
    #expect(walk.locationLabel == "Lisbon, Portugal" && walk.people.isEmpty)
    #expect(walk.description == "Taken with Canon EOS R5")
    #expect(walk.attachments.map(\.caption) == ["The old harbour", nil, nil])
    #expect(walk.attachments.map(\.originalName) == ["IMG_1.png", "IMG_2.png", "IMG_3.MOV.png"])
    for (attachment, photo) in zip(walk.attachments, Self.walk) {
      #expect(attachment.type == .photo && attachment.mediaType == "image/png")
      #expect(try test.archive.content(of: attachment) == photo.preview)
    }
    let runs = try test.archive.importRuns()
    #expect(runs.map(\.format) == ["immich"] && runs.first?.source == "Photos")

    #expect(try await sync().isQuiet)
    #expect(try test.archive.importRuns().count == 1)
    // Not a single picture is fetched again.
    #expect(immich.paths == ["/api/server/ping", "/api/users/me", "/api/search/metadata"])
    #expect(try await sync(readsAll: true).isQuiet)
    #expect(!immich.paths.contains { $0.hasPrefix("/api/assets") })
    #expect(try entries() == found)
  }

  @Test func nothingOnTheServerIsChanged() async throws {
    try await link()
    _ = try await sync()
    for request in immich.server.requests {
      #expect(
        request.method == "GET" || request.path == "/api/search/metadata", "\(request.path)")
      #expect(request.headers["x-api-key"] == ImmichScript.key)
      #expect(request.headers["authorization"] == nil)
    }
  }

  @Test func newPhotosJoinTheEntryTheyBelongTo() async throws {
    try await link()
    _ = try await sync()
    immich.change { [later] photos in
      photos += [
        .init(5, "2026-03-10T14:50:00Z", updated: later),
        .init(6, "2026-03-10T13:40:00Z", updated: later),
        .init(7, "2026-03-10T16:00:00Z", updated: later),
      ]
    }
    #expect(try await sync().pulled == ["new": 1, "changed": 1])
    #expect(try texts() == ["4 photos and a video", "A photo", "A photo"])
    let walk = try #require(try entries().first)
    #expect(walk.startAt == Instant("2026-03-10T13:40:00Z"))
    #expect(walk.endAt == Instant("2026-03-10T14:50:00Z"))
    #expect(walk.externalRefs.count == 5)
    #expect(try await sync().isQuiet)
    #expect(try await sync(readsAll: true).isQuiet)
  }

  @Test func timesAreThoseOfTheCamera() async throws {
    immich.change { photos in
      photos = [.init(1, "2026-03-09T22:30:00Z")]
      photos[0].minutesEast = 9 * 60
    }
    try await link()
    _ = try await sync()
    let entry = try #require(try entries().first)
    #expect(entry.startAt == Instant("2026-03-09T22:30:00Z") && entry.timeZone == "Etc/GMT-9")
  }

  @Test func whatBelongsToOthersOrIsHiddenStaysThere() async throws {
    immich.change { photos in
      photos[0].owner = "partner"
      photos[1].isTrashed = true
      photos[2].visibility = "archive"
      photos[3].visibility = "hidden"
    }
    try await link()
    #expect(try await sync().isQuiet)
    #expect(try entries().isEmpty)
  }

  @Test func coordinatesComeOnlyIfAsked() async throws {
    immich.change { photos in
      photos = [.init(1, "2026-03-10T14:05:00Z")]
      photos[0].place = (38.7, -9.14)
      photos[0].city = "Lisbon"
    }
    try await link()
    _ = try await sync()
    let entry = try #require(try entries().first)
    #expect(entry.lat == nil && entry.lon == nil && entry.locationLabel != nil)

    let other = try TestArchive()
    let keeping = SyncJob(archive: other.archive, homeZone: other.zone)
    var order = LinkedServiceOrder(.immich, address: immich.address, key: ImmichScript.key)
    order.places = .keep
    _ = try await keeping.bringInLine(try await keeping.linkService(order))
    #expect(try other.day("2026-03-10").activities.first?.lat == 38.7)
  }

  // MARK: What the owner does here

  @Test func whatTheOwnerDeletedDoesNotComeBack() async throws {
    try await link()
    _ = try await sync()
    let walk = try #require(try entries().first)
    _ = try test.archive.deleteActivities([walk.id])
    #expect(try await sync().isQuiet)
    #expect(try await sync(readsAll: true).isQuiet)
    #expect(try texts() == ["A photo"])
    // A new photo of the same hour is not one of those.
    immich.change { [later] in $0.append(.init(5, "2026-03-10T14:50:00Z", updated: later)) }
    #expect(try await sync().pulled == ["new": 1])
    #expect(try texts() == ["A photo", "A photo"])
  }

  @Test func whatIsDeletedPermanentlyDoesNotComeBack() async throws {
    try await link()
    _ = try await sync()
    let walk = try #require(try entries().first)
    #expect(try test.archive.purgePlan(.entities([walk.id])).sources == [immich.address])
    _ = try test.archive.purge(.entities([walk.id]))
    #expect(try await sync(readsAll: true).isQuiet)
    #expect(try texts() == ["A photo"])
  }

  @Test func anEntryThatTheOwnerChangedStaysAndItsNewPhotosAreAnotherOne() async throws {
    try await link()
    _ = try await sync()
    let walk = try #require(try entries().first)
    _ = try test.archive.updateActivity(walk.id) { $0.text = "A walk at the harbour" }
    immich.change { [later] photos in
      photos.append(.init(5, "2026-03-10T14:50:00Z", updated: later))
      photos[1].description = "Boats"
      photos[1].updated = photos[1].updated.adding(seconds: 86_400)
    }
    #expect(try await sync().pulled == ["new": 1])
    #expect(try texts() == ["A walk at the harbour", "A photo", "A photo"])
    #expect(try entries().first?.attachments.map(\.caption) == ["The old harbour", nil, nil])
  }

  @Test func anUndoneImportComesBackOnlyIfAsked() async throws {
    try await link()
    _ = try await sync()
    let run = try #require(try test.archive.importRuns().first)
    let change = try test.archive.importRun(matching: run.id.uuidString).changeID
    _ = try test.archive.undo(change)
    #expect(try texts().isEmpty)
    #expect(try await sync().isQuiet)
    #expect(try await sync(readsAll: true).pulled == ["new": 2])
  }

  // MARK: What happens there

  @Test func photosThatAreGoneThereStayHere() async throws {
    try await link()
    _ = try await sync()
    let before = try entries()
    immich.change { $0 = [] }
    #expect(try await sync().isQuiet)
    #expect(try await sync(readsAll: true).isQuiet)
    #expect(try entries() == before)
  }

  @Test func descriptionsAreBroughtLater() async throws {
    try await link()
    _ = try await sync()
    immich.change { photos in
      photos[1].description = "Boats"
      photos[1].updated = photos[3].updated.adding(seconds: 60)
      photos[0].description = ""
      photos[0].updated = photos[1].updated
    }
    #expect(try await sync().pulled == ["changed": 1])
    // One that was removed there is kept.
    #expect(
      try entries().first?.attachments.map(\.caption) == ["The old harbour", "Boats", nil])
    #expect(try await sync().isQuiet)
    #expect(try await sync(readsAll: true).isQuiet)
    // New photos can still be added to the entry.
    immich.change { [later] in $0.append(.init(5, "2026-03-10T14:50:00Z", updated: later)) }
    _ = try await sync(readsAll: true)
    #expect(try entries().first?.attachments.count == 4)
  }

  @Test func aPhotoWithoutAPreviewWaitsForIt() async throws {
    immich.change { $0[0].preview = nil }
    try await link()
    let first = try await sync()
    #expect(first.pulled == ["new": 2] && first.warnings.count == 1)
    #expect(try texts() == ["A photo and a video", "A photo"])
    // The server need not say that it has changed.
    immich.change { $0[0].preview = TestPicture.png(width: 8, height: 8, seed: 1) }
    #expect(try await sync().pulled == ["changed": 1])
    #expect(try texts() == ["2 photos and a video", "A photo"])
    #expect(try await sync().isQuiet)
  }

  @Test func aServerThatGoesAwayInTheMiddleLeavesNothingHalf() async throws {
    try await link()
    let immich = immich
    immich.server.reply { request in
      request.path.contains("000000000003")
        ? .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhalf".utf8))
        : immich.reply(request)
    }
    let error = await #expect(throws: LinkedServiceFailure.self) { try await sync() }
    #expect(error?.description.hasPrefix(immich.address) == true)
    #expect(try entries().isEmpty && test.archive.importRuns().isEmpty)
    let outcome = try test.archive.syncLinks().first?.outcome
    #expect(outcome?["error"]?.string == error?.description)
    let rest = test.archive.scratchHome.flatMap {
      try? FileManager.default.contentsOfDirectory(atPath: $0.path)
    }
    #expect((rest ?? []).isEmpty)
    immich.answerAll()
    #expect(try await sync().pulled == ["new": 2])
    #expect(try test.archive.syncLinks().first?.outcome?["error"] == nil)
  }

  @Test func aPictureThatIsTooLargeKeepsNoOtherFromComing() async throws {
    immich.change { $0[0].preview = Data(repeating: 1, count: 3 << 20) }
    try await link()
    let server = try await ImmichServer(
      immich.address, key: ImmichScript.key, previewLimit: 2 << 20)
    let report = try await ImmichSync(
      archive: test.archive, homeZone: test.zone,
      link: try #require(try test.archive.syncLinks().first), server: server
    ).run()
    #expect(report.pulled == ["new": 2] && report.warnings.map(\.place) == ["IMG_1.png"])
    #expect(try texts() == ["A photo and a video", "A photo"])
  }

  @Test func aPictureThatTheServerCanNotSendIsAskedForAgain() async throws {
    try await link()
    let immich = immich
    immich.server.reply { request in
      request.path.contains("000000000001") ? .answer(500) : immich.reply(request)
    }
    let first = try await sync()
    #expect(first.pulled == ["new": 2] && first.warnings.count == 1)
    #expect(try texts() == ["A photo and a video", "A photo"])
    immich.answerAll()
    #expect(try await sync().pulled == ["changed": 1])
    #expect(try texts() == ["2 photos and a video", "A photo"])
  }

  @Test func aServerThatSendsNoPictureAtAllIsTriedAgainAsAWhole() async throws {
    immich.change { photos in
      photos = (1...12).map { ImmichScript.Photo($0, "2026-03-10T14:05:00Z") }
    }
    try await link()
    let immich = immich
    immich.server.reply { request in
      request.path.contains("/assets/") ? .answer(500) : immich.reply(request)
    }
    await #expect(throws: LinkedServiceFailure.self) { try await sync() }
    #expect(try entries().isEmpty)
  }

  // MARK: Originals

  @Test func originalsThatAFolderHadAreNotDoubled() async throws {
    let camera = TestPicture.Camera(taken: "2026:03:10 15:05:00")
    let content = TestPicture.png(width: 8, height: 8, seed: 9, camera: camera)
    let file = try test.folder.file("pictures/IMG_20260310_150500.png", content)
    _ = try ImportJob(archive: test.archive, homeZone: test.zone)
      .run(file.deletingLastPathComponent())
    immich.change { photos in
      photos = [
        .init(1, "2026-03-10T14:05:00Z"), .init(2, "2026-03-10T18:00:00Z", name: "clip.mp4"),
      ]
      photos[0].original = content
      photos[1].isVideo = true
      photos[1].original =
        Data([0, 0, 0, 24]) + Data("ftypmp42".utf8) + Data(repeating: 0, count: 12)
    }
    try await link { $0.takesOriginals = true }
    #expect(try await sync().pulled == ["new": 1])
    #expect(try texts() == ["A photo", "A video"])
    let video = try #require(try entries().last?.attachments.first)
    #expect(video.mediaType == "video/mp4" && video.originalName == "clip.mp4")
    #expect(try await sync().isQuiet)
  }

  @Test func aPictureThatIsNoneIsSkipped() async throws {
    immich.change { $0[3].preview = Data("<html>".utf8) }
    try await link()
    let report = try await sync()
    #expect(report.pulled == ["new": 1] && report.warnings.map(\.place) == ["IMG_4.png"])
  }

  // MARK: Linking

  @Test func aLinkNeedsAnAnswerAndAKey() async throws {
    var order = LinkedServiceOrder(.immich, address: immich.address + "/api/", key: "wrong-key")
    let error = await #expect(throws: LinkedServiceFailure.self) {
      try await job.linkService(order)
    }
    #expect(error == .wrongKey(place: immich.address + "/", service: .immich))
    #expect(error?.description.contains("wrong-key") == false)
    #expect(try test.archive.syncLinks().isEmpty)
    order.key = ImmichScript.key
    let link = try await job.linkService(order)
    #expect(link.kind == .immich && link.address == immich.address)
    #expect(!link.json.text().contains(ImmichScript.key))
    await #expect(throws: ArchiveError.self) { try await job.linkService(order) }
    let file = try #require(test.archive.databaseFile).deletingLastPathComponent()
      .appendingPathComponent(CalendarSecrets.fileName)
    #expect(try String(contentsOf: file, encoding: .utf8).contains(ImmichScript.key))
    try job.unlink(link)
    #expect(try !String(contentsOf: file, encoding: .utf8).contains(ImmichScript.key))
    #expect(try test.archive.syncLinks().isEmpty)
  }
}
