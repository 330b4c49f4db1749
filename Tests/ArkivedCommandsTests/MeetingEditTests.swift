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

  @Test func ofTwoWithOneNameNeitherIsRemovedUntilItIsClearWho() throws {
    let (first, second) = (UUID(), UUID())
    let known = [
      Attendance(name: "Sam Roe", personID: first), Attendance(name: "Sam Roe", personID: second),
      Attendance(name: "Sam Roe", address: "sam@example.org"),
    ]
    let error = #expect(throws: CommandFailure.self) {
      try MeetingEdit.attendees(known, without: [.init(name: "sam roe", person: nil)], with: [])
    }
    let told = error?.message ?? ""
    #expect(told.contains("sam@example.org") && told.contains("\(first.uuidString.prefix(8))"))
    let byID = try MeetingEdit.attendees(
      known, without: [.init(name: second.uuidString, person: second)], with: [])
    #expect(byID == [known[0], known[2]])
    let byAddress = try MeetingEdit.attendees(
      known, without: [.init(name: "Sam@Example.org", person: nil)], with: [])
    #expect(byAddress == [known[0], known[1]])
    // Somebody who is listed twice after a merge is still one person.
    let twice = [Attendance(name: "Ann", personID: first), Attendance(name: "A.", personID: first)]
    let none = try MeetingEdit.attendees(
      twice, without: [.init(name: "Ann", person: first)], with: [])
    #expect(none.isEmpty)
  }

  @Test func whoeverIsListedUnderTheNameIsRemovedAndNobodyElse() throws {
    let person = UUID()
    let known = [
      Attendance(name: "Jonathan Reed", personID: person), Attendance(name: "Jon"),
    ]
    // The only person whose name contains it.
    let left = try MeetingEdit.attendees(
      known, without: [.init(name: "jon", person: person)], with: [])
    #expect(left == [known[0]])
  }
}
