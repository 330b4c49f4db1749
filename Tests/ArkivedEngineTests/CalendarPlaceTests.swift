import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("The place of a meeting from a calendar")
struct CalendarPlaceTests {
  private let event = """
    UID:e
    DTSTART:20260316T090000Z
    SUMMARY:Talk
    LOCATION:Old Hall
    GEO:52.5;13.4
    """

  private func activity(_ linked: CalendarSyncTests.Linked) throws -> Activity {
    try #require(try linked.meetings().first).activity
  }

  @Test func coordinatesFollowThePlaceTheyBelongTo() async throws {
    let linked = try CalendarSyncTests.Linked(event)
    _ = try await linked.sync()
    #expect(try activity(linked).lat == 52.5 && activity(linked).lon == 13.4)
    try linked.write(
      event.replacing("Old Hall", with: "New Hall").replacing("52.5;13.4", with: "48.1;11.6"))
    #expect(try await linked.sync().pulled == ["changed": 1])
    let moved = try activity(linked)
    #expect(moved.locationLabel == "New Hall" && moved.lat == 48.1 && moved.lon == 11.6)
    try linked.write(
      event.replacing("Old Hall", with: "Library").replacing("\nGEO:52.5;13.4", with: ""))
    #expect(try await linked.sync().pulled == ["changed": 1])
    let unknown = try activity(linked)
    #expect(unknown.locationLabel == "Library" && unknown.lat == nil && unknown.lon == nil)
  }

  @Test func theOwnersPlaceKeepsItsCoordinates() async throws {
    let linked = try CalendarSyncTests.Linked(event)
    _ = try await linked.sync()
    let id = try #require(try linked.meetings().first).id
    _ = try linked.test.archive.updateMeeting(id) { entry in
      entry.activity.locationLabel = "Home"
      (entry.activity.lat, entry.activity.lon) = (50, 8)
    }
    try linked.write(event.replacing("Old Hall", with: "New Hall"))
    _ = try await linked.sync()
    let kept = try activity(linked)
    #expect(kept.locationLabel == "Home" && kept.lat == 50 && kept.lon == 8)
  }
}
