import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

/// The program itself beside a CalDAV server that people run: Radicale, filled by another client.
@Suite(
  .serialized,
  .enabled(if: RadicaleServer.isInstalled, "Radicale or its client is missing; run ./setup --test"))
struct CalDAVCommandTests {
  private let arkived: Program

  init() throws { arkived = try Program() }

  /// A weekly meeting, one of which is left out and one moved, and a single one with a guest.
  private func filledServer() async throws -> RadicaleServer {
    let server = try await RadicaleServer()
    try server.client(
      """
      work = home.make_calendar(name="Work", cal_id="office")
      def calendar(*events):
        return ("BEGIN:VCALENDAR\\r\\nVERSION:2.0\\r\\nPRODID:-//Test//EN\\r\\n" + "".join(
          f"BEGIN:VEVENT\\r\\nDTSTAMP:20260101T000000Z\\r\\n{one}\\r\\nEND:VEVENT\\r\\n"
          for one in events) + "END:VCALENDAR\\r\\n")
      zone = ";TZID=Europe/Berlin:"
      client.put(str(work.url) + "weekly.ics", calendar(
        f"UID:weekly\\r\\nDTSTART{zone}20260316T100000\\r\\nDTEND{zone}20260316T103000\\r\\n"
        f"RRULE:FREQ=WEEKLY;COUNT=4\\r\\nEXDATE{zone}20260330T100000\\r\\nSUMMARY:Weekly",
        f"UID:weekly\\r\\nRECURRENCE-ID{zone}20260323T100000\\r\\nSUMMARY:Weekly later\\r\\n"
        f"DTSTART{zone}20260323T140000\\r\\nDTEND{zone}20260323T150000").encode(),
        {"Content-Type": "text/calendar; charset=utf-8"})
      client.put(str(work.url) + "single.ics", calendar(
        "UID:single\\r\\nDTSTART:20260317T090000Z\\r\\nDTEND:20260317T100000Z\\r\\n"
        "SUMMARY:Prices\\r\\nATTENDEE;CN=Priya:mailto:priya@example.org").encode(),
        {"Content-Type": "text/calendar; charset=utf-8"})
      """)
    return server
  }

  private func link(_ server: RadicaleServer, password: String) throws {
    let file = try arkived.folder.file("password", password + "\n")
    let linked = try arkived(
      "sync", "link", "\(server.origin)/me/office/", "--caldav", "--user", "me",
      "--password-file", file.path, "--ahead", "60")
    #expect(linked.status == 0, "\(linked.talk)")
  }

  /// Brings the calendar in line and returns what came in.
  private func pull(sourceLocation: SourceLocation = #_sourceLocation) throws -> JSON? {
    let synced = try arkived("sync", "--json")
    #expect(synced.status == 0, "\(synced.talk)", sourceLocation: sourceLocation)
    let report = synced.json["syncs"]?.array?.first
    #expect(report?["warnings"] == [], sourceLocation: sourceLocation)
    return report?["pulled"]
  }

  /// The meetings that the calendar still has, as "title start", in the order of their time.
  private func meetings() throws -> [String] {
    let listed = try arkived("meeting", "list", "--json").json["meetings"]?.array ?? []
    return listed.filter { $0["isEventDeleted"] == false }.map {
      "\($0["title"]?.string ?? "") \($0["startDate"]?.string ?? "")"
    }
  }

  private let filled = [
    "Weekly 2026-03-16T09:00:00Z", "Prices 2026-03-17T09:00:00Z",
    "Weekly later 2026-03-23T13:00:00Z", "Weekly 2026-04-06T08:00:00Z",
  ]

  @Test func meetingsComeChangeAndGoWithTheServer() async throws {
    let server = try await filledServer()
    let found = try arkived(
      "sync", "discover", server.origin, "--user", "me", "--password-file",
      try arkived.folder.file("password", server.password).path, "--json")
    #expect(
      found.json["calendars"]?.array?.compactMap { $0["address"]?.string }
        == ["\(server.origin)/me/office/"], "\(found.talk)")
    try link(server, password: server.password)
    #expect(try pull() == ["new": 4])
    #expect(try meetings() == filled)
    let guests = try arkived("meeting", "show", "Prices", "--json").json["meeting"]?["attendees"]
    #expect(guests?.array?.compactMap { $0["address"]?.string } == ["priya@example.org"])
    #expect(try pull() == [:])

    // What the owner wrote stays with the meeting that the server renames.
    #expect(try arkived("meeting", "edit", "Prices", "--outcomes", "A flat price.").status == 0)
    try server.client(
      """
      work = home.calendar(cal_id="office")
      single = work.event_by_url(str(work.url) + "single.ics")
      single.data = single.data.replace("SUMMARY:Prices", "SUMMARY:Prices for all")
      single.save()
      client.delete(str(work.url) + "weekly.ics")
      """)
    #expect(try pull() == ["changed": 1, "deleted": 3])
    #expect(try meetings() == ["Prices for all 2026-03-17T09:00:00Z"])
    let kept = try arkived("meeting", "show", "Prices for all", "--json").json["meeting"]
    #expect(kept?["outcomes"] == "A flat price.")

    // Without what the server remembers of earlier states, all is compared.
    server.stop()
    try server.forgetHistory()
    try await server.start()
    #expect(try pull() == [:])
    #expect(try meetings() == ["Prices for all 2026-03-17T09:00:00Z"])
  }

  @Test func aWrongPasswordOrNoServerIsToldAndRemovesNothing() async throws {
    let server = try await filledServer()
    try link(server, password: "wrong")
    let refused = try arkived("sync")
    #expect(refused.status == 77 && refused.talk.contains("(401)"), "\(refused.talk)")
    #expect(!refused.talk.contains("wrong") && !refused.output.contains("wrong"))
    #expect(try arkived("sync", "unlink").status == 0)
    try link(server, password: server.password)
    #expect(try pull() == ["new": 4])

    server.stop()
    let away = try arkived("sync")
    #expect(away.status == 69 && away.talk.contains("no server is running there"), "\(away.talk)")
    let status = try arkived("sync", "status").output
    #expect(status.contains("no server is running there"), "\(status)")
    #expect(try meetings() == filled)

    try await server.start()
    #expect(try pull() == [:])
    try server.client("home.calendar(cal_id=\"office\").delete()")
    let gone = try arkived("sync")
    #expect(gone.status != 0 && gone.talk.contains("/me/office/"), "\(gone.talk)")
    #expect(try meetings() == filled)
    #expect(try arkived("doctor").status == 0)
  }
}
