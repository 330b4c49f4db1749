import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension CaptureWindow.Tool: ExpressibleByArgument {}

/// The `capture` command: one line from anywhere on the desktop.
struct Capture: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Capture a line from anywhere: with a keyboard shortcut, or from a pipe.",
    discussion: """
      arkived capture --window        in a small window; assign this to a keyboard shortcut
      arkived capture                 in a terminal; without one, in a window
      wl-paste | arkived capture      from a pipe

      The line is read as in “arkived add”. Of several lines, the first is the entry and the others \
      are its notes, unless each begins with a time or a list marker. Escape or an empty line saves \
      nothing. The window uses the first of these programs that is installed: zenity, kdialog, yad, \
      rofi, wofi, dmenu (under KDE, kdialog first). What can’t be saved is kept as a draft: arkived \
      drafts

      Instructions for GNOME, KDE, sway, browsers and phones: Documentation/Capture.md
      """)

  @Flag(help: "Ask for the line in a window, even in a terminal.") var window = false

  @Option(
    name: .customLong("with"),
    help: ArgumentHelp(
      "Open the window with this program.",
      discussion: CaptureWindow.Tool.allCases.map(\.rawValue).joined(separator: ", ") + ".",
      valueName: "program"))
  var tool: CaptureWindow.Tool?

  @OptionGroup var options: GlobalOptions

  /// The maximum size of input in bytes; anything larger than a long note is a file.
  private static let pipeLimit = 1 << 20

  func run() throws {
    let context = try Context(options)
    if window || tool != nil { return try askInWindow(context) }
    if isatty(STDIN_FILENO) == 1 {
      guard let line = CapturePrompt.line() else { return Self.sayNothing(context) }
      return try saveOrKeep(line, context)
    }
    guard Self.isPiped else { return try askInWindow(context) }
    let text = try Self.piped()
    guard !text.allSatisfy(\.isWhitespace) else { return Self.sayNothing(context) }
    try saveOrKeep(text, context)
  }

  private static func sayNothing(_ context: Context) {
    context.output.result(["created": nil], lines: [])
    context.output.say(said("Nothing was saved."))
  }

  // MARK: Input

  /// True if something is piped in, unlike a desktop shortcut, which starts programs without any
  /// input.
  private static var isPiped: Bool {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return false }
    return [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// True if content is piped in; an empty file doesn't count.
  static var hasInput: Bool {
    var status = stat()
    guard isPiped, fstat(STDIN_FILENO, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG || status.st_size > 0
  }

  private static func piped() throws -> String {
    var data = Data()
    while data.count <= pipeLimit,
      let piece = try FileHandle.standardInput.read(upToCount: 1 << 16), !piece.isEmpty
    {
      data += piece
    }
    guard data.count <= pipeLimit else {
      throw CommandFailure(
        .badInput,
        said(
          """
          The input is larger than 1 MB. Nothing was saved. Import a file with `arkived import`, or \
          attach it: `arkived add --attach FILE`
          """))
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw CommandFailure(
        .badInput, said("Standard input isn’t UTF-8 text. Nothing was saved."))
    }
    return text
  }

  private func askInWindow(_ context: Context) throws {
    let window = try CaptureWindow(wanted: tool)
    // A refused text stays a draft until the window returns a different one, so closing it loses
    // nothing.
    var refused: (draft: KeptText, text: String, problem: QuickAddError)?
    while true {
      switch window.ask(text: refused?.text ?? "", problem: refused?.problem) {
      case .cancelled:
        guard let refused else { return Self.sayNothing(context) }
        throw refused.draft.failure(refused.problem.description, .badInput)
      case .broken(let reason):
        guard let refused else {
          throw CommandFailure(.unavailable, "\(reason). " + said("Nothing was saved."))
        }
        throw refused.draft.failure(saidAgain(reason) + ".", .unavailable)
      case .text(let typed):
        let draft = KeptText(typed, context)
        refused?.draft.finish()
        refused = nil
        do {
          let told = try Self.save(typed, context, context.open())
          draft.finish()
          return window.tell(told)
        } catch let error as QuickAddError where window.takes(typed) {
          refused = (draft, typed, error)
        } catch {
          let failure = draft.failure(error)
          window.tell(said("Not saved. Your text was kept as a draft: `arkived drafts`"))
          throw failure
        }
      }
    }
  }

  // MARK: Saving

  private func saveOrKeep(_ text: String, _ context: Context) throws {
    let draft = KeptText(text, context)
    do {
      try Self.save(text, context, context.open())
      draft.finish()
    } catch {
      throw draft.failure(error)
    }
  }

  /// Returns the entries that a text consists of, as typed.
  static func pieces(
    of text: String, _ context: Context, _ archive: Archive
  ) throws -> [TypedText.Piece] {
    let reader = QuickAddReader(
      now: archive.clock.now, zone: context.zone,
      units: try archive.units(in: TerminalLanguage.typed), language: TerminalLanguage.typed)
    return TypedText(text, reader: reader).pieces
  }

  /// Saves a text and reports the result.
  ///
  /// - Returns: a sentence for a desktop notification, without the entry's own words.
  @discardableResult
  static func save(
    _ text: String, _ context: Context, _ archive: Archive,
    source: ActivitySource = .shortcut
  ) throws -> String {
    let entry = EntryLine(
      archive: archive, zone: context.zone, language: TerminalLanguage.typed)
    let made = try pieces(of: text, context, archive).map {
      piece -> (activity: Activity, reading: QuickAddReading) in
      let reading = try entry.understand(piece.line)
      var activity = entry.activity(from: reading, source: source)
      activity.notes = piece.notes
      return (activity: activity, reading: reading)
    }
    guard let first = made.first else { throw QuickAddError.empty }
    guard made.count > 1 else {
      try EntryReport(context, archive).add(first.activity, first.reading)
      let times = first.reading.understood.filter { $0.role == .day || $0.role == .time }
        .map(\.label)
      return times.isEmpty ? said("Saved.") : said("Saved: \(times.joined(separator: ", "))")
    }
    var edits = Archive.EntryEdits()
    edits.added = made.map(\.activity)
    let done = try archive.apply(
      edits, action: "add", "Added \(made.count) entries"
    ).value
    let lines = EntryText(context, archive)
    try context.output.result(
      ["created": .array(done.added.map(\.json))], lines: done.added.map { try lines.line($0) })
    return said("Saved: \(made.count) entries")
  }
}
