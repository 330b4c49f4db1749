import ArkivedCore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The output formats of a command.
///
/// Every place that prints a result switches over all of them, so a new format doesn't compile
/// until it is handled everywhere.
enum OutputFormat: String, CaseIterable, Sendable {
  /// Text for a person.
  case text
  /// One line per entry.
  case short
  case markdown
  /// A single JSON document.
  case json
  /// One complete entity per line, as `arkived export` writes and `arkived import` reads it.
  case jsonl
  /// One line per activity or day, with a header line (RFC 4180).
  case csv
}

/// The output of a command: data on standard output, messages on standard error.
struct Output: Sendable {
  let format: OutputFormat
  /// True if a person reads standard output at a terminal.
  let isTerminal: Bool
  /// True if that terminal supports styles.
  let isStyled: Bool

  var isJSON: Bool { format == .json }

  /// The width of a terminal line in characters; 80 if unknown.
  var columns: Int {
    var size = winsize()
    if isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return Int(size.ws_col)
    }
    let told = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
    return told.map { min(max($0, 20), 500) } ?? 80
  }

  init(_ format: OutputFormat) {
    self.format = format
    isTerminal = isatty(STDOUT_FILENO) == 1
    let environment = ProcessInfo.processInfo.environment
    isStyled =
      isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Prints a command's result: the document, or the lines for a person.
  func result(
    _ json: @autoclosure () throws -> JSON, lines: @autoclosure () throws -> [String]
  ) rethrows {
    switch format {
    case .json: data(try json().text(indented: isTerminal))
    case .text, .short, .markdown, .jsonl, .csv:
      let lines = try lines()
      guard !lines.isEmpty else { return }
      let text = lines.map(Output.visible).joined(separator: "\n")
      Output.write(text + "\n", to: STDOUT_FILENO)
    }
  }

  /// Prints data for programs: unchanged into a pipe or a file, and with terminal control sequences
  /// made harmless at a terminal.
  func data(_ text: String) { part(text + "\n") }

  /// Prints a part of such data, without a line break.
  func part(_ text: String) {
    let shown =
      !isTerminal
      ? text : format == .json || format == .jsonl ? Output.escaped(text) : Output.visible(text)
    Output.write(shown, to: STDOUT_FILENO)
  }

  /// Prints a message: interpretations, counts, advice.
  func say(_ text: String) { Output.write(Output.visible(text) + "\n", to: STDERR_FILENO) }

  func bold(_ text: String) -> String { styled(text, Output.boldMark) }
  func faint(_ text: String) -> String { styled(text, Output.faintMark) }

  private func styled(_ text: String, _ mark: String) -> String {
    isStyled ? mark + text + Output.plainMark : text
  }

  // Private-use characters represent our own styles until the line is written, so an escape
  // sequence in an entry is never mistaken for one of them.
  private static let boldMark = "\u{10F0B0}"
  private static let faintMark = "\u{10F0B1}"
  private static let plainMark = "\u{10F0B2}"

  /// Formats a snippet on one line, with the matching words in bold.
  func snippet(_ snippet: Snippet) -> String {
    snippet.pieces.map { piece in
      let line = piece.text.split(whereSeparator: \.isNewline).joined(separator: " ")
      let edge = piece.text.last?.isNewline == true ? " " : ""
      return (piece.isHighlighted ? bold(line) : line) + edge
    }.joined()
  }

  /// Formats the matching part of an entry, after its title if that is different.
  func excerpt(_ hit: SearchHit) -> String {
    guard let title = hit.titleBesideSnippet else { return snippet(hit.snippet) }
    return hit.snippet.text.isEmpty ? title : "\(title) · \(snippet(hit.snippet))"
  }

  /// Makes control characters visible, because those in an entry could control a terminal, and
  /// bidirectional ones could change the order of text: all but line breaks, tabs and our own two
  /// styles are shown as their Unicode pictures.
  static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { isControl($0) || isStyle($0) }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{10F0B0}": result.append(contentsOf: "\u{1B}[1m".unicodeScalars)
      case "\u{10F0B1}": result.append(contentsOf: "\u{1B}[2m".unicodeScalars)
      case "\u{10F0B2}": result.append(contentsOf: "\u{1B}[0m".unicodeScalars)
      case _ where isControl(scalar):
        result.append(
          scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}" : "\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns JSON with escapes for everything that could control a terminal.
  private static func escaped(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: isControl) else { return json }
    var result = ""
    for scalar in json.unicodeScalars {
      guard isControl(scalar) else {
        result.unicodeScalars.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
    return result
  }

  private static func isStyle(_ scalar: Unicode.Scalar) -> Bool {
    (0x10F0B0...0x10F0B2).contains(scalar.value)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar != "\n", scalar != "\t" else { return false }
    return scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      || (0x2028...0x2029).contains(scalar.value)
  }

  /// Writes a complete text; ends quietly if the reader has closed the pipe.
  static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #else
          Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN {
          var slot = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&slot, 1, 1_000)
          continue
        }
        // A reader that has closed the pipe ends the writing quietly. Any other error means that
        // the result is incomplete, which a script must be able to detect.
        if errno == EPIPE || descriptor == STDERR_FILENO { return }
        write("arkived: the output can’t be written: \(String(cString: strerror(errno)))\n", to: 2)
        exit(ExitStatus.inputOutput.rawValue)
      }
      bytes = bytes.dropFirst(count)
    }
  }
}
