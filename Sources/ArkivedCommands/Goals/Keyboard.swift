import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Single keys, as they are pressed; whole lines where the terminal does not give keys.
struct Keyboard {
  private let isRaw: Bool

  /// Does something while keys come one by one, and then leaves the terminal as it was.
  static func using<Result>(_ body: (Keyboard) throws -> Result) rethrows -> Result {
    var kept = termios()
    let isPlain = ProcessInfo.processInfo.environment["TERM"] == "dumb"
    guard !isPlain, isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &kept) == 0 else {
      return try body(Keyboard(isRaw: false))
    }
    var raw = kept
    // Ctrl-C comes as a key too, so that nothing ends before the terminal is as it was.
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

  /// The next key in lower case, or the first character of the next line; nil at the end, which
  /// Ctrl-C and Ctrl-D are too. A space stands for what is no character.
  func next() -> Character? {
    guard isRaw else {
      guard let line = readLine() else { return nil }
      return line.lowercased().first { !$0.isWhitespace } ?? " "
    }
    guard let byte = readByte() else { return nil }
    switch byte {
    case 0x03, 0x04: return nil
    case 0x1B:
      // An arrow or another such key sends more.
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
