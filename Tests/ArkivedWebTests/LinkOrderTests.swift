import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Linking several places, and the days of a sync")
struct LinkOrderTests {
  @Test func whatIsAlreadyLinkedDoesNotHideWhatIsNew() async throws {
    let test = try TestArchive()
    let job = SyncJob(archive: test.archive, homeZone: test.zone)
    let (one, two) = ("https://dav.example.org/one/", "https://dav.example.org/two/")
    let nobody = LinkOrder.credentials(user: nil, passwordOrToken: nil)
    func link(_ addresses: [String]) async throws -> Int {
      try await LinkOrder.link(addresses, of: FormFields([]), .calDAV, nobody, job)
    }
    #expect(try await link([one]) == 1)
    #expect(try await link([two, one]) == 1)
    #expect(try test.archive.syncLinks().map(\.address) == [one, two])
    await #expect(throws: WebFailure.self) { try await link([one, two]) }
  }

  @Test func daysAreOnlyAskedOfCalendars() async throws {
    let web = try WebTest()
    let link = SyncLink(
      id: web.test.archive.identities.next(), kind: .immich, address: "https://photos.example.org",
      createdAt: web.test.clock.now)
    try web.test.archive.add(link)
    try await web.run { client in
      let path = "/api/v1/links/\(link.id.uuidString)/sync"
      for field in ["from", "day"] {
        let answer = try await client.ask(.post, path, [field: "2026-03-10"])
        #expect(answer.status == 422, "\(answer.text)")
        #expect(answer.text.contains("can only be given for a calendar"), "\(answer.text)")
      }
    }
  }
}
