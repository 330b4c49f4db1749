import ArkivedCore
import Foundation

/// A small window with one field, shown by any known program for such windows.
///
/// The options are documented in the manuals: zenity(1), yad(1), kdialog(1), rofi(1), wofi(1),
/// dmenu(1). They never contain words of an entry, because every account on a computer can read the
/// arguments of its processes: text to be corrected is passed by standard input.
struct CaptureWindow: Equatable {
  /// The programs in order of preference; under KDE, KDE's own is first.
  enum Tool: String, CaseIterable {
    case zenity, kdialog, yad, rofi, wofi, dmenu

    /// True if a text can be passed by standard input for correction: zenity and yad show it in a
    /// multi-line field, rofi (Control and the space bar) and dmenu (Tab) as a line to accept.
    fileprivate var takesText: Bool { self != .kdialog && self != .wofi }
  }

  let tool: Tool
  let program: URL
  let environment: [String: String]

  /// The result of a window.
  enum Answer: Equatable {
    case text(String)
    /// The window was closed, or Escape was pressed.
    case cancelled
    /// The window couldn't be shown.
    case broken(String)
  }

  private static let title = "Arkived"
  private static var question: String { said("What did you do?") }

  /// Finds the first available program.
  ///
  /// - Parameters:
  ///   - wanted: the only program to use.
  ///   - environment: the environment variables.
  /// - Throws: `CommandFailure` if there is no display, or if none of the programs is installed.
  init(
    wanted: Tool? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    #if os(Linux)
      let screens = [environment["WAYLAND_DISPLAY"], environment["DISPLAY"]]
      guard screens.contains(where: { $0?.isEmpty == false }) else {
        throw CommandFailure(
          .unavailable,
          said(
            """
            There is no terminal or screen available. Pipe the line in instead: `echo … | arkived \
            capture`
            """))
      }
    #endif
    var order = wanted.map { [$0] } ?? Tool.allCases
    if wanted == nil, environment["XDG_CURRENT_DESKTOP"]?.uppercased().contains("KDE") == true {
      order = [.kdialog] + order.filter { $0 != .kdialog }
    }
    let found = order.lazy.compactMap { tool in
      Self.find(tool.rawValue, environment).map { (tool: tool, program: $0) }
    }.first
    guard let found else {
      throw CommandFailure(
        .unavailable,
        said(
          """
          Couldn’t find a program to open a small window. Install one \
          (\(order.map(\.rawValue).joined(separator: ", "))), or run `arkived capture` in a \
          terminal.
          """))
    }
    tool = found.tool
    program = found.program
    self.environment = environment
  }

  private static func find(_ name: String, _ environment: [String: String]) -> URL? {
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.filter { $0.hasPrefix("/") }
      .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  // MARK: Asking

  /// The number of bytes that every pipe accepts at once, so writing never blocks on a window that
  /// doesn't read.
  private static let mostBytes = 4_096

  /// Returns true if a text can be passed for correction.
  func takes(_ text: String) -> Bool { tool.takesText && text.utf8.count <= Self.mostBytes }

  /// Opens the window and waits until it is closed.
  ///
  /// - Parameters:
  ///   - text: the text to correct, for which `takes` is true.
  ///   - problem: the problem with that text.
  /// - Returns: what the person answered.
  func ask(text: String = "", problem: QuickAddError? = nil) -> Answer {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments(problem: problem)
    process.environment = environment
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    if !text.isEmpty {
      let input = Pipe()
      input.fileHandleForWriting.write(Data(text.utf8))
      try? input.fileHandleForWriting.close()
      process.standardInput = input.fileHandleForReading
    }
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      return .broken(
        said("\(tool.rawValue) couldn’t be started: \(error.localizedDescription)"))
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let typed = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    guard process.terminationReason == .exit else {
      return .broken(said("\(tool.rawValue) exited before it returned any text"))
    }
    switch process.terminationStatus {
    case 0: return typed.allSatisfy(\.isWhitespace) ? .cancelled : .text(typed)
    // Closing and Escape exit with 1, in yad also 252.
    case 1, 252: return .cancelled
    default: return .broken(said("\(tool.rawValue) failed with code \(process.terminationStatus)"))
    }
  }

  func arguments(problem: QuickAddError?) -> [String] {
    let question = problem.map { Self.plain($0) } ?? Self.question
    switch tool {
    case .zenity:
      guard problem == nil else {
        return ["--text-info", "--editable", "--height=200", "--title=\(question)", "--width=560"]
      }
      return ["--entry", "--title=\(Self.title)"]
        + ["--text=\(Self.unmarked(question))", "--width=560"]
    case .yad:
      let kind = problem == nil ? ["--entry"] : ["--text-info", "--editable", "--height=200"]
      return kind + ["--title=\(Self.title)", "--text=\(Self.unmarked(question))"]
        + ["--width=560", "--center"]
    case .kdialog: return ["--title", Self.title, "--inputbox", question, ""]
    case .rofi:
      return ["-dmenu", "-p", Self.title, "-mesg", Self.unmarked(question)]
        + ["-l", problem == nil ? "0" : "1"]
    case .wofi: return ["--dmenu", "--prompt", question, "--lines", "1"]
    case .dmenu: return ["-p", question]
    }
  }

  /// Describes the problem with a line without quoting it.
  private static func plain(_ problem: QuickAddError) -> String {
    switch problem {
    case .empty: problem.description
    case .nothingDone: said("The line doesn’t say what you did. Add a few words.")
    case .endBeforeStart: said("The end is before the start. Enter the earlier time first.")
    case .noSuchDate: said("This date doesn’t exist. Enter a valid date.")
    }
  }

  /// Escapes a text, because these programs interpret markup.
  private static func unmarked(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  // MARK: Feedback

  /// Reports success or a problem with a desktop notification, if available.
  ///
  /// It excludes the entry's own words, because a desktop may store notifications and show them on
  /// a locked screen.
  func tell(_ line: String) {
    guard let program = Self.find("notify-send", environment) else { return }
    let process = Process()
    process.executableURL = program
    process.arguments = [
      "--app-name=\(Self.title)", "--expire-time=4000", "--hint=int:transient:1", "--",
      Self.title, line,
    ]
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return }
    process.waitUntilExit()
  }
}
