import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Capture from anywhere")
struct CaptureCommandTests {
  private let arkived: Program

  init() throws { arkived = try Program() }

  private var today: [JSON] {
    get throws { try arkived("today", "--json").json["activities"]?.array ?? [] }
  }

  /// A program of a name on the path that answers as a small window does; it keeps what it was asked.
  private func window(_ name: String, _ script: String) throws -> [String: String] {
    _ = try arkived.folder.script(
      "bin/\(name)", "printf '%s\\n' \"$@\" >> \"$0.asked\"\n\(script)")
    return [
      "PATH": arkived.folder.url.appendingPathComponent("bin").path + ":/usr/bin:/bin",
      "DISPLAY": ":99", "WAYLAND_DISPLAY": "", "XDG_CURRENT_DESKTOP": "GNOME",
    ]
  }

  private func asked(_ name: String) throws -> String {
    try String(
      contentsOf: arkived.folder.url.appendingPathComponent("bin/\(name).asked"), encoding: .utf8)
  }

  @Test func whatIsPipedInIsAnEntry() throws {
    let saved = try arkived(
      "capture", "--json", input: Data("lunch 12:30-13:15 #food\nIt was good.\n".utf8))
    let entry = saved.json["created"]
    #expect(saved.status == 0 && entry?["source"] == "shortcut" && entry?["text"] == "lunch")
    #expect(entry?["notes"] == "It was good." && entry?["startAt"] == "2026-03-14T11:30:00Z")
    let list = try arkived("capture", "--json", input: Data("- tea\n- cake\n".utf8))
    #expect(list.json["created"]?.array?.count == 2)
    let empty = try arkived("capture", input: Data(" \n".utf8))
    #expect(empty.status == 0 && empty.talk.contains("Nothing was saved"))
    #expect(try today.count == 3)
    #expect(try arkived("capture", input: Data([0xFF, 0xFE])).status == 65)
  }

  @Test func aPipeWithoutWordsWrites() throws {
    let saved = try arkived("--json", input: Data("tea with Ann at 15:00\n".utf8))
    #expect(saved.status == 0 && saved.json["created"]?["text"] == "tea with Ann", "\(saved.talk)")
    #expect(try arkived.run([], input: Data("cake\n".utf8)).status == 0)
    #expect(try today.count == 2)
    let empty = try arkived.run([])
    #expect(empty.status == 0 && empty.output.contains("SUBCOMMANDS"))
    #expect(try today.count == 2)
  }

  @Test func aWindowIsAskedAndSaysHowItWasUnderstood() throws {
    let path = try window("zenity", "echo 'tea with @Sam at 15:00'")
    _ = try window("notify-send", "exit 0")
    let saved = try arkived("capture", "--window", environment: path)
    #expect(saved.status == 0, "\(saved.talk)")
    #expect(try today.first?["source"] == "shortcut")
    #expect(try asked("zenity").contains("--entry"))
    let told = try asked("notify-send")
    #expect(told.contains("Saved: 15:00") && !told.contains("tea"))
  }

  @Test func kdialogComesFirstUnderKDE() throws {
    var path = try window("zenity", "echo one")
    _ = try window("kdialog", "echo two")
    path["XDG_CURRENT_DESKTOP"] = "KDE"
    #expect(try arkived("capture", "--window", environment: path).status == 0)
    #expect(try today.compactMap { $0["text"]?.string } == ["two"])
    #expect(try arkived("capture", "--with", "zenity", environment: path).status == 0)
    #expect(try today.count == 2)
  }

  @Test func escapeSavesNothing() throws {
    let path = try window("zenity", "exit 1")
    let left = try arkived("capture", "--window", environment: path)
    #expect(left.status == 0 && left.talk.contains("Nothing was saved"))
    #expect(try today.isEmpty && arkived.drafts.isEmpty)
  }

  @Test func aLineThatCannotBeReadIsAskedForAgainWithItsText() throws {
    let path = try window(
      "zenity",
      """
      if [ -e "$0.second" ]; then cat > "$0.second"; echo 'skiing'; else
      touch "$0.second"; echo '31 february: skiing'; fi
      """)
    #expect(try arkived("capture", "--window", environment: path).status == 0)
    let asked = try self.asked("zenity")
    #expect(asked.contains("This date doesn’t exist") && asked.contains("--editable"))
    // Whoever lists the processes reads none of it.
    #expect(!asked.contains("skiing") && !asked.contains("february"))
    let given = try String(
      contentsOf: arkived.folder.url.appendingPathComponent("bin/zenity.second"), encoding: .utf8)
    #expect(given == "31 february: skiing")
    #expect(try today.compactMap { $0["text"]?.string } == ["skiing"])
  }

  @Test func whereATextCannotBeGivenInSecretItIsADraft() throws {
    // Before the first entry there is no folder for drafts.
    #expect(try arkived("add", "on 1 march: one").status == 0)
    let path = try window("kdialog", "echo '31 february: skiing'")
    let left = try arkived("capture", "--with", "kdialog", environment: path)
    #expect(left.status == 65 && left.talk.contains("arkived drafts recover"))
    #expect(try !asked("kdialog").contains("skiing") && today.isEmpty)
  }

  @Test func withoutAScreenOrAProgramItSaysSo() throws {
    let blind = try arkived(
      "capture", "--window", environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
    #if os(Linux)
      #expect(blind.status == 69 && blind.talk.contains("echo … | arkived capture"))
    #endif
    let none = try arkived(
      "capture", "--window", environment: ["DISPLAY": ":99", "PATH": "/nonexistent"])
    #expect(none.status == 69 && none.talk.contains("zenity, kdialog, yad, rofi, wofi, dmenu"))
  }

  @Test func atATerminalALineIsTyped() throws {
    let (status, screen) = try arkived.atTerminal(["capture"], typing: "ran 5 km\n")
    #expect(status == 0 && screen.contains("ran 5 km"))
    #expect(try today.first?["source"] == "shortcut")
    let (left, words) = try arkived.atTerminal(["capture"], typing: "not this\u{1B}\n")
    #expect(left == 0 && words.contains("Nothing was saved"))
    #expect(try today.count == 1)
  }

  @Test func aTextThatCannotBeSavedIsADraft() throws {
    #expect(try arkived("add", "tea").status == 0)
    let wrong = try arkived("capture", input: Data("31 february: skiing".utf8))
    #expect(wrong.status == 65 && wrong.talk.contains("arkived drafts recover"))
    let name = try #require(
      try arkived("drafts", "--json").json["drafts"]?.array?.first?["name"]?.string)
    #expect(try arkived("drafts", "show", name).output.contains("31 february: skiing"))
    // A script's variable may be unset.
    #expect(try arkived("drafts", "discard", "", "--yes").status == 66)
    #expect(try arkived("drafts", "discard", name, "--yes").status == 0)
    // Where there is no archive to keep it in, the session has it.
    let session = arkived.folder.url.appendingPathComponent("session")
    try FileManager.default.createDirectory(at: session, withIntermediateDirectories: true)
    let lost = try arkived(
      "capture", input: Data("tea with Sam".utf8),
      environment: ["ARKIVED_HOME": "/dev/null/archive", "XDG_RUNTIME_DIR": session.path])
    #expect(lost.status != 0 && lost.talk.contains("The text is kept in \(session.path)"))
    let files = try FileManager.default.subpathsOfDirectory(atPath: session.path)
    let text = try #require(files.first { $0.hasSuffix(".md") })
    #expect(
      try String(contentsOf: session.appendingPathComponent(text), encoding: .utf8)
        == "tea with Sam")
  }
}
