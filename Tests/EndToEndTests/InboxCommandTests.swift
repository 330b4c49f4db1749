import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("The inbox folder with the real program", .timeLimit(.minutes(20)))
struct InboxCommandTests {
  private let arkived: Program
  private let box: URL

  init() throws {
    arkived = try Program()
    box = arkived.folder.url.appendingPathComponent("box")
    try FileManager.default.createDirectory(at: box, withIntermediateDirectories: true)
  }

  private func drop(_ name: String, _ content: Data) throws {
    _ = try arkived.folder.file("box/\(name)", content)
  }

  @Test func isChosenLookedIntoAndLeft() throws {
    #expect(try arkived("inbox", "--json").json["inbox"]?["folder"] == .null)
    #expect(try arkived("inbox", "run").status == 66)
    try drop("a.txt", Data("tea".utf8))
    // What lies there already is not taken without asking.
    #expect(try arkived("inbox", "set", box.path).status == 77)
    #expect(try arkived("inbox", "set", box.path, "--yes").status == 0)
    // Nobody is there to be asked; the owner's setting answers for the inbox.
    #expect(try arkived("settings", "recordsPlace", "on").status == 0)
    try drop(
      "a.png",
      TestPicture.png(
        width: 8, height: 8, seed: 1,
        camera: TestPicture.Camera(
          taken: "2026:03:05 18:22:11", offset: "+02:00", place: (50.0875, 14.4213))))
    try drop("broken.docx", Data("PK".utf8))
    let run = try arkived("inbox", "run", "--json").json
    #expect(Set(run["taken"]?.array?.compactMap(\.string) ?? []) == ["a.png", "a.txt"])
    #expect(run["failed"]?.array?.first?["name"] == "broken.docx")
    let photo = try arkived("day", "2026-03-05", "--json").json["activities"]?.array?.first
    #expect(photo?["startAt"] == "2026-03-05T16:22:11Z" && photo?["lat"]?.double != nil)
    let today = try arkived("today", "--json").json["activities"]?.array?.first
    #expect(today?["source"] == "inbox" && today?["startAt"] == "2026-03-14T20:00:00Z")
    #expect(try arkived("inbox").output.contains("Files imported: 2"))
    let runs = try arkived("import", "list", "--json").json["runs"]?.array
    #expect(runs?.first?["format"] == "inbox")
    // They may have come in by one look or by two.
    for run in runs ?? [] {
      let id = try #require(run["id"]?.string)
      #expect(try arkived("import", "undo", id).status == 0)
    }
    let left = try ["2026-03-05", "2026-03-14"].flatMap {
      try arkived("day", $0, "--json").json["activities"]?.array ?? []
    }
    #expect(left.isEmpty)
    #expect(try arkived("inbox", "off").status == 0)
    #expect(try arkived("inbox", "run").status == 66)
  }

  @Test func aWordThatIsNoVerbIsNotTakenForAFolder() throws {
    let wrong = try arkived("inbox", "zero", "reached")
    #expect(wrong.status == 64 && wrong.talk.contains("arkived add inbox"))
  }

  /// What is dropped while the server runs is told by the kernel, and comes in once it is whole.
  @Test func isWatchedWhileTheServerRuns() async throws {
    #expect(try arkived("inbox", "set", box.path).status == 0)
    let server = try RunningServer(arkived)
    try drop("half.txt", Data("ran 5".utf8))
    // No program that another test starts meanwhile may have it open as well.
    let half = box.appendingPathComponent("half.txt").path
    let descriptor = open(half, O_WRONLY | O_APPEND | O_CLOEXEC)
    let writer = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try drop("whole.txt", Data("tea".utf8))
    let whole = try await entries(of: server) { $0.contains("tea") }
    #expect(whole == ["tea"])
    try writer.write(contentsOf: Data(" km".utf8))
    try writer.close()
    let both = try await entries(of: server) { $0.count == 2 }
    #expect(Set(both) == ["tea", "ran 5 km"])
    let done = try FileManager.default.contentsOfDirectory(atPath: box.path + "/done")
    #expect(Set(done) == ["half.txt", "whole.txt"])
    let ended = try #require(try server.stop(within: 20))
    #expect(ended.status == 0)
  }

  /// The entries of today, once they are as expected.
  private func entries(
    of server: RunningServer, until isFine: ([String]) -> Bool
  ) async throws -> [String] {
    while true {
      let day = try server.ask("GET", "/api/v1/days/2026-03-14")
      let texts = (day.json["activities"]?.array ?? []).compactMap { $0["text"]?.string }
      if isFine(texts) { return texts }
      try await Task.sleep(for: .milliseconds(200))
    }
  }
}
