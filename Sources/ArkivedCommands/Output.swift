import ArkivedCore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a command's words go: data on standard output, talk on standard error.
struct Output: Sendable {
  let isJSON: Bool
  /// Whether a person reads standard output at a terminal that shows styles.
  let isStyled: Bool

  init(isJSON: Bool) {
    self.isJSON = isJSON
    isStyled =
      isatty(STDOUT_FILENO) == 1
      && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
      && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Prints a command's result: the document, or the lines for a person.
  func result(_ json: @autoclosure () -> JSON, lines: @autoclosure () -> [String]) {
    if isJSON {
      Output.write(json().text(indented: isatty(STDOUT_FILENO) == 1) + "\n", to: STDOUT_FILENO)
    } else {
      let lines = lines()
      guard !lines.isEmpty else { return }
      let text = lines.map(Output.visible).joined(separator: "\n")
      Output.write(text + "\n", to: STDOUT_FILENO)
    }
  }

  /// Talk: what was understood, counts, advice.
  func say(_ text: String) { Output.write(Output.visible(text) + "\n", to: STDERR_FILENO) }

  func bold(_ text: String) -> String { isStyled ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func faint(_ text: String) -> String { isStyled ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

  /// A snippet on one line with the found words in bold.
  func snippet(_ snippet: Snippet) -> String {
    snippet.pieces.map { piece in
      let line = piece.text.split(whereSeparator: \.isNewline).joined(separator: " ")
      let edge = piece.text.last?.isNewline == true ? " " : ""
      return (piece.isHighlighted ? bold(line) : line) + edge
    }.joined()
  }

  /// Control characters of an entry could drive a terminal: all but line breaks, tabs and our own
  /// two styles are shown as their Unicode pictures.
  static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { isControl($0) }) else { return text }
    var result = String.UnicodeScalarView()
    var rest = text[...]
    while let scalar = rest.unicodeScalars.first {
      if let style = ["\u{1B}[1m", "\u{1B}[2m", "\u{1B}[0m"].first(where: { rest.hasPrefix($0) }) {
        result.append(contentsOf: style.unicodeScalars)
        rest = rest.dropFirst(style.count)
        continue
      }
      rest.unicodeScalars.removeFirst()
      if isControl(scalar) {
        result.append(
          scalar.value < 0x20
            ? Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}" : "\u{FFFD}")
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar != "\n", scalar != "\t" else { return false }
    return scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }

  /// Writes all of a text; a reader that has gone away ends the writing quietly.
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
        // A reader that has gone away ends the writing quietly. Anything else means that the
        // result did not arrive whole, and a script must learn that.
        if errno == EPIPE || descriptor == STDERR_FILENO { return }
        write("arkived: the output cannot be written: \(String(cString: strerror(errno)))\n", to: 2)
        exit(ExitStatus.inputOutput.rawValue)
      }
      bytes = bytes.dropFirst(count)
    }
  }
}
