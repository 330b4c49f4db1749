import ArkivedCore
import Foundation
import Testing

@testable import ArkivedCommands

@Suite("Changing who takes part in a meeting")
struct MeetingEditTests {
  private func names(_ attendees: [Attendance]) -> [String] { attendees.map(\.name) }

  @Test func onlyTheNamedOnesAreRemovedFromTheListAtHand() throws {
    let priya = UUID()
    let known = [
      Attendance(name: "Priya", address: "priya@example.org", personID: priya),
      Attendance(name: "Mei Ito"), Attendance(name: "Jonas"),
    ]
    let added = [Attendance(name: "Sam")]
    let changed = try MeetingEdit.attendees(
      known, without: [.init(name: "P. Nair", person: priya), .init(name: "mei ito", person: nil)],
      with: added)
    #expect(names(changed) == ["Jonas", "Sam"])
    #expect(throws: CommandFailure.self) {
      try MeetingEdit.attendees(known, without: [.init(name: "Bo", person: nil)], with: [])
    }
    #expect(names(try MeetingEdit.attendees([], without: [], with: added)) == ["Sam"])
    // Nor does an empty name mean everybody without an address.
    #expect(throws: FieldError.self) {
      try MeetingEdit.attendees(known, without: [.init(name: "", person: nil)], with: [])
    }
  }
}
