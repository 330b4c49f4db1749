import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Individual key presses; whole lines if the terminal doesn't provide keys.
struct Keyboard {
  private let isRaw: Bool

  /// Runs a closure while keys arrive individually, and then restores the terminal.
  static func using<Result>(_ body: (Keyboard) throws -> Result) rethrows -> Result {
    var kept = termios()
    let isPlain = ProcessInfo.processInfo.environment["TERM"] == "dumb"
    guard !isPlain, isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &kept) == 0 else {
      return try body(Keyboard(isRaw: false))
    }
    var raw = kept
    // Ctrl-C arrives as a key as well, so the terminal is always restored before exiting.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    guard tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 else {
      return try body(Keyboard(isRaw: false))
    }
    defer { _ = tcsetattr(STDIN_FILENO, TCSANOW, &kept) }
    return try body(Keyboard(isRaw: true))
  }

  /// Returns the next key in lower case, or the first character of the next line; nil at the end,
  /// which includes Ctrl-C and Ctrl-D.
  ///
  /// Input that isn't a character is returned as a space.
  func next() -> Character? {
    guard isRaw else {
      guard let line = readLine() else { return nil }
      return line.lowercased().first { !$0.isWhitespace } ?? " "
    }
    guard let byte = readByte() else { return nil }
    switch byte {
    case 0x03, 0x04: return nil
    case 0x1B:
      // An arrow or similar key sends additional bytes.
      while isMoreWaiting, readByte() != nil {}
      return " "
    case 0x21...0x7E: return Character(UnicodeScalar(byte)).lowercased().first
    case 0x80...: return skipped(after: byte)
    default: return " "
    }
  }

  private func skipped(after lead: UInt8) -> Character? {
    let count = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0
    for _ in 0..<count { _ = readByte() }
    return " "
  }

  private var isMoreWaiting: Bool {
    var slot = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&slot, 1, 20) > 0
  }

  private func readByte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count == 1 { return byte }
      if count < 0, errno == EINTR { continue }
      return nil
    }
  }
}
