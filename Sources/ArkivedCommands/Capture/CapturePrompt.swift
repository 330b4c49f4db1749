import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A single line from the terminal.
///
/// Escape alone cancels; the terminal's own keys for editing a line are unchanged.
enum CapturePrompt {
  /// The time for the rest of an arrow key to arrive, in milliseconds.
  private static let patience: Int32 = 30

  /// Reads a line.
  ///
  /// - Returns: nil if nothing was typed, or Escape was pressed.
  static func line() -> String? {
    Output.write("› ", to: STDERR_FILENO)
    var kept = termios()
    guard tcgetattr(STDIN_FILENO, &kept) == 0 else { return readLine() }
    var own = kept
    // Escape ends a line as well.
    withUnsafeMutableBytes(of: &own.c_cc) { $0[Int(VEOL)] = 0x1B }
    guard tcsetattr(STDIN_FILENO, TCSANOW, &own) == 0 else { return readLine() }
    defer { _ = tcsetattr(STDIN_FILENO, TCSANOW, &kept) }
    var line: [UInt8] = []
    while let byte = readByte() {
      switch byte {
      case 0x0A, 0x0D: return text(line)
      case 0x1B:
        guard isMoreWaiting, skipKey() else {
          Output.write("\n", to: STDERR_FILENO)
          return nil
        }
      default: line.append(byte)
      }
    }
    return text(line)
  }

  private static func text(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }

  /// Skips the sequence of an arrow or similar key: a bracket or an O, numbers, and a letter or ~
  /// at the end (ECMA-48 §5.4).
  ///
  /// - Returns: false if it was Escape itself, followed by the end of the line.
  private static func skipKey() -> Bool {
    guard let first = readByte(), first != 0x0A else { return false }
    guard first == 0x5B || first == 0x4F else { return true }
    while isMoreWaiting, let byte = readByte() {
      if (0x40...0x7E).contains(byte) { return true }
    }
    return true
  }

  private static var isMoreWaiting: Bool {
    var slot = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&slot, 1, patience) > 0
  }

  private static func readByte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count == 1 { return byte }
      if count < 0, errno == EINTR { continue }
      return nil
    }
  }
}
