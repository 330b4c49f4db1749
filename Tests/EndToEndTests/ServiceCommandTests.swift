import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

/// The program beside a systemctl of our own, which starts what the unit says and writes down what it
/// was asked.
private final class Session: Sendable {
  let program: Program

  init(systemctl: String = Session.working) throws {
    program = try Program()
    for (name, script) in [("systemctl", systemctl), ("browser", Session.browser)] {
      _ = try program.folder.script("bin/\(name)", script)
    }
    try FileManager.default.createDirectory(
      at: program.folder.url.appendingPathComponent("run"), withIntermediateDirectories: true)
  }

  deinit { end() }

  static let working = """
    echo "$*" >>"$HOME/calls"
    unit="$HOME/.config/systemd/user/arkived.service"
    case "$2" in
      is-active) if [ -e "$HOME/pid" ]; then echo active; else echo inactive; exit 3; fi ;;
      start|restart)
        words=$(sed -n 's/^ExecStart=//p' "$unit")
        eval "exec $words" >"$HOME/journal" 2>&1 </dev/null &
        echo $! >"$HOME/pid" ;;
      disable) kill -9 "$(cat "$HOME/pid")"; rm "$HOME/pid" ;;
    esac
    exit 0
    """

  static let silent = """
    echo "Failed to connect to bus: No medium found" >&2
    exit 1
    """

  /// Keeps what it was given and the page behind it.
  static let browser = """
    echo "$*" >"$HOME/browsed"
    cp -p "$1" "$HOME/page"
    """

  /// What systemd was asked.
  var calls: String { text("calls") }
  var unit: URL {
    program.folder.url.appendingPathComponent(".config/systemd/user/arkived.service")
  }

  func text(_ name: String) -> String {
    (try? String(
      contentsOf: program.folder.url.appendingPathComponent(name), encoding: .utf8)) ?? ""
  }

  func callAsFunction(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> Program.Result {
    let home = program.folder.url.path
    let own = ["PATH": "\(home)/bin:/usr/bin:/bin", "XDG_RUNTIME_DIR": "\(home)/run"]
    return try program.run(arguments, environment: own.merging(environment) { $1 })
  }

  /// Kills the service's process and waits until it's gone; a process that is dying still accepts connections.
  func end() {
    guard let pid = pid_t(text("pid").trimmingCharacters(in: .whitespacesAndNewlines)) else {
      return
    }
    kill(pid, SIGKILL)
    while isAlive(pid) { usleep(10_000) }
    try? FileManager.default.removeItem(at: program.folder.url.appendingPathComponent("pid"))
  }
}

/// Whether a process or one of its threads runs.
///
/// One that has ended but that nobody has waited for doesn't, once the last of its threads is gone:
/// until then its files are open, and their locks held.
private func isAlive(_ pid: pid_t) -> Bool {
  guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
    let state = stat.split(separator: ")").last?.split(separator: " ").first
  else { return false }
  let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").count
  return state != "Z" && state != "X" || (threads ?? 0) > 1
}

/// Asks a link as a browser does that another place led here.
private func visited(_ link: String, from site: String) throws -> PlainAnswer {
  let url = try #require(URL(string: link))
  return try PlainAnswer.ask(
    port: url.port ?? 0, "GET", url.path, headers: ["Sec-Fetch-Site": site])
}

@Suite("The service of the owner's session", .timeLimit(.minutes(30)))
struct ServiceCommandTests {
  @Test func itIsInstalledServesTellsItsStateAndIsRemovedWithoutTheArchive() throws {
    let session = try Session()
    let installed = try session("service", "install", "--port", "0")
    #expect(installed.status == 0, "\(installed.talk) \(session.text("journal"))")
    let url = try #require(installed.output.firstMatch(of: #/http://127\.0\.0\.1:\d+//#)).output
    for call in ["--user daemon-reload", "--user restart arkived.service"] {
      #expect(session.calls.contains(call))
    }
    let unit = try String(contentsOf: session.unit, encoding: .utf8)
    #expect(unit.contains("--archive\" \"\(session.program.archive)\""), "\(unit)")
    #expect(unit.contains("Environment=\"ARKIVED_TIME_ZONE=Europe/Berlin\""))
    #expect(!unit.contains("ARKIVED_NOW"))

    let status = try session("service", "--json").json["service"]
    #expect(status?["enabled"] == true && status?["url"]?.string == String(url))
    let link = try session("open", "--print").output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try visited(link, from: "none").status == 303)
    #expect(try visited(link, from: "none").status == 403)
    // What it says stands in the system's log, where a link would let others in.
    #expect(session.text("journal").contains(url) && !session.text("journal").contains("login"))

    // The system ends the one that runs.
    session.end()
    let anew = try session("service", "restart", "--json")
    #expect(anew.status == 0 && anew.json["service"]?["url"]?.string != nil, "\(anew.talk)")
    #expect(session.calls.split(separator: "--user restart arkived.service").count == 3)

    let removed = try session("service", "remove")
    #expect(
      removed.status == 0 && removed.output.contains("archive is still in"), "\(removed.talk)")
    #expect(!FileManager.default.fileExists(atPath: session.unit.path))
    #expect(FileManager.default.fileExists(atPath: session.program.archive + "/archive.sqlite"))
    let absent = try session("service", "status")
    #expect(absent.status == 69 && absent.talk.contains("arkived service install"))
    #expect(try session("service", "restart").status == 69)
    #expect(try session("service", "remove").status == 0)
  }

  @Test func openStartsTheServiceThatIsInstalled() throws {
    let session = try Session()
    #expect(try session("service", "install", "--port", "0").status == 0)
    session.end()
    let stopped = try session("service", "status")
    #expect(stopped.status == 69 && stopped.talk.contains("inactive"), "\(stopped.talk)")
    let opened = try session("open", "--print")
    #expect(opened.status == 0 && opened.output.contains("/login/"), "\(opened.talk)")
    #expect(session.calls.contains("--user start arkived.service"))
  }

  @Test func withoutSystemdItIsRefusedAndNothingIsWritten() throws {
    let session = try Session()
    let none = session.program.folder.url.appendingPathComponent("run").path
    let refused = try session("service", "install", environment: ["PATH": none])
    #expect(refused.status == 69 && refused.talk.contains("systemctl"), "\(refused.talk)")
    #expect(!FileManager.default.fileExists(atPath: session.unit.path))
    #expect(!FileManager.default.fileExists(atPath: session.program.archive))
  }

  @Test func whereSystemdIsSilentItStartsAtTheNextSignIn() throws {
    let session = try Session(systemctl: Session.silent)
    let result = try session("service", "install")
    #expect(result.status == 69 && result.talk.contains("No medium found"), "\(result.talk)")
    #expect(result.talk.contains(session.unit.path))
    let wanted = session.unit.deletingLastPathComponent()
      .appendingPathComponent("default.target.wants/arkived.service")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: wanted.path) == session.unit.path)
    #expect(try session("service", "remove").status == 0)
    #expect(!FileManager.default.fileExists(atPath: session.unit.path))
  }

  @Test func wrongPortsAndPassingArchivesAreRefused() throws {
    let session = try Session()
    #expect(try session("service", "install", "--port", "70000").status == 64)
    #expect(try session("service", "install", "--archive", ":memory:").status == 64)
    #expect(try session("service", "party").status == 64)
    #expect(session.calls.isEmpty)
  }
}

@Suite("Opening the page, and the one server of an archive", .timeLimit(.minutes(30)))
struct OpenCommandTests {
  @Test func withoutAServerItSaysWhatToType() throws {
    let session = try Session()
    let result = try session("open")
    #expect(result.status == 69 && result.talk.contains("arkived serve"), "\(result.talk)")
    #expect(!FileManager.default.fileExists(atPath: session.program.archive))
    #expect(try session("open", "--archive", ":memory:").status == 64)
    let words = try session("open", "the", "window")
    #expect(words.status == 64 && words.talk.contains("arkived add open"), "\(words.talk)")
  }

  @Test func theBrowserGetsAPrivateFileAndNoLink() throws {
    let session = try Session()
    let server = try RunningServer(session.program)
    let opened = try session("open", environment: ["BROWSER": "browser"])
    #expect(opened.status == 0 && !opened.output.contains("/login/"), "\(opened.talk)")
    // Every account may read the arguments of a process.
    let arguments = session.text("browsed").trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(arguments.hasSuffix("/run/arkived-open.html") && !arguments.contains("login"))
    let attributes = try FileManager.default.attributesOfItem(atPath: arguments)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let page = session.text("page")
    let link = try #require(page.firstMatch(of: #/http://127\.0\.0\.1:\d+/login/[\w-]+/#)).output
    // Led there by a file, a strict cookie would not go along: the page goes on by itself.
    let answer = try visited(String(link), from: "cross-site")
    #expect(answer.status == 200 && answer.body.contains("url=/"), "\(answer.body)")
    let cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first)
    let today = try PlainAnswer.ask(
      port: server.port, "GET", "/", headers: ["Cookie": String(cookie)])
    #expect(today.status == 200)
  }

  @Test func aBrowserThatFailsLeavesTheLinkToItsOwner() throws {
    let session = try Session()
    let server = try RunningServer(session.program)
    let result = try session("open", environment: ["BROWSER": "false"])
    #expect(result.status == 0 && result.output.contains(":\(server.port)/login/"))
    #expect(result.talk.contains("didn’t open"), "\(result.talk)")
  }

  @Test func aSecondServerFindsTheFirstAndOneAfterItsEndServes() throws {
    let arkived = try Program()
    do {
      let server = try RunningServer(arkived)
      let second = try arkived("serve", "--port", "0")
      #expect(second.status == 75 && second.output.isEmpty)
      #expect(second.talk.contains("http://127.0.0.1:\(server.port)/"), "\(second.talk)")
      let document = try arkived("serve", "--json").json
      #expect(document["error"]?["code"] == 75)
      #expect(try server.ask("GET", "/api/v1/tags").status == 200)
    }
    // It was killed, and what it left stands in nobody's way.
    #expect(try arkived("open", "--print").status == 69)
    let next = try RunningServer(arkived)
    let link = try arkived("open", "--print").output
    #expect(link.contains(":\(next.port)/login/"))
  }

  @Test func whatIsFetchedIsFetchedByItsScriptAndOnlyWhenAsked() throws {
    let session = try Session()
    _ = try session.program.folder.script(
      "bin/python3", "echo \"$*\" >\"$HOME/fetched\"\nexit $STATUS")
    #expect(try session("index", environment: ["STATUS": "0"]).status == 0)
    #expect(session.text("fetched").isEmpty)
    let refused = try session("index", "--fetch", environment: ["STATUS": "69"])
    #expect(refused.status == 69 && session.text("fetched").contains("Scripts/fetch_model.py"))
    #expect(
      try session("assistant", "voice", "fetch", "--json", environment: ["STATUS": "0"]).status == 0
    )
    #expect(session.text("fetched").contains("Scripts/fetch_voice.py"))
  }

  /// `python3 -m pip` looks for `pip` in the current folder first.
  @Test func nothingInTheCurrentFolderRunsWhenAPartIsFetched() throws {
    let arkived = try Program()
    let mark = arkived.folder.url.appendingPathComponent("ran")
    _ = try arkived.folder.file("pip.py", "open('\(mark.path)', 'w').close()\n")
    let voice = arkived.folder.url.appendingPathComponent("voice")
    let fetched = try arkived(
      "assistant", "voice", "fetch",
      environment: ["ARKIVED_VOICE": voice.path, "PIP_NO_INDEX": "1"])
    #expect(fetched.status == 69)
    #expect(!FileManager.default.fileExists(atPath: mark.path))
  }
}
