import ArgumentParser
import ArkivedBackup
import ArkivedCore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The source of a passphrase.
///
/// It is never an argument, which other users of the computer can see and shells store in their
/// history.
struct PassphraseOptions: ParsableArguments {
  @Option(help: "A file with the passphrase. A line break at the end is ignored.")
  var passphraseFile: String?

  @Option(help: "The file descriptor to read the passphrase from, for scripts.")
  var passphraseFd: Int32?

  func validate() throws {
    guard passphraseFile == nil || passphraseFd == nil else {
      throw ValidationError(said("Use either --passphrase-file or --passphrase-fd."))
    }
  }

  /// True if the options name one.
  var isGiven: Bool { passphraseFile != nil || passphraseFd != nil }

  /// Returns the passphrase from a file; nil if the options don't specify one.
  func given() throws -> String? {
    let data: Data
    if let passphraseFile {
      data = try Data(
        contentsOf: URL(fileURLWithPath: HomeFolder.expandingTilde(passphraseFile)))
    } else if let passphraseFd {
      let handle = FileHandle(fileDescriptor: passphraseFd, closeOnDealloc: false)
      data = try handle.readToEnd() ?? Data()
    } else {
      return nil
    }
    guard data.count <= 65_536, var text = String(data: data, encoding: .utf8) else {
      throw CommandFailure(
        .badInput, said("The passphrase file must contain a single line of text."))
    }
    if text.last?.isNewline == true { text.removeLast() }
    guard !text.isEmpty else {
      throw CommandFailure(.badInput, said("The passphrase file is empty. Nothing was done."))
    }
    return text
  }

  /// Returns a new passphrase: from a file, or typed twice at the terminal.
  func new(_ output: Output) throws -> String {
    if let passphrase = try given() { return passphrase }
    try Self.checkTerminal(
      said(
        """
        A backup needs a passphrase or a key, and there is no terminal to enter one in. Add --to \
        KEY or --passphrase-file FILE.
        """))
    let first = try Self.typed(said("Passphrase: "))
    guard !first.isEmpty else {
      throw CommandFailure(.refused, said("No passphrase entered. Nothing was done."))
    }
    let strength = PassphraseStrength(first)
    let advice =
      strength.level == .strong
      ? "" : said(" For a strong one, use five or six unrelated words.")
    let level = saidWhole(strength.level.rawValue)  // words: weak | fair | strong
    output.say(said("Strength: \(level), about \(Int(strength.bits)) bits.\(advice)"))
    guard try Self.typed(said("Repeat passphrase: ")) == first else {
      throw CommandFailure(.refused, said("The passphrases don’t match. Nothing was done."))
    }
    output.say(
      said("Without this passphrase, nobody can open the backup, not even you. Keep it safe."))
    return first
  }

  /// Returns the passphrase of an existing file.
  func known() throws -> String {
    if let passphrase = try given() { return passphrase }
    try Self.checkTerminal(
      said(
        """
        The file is protected by a passphrase, and there is no terminal to enter it in. Add \
        --passphrase-file FILE.
        """))
    return try Self.typed(said("Passphrase: "))
  }

  private static func checkTerminal(_ sentence: String) throws {
    guard isatty(STDIN_FILENO) == 1 else { throw CommandFailure(.usage, sentence) }
  }

  /// Reads a line that the terminal doesn't display.
  private static func typed(_ question: String) throws -> String {
    var kept = termios()
    guard tcgetattr(STDIN_FILENO, &kept) == 0 else {
      throw CommandFailure(
        .inputOutput, said("The terminal can’t hide what you type. Nothing was done."))
    }
    var hidden = kept
    hidden.c_lflag &= ~tcflag_t(ECHO)
    guard tcsetattr(STDIN_FILENO, TCSANOW, &hidden) == 0 else {
      throw CommandFailure(
        .inputOutput, said("The terminal can’t hide what you type. Nothing was done."))
    }
    defer {
      _ = tcsetattr(STDIN_FILENO, TCSANOW, &kept)
      Output.write("\n", to: STDERR_FILENO)
    }
    Output.write(question, to: STDERR_FILENO)
    return try StandardInput.answer() ?? ""
  }
}

/// The keys or passphrase that open a backup.
struct UnlockOptions: ParsableArguments {
  @Option(name: [.customShort("i"), .long], help: "The file with the secret key, in age format.")
  var identity: String?

  @OptionGroup var passphrase: PassphraseOptions

  /// Returns the keys for a file; asks at the terminal if it requires a passphrase.
  func unlocks(for file: URL, workLimit: Int = AgeUnlock.usualWorkLimit) throws -> [AgeUnlock] {
    if let identity {
      let path = URL(fileURLWithPath: HomeFolder.expandingTilde(identity))
      let text = try String(contentsOf: path, encoding: .utf8)
      return try AgeIdentity.list(text).map { .identity($0) }
    }
    let input = try Self.input(of: file)
    guard AgeFile.isAge(try input.peek(64)) else { return [] }
    guard try AgeFile.wantsPassphrase(input) else {
      guard !passphrase.isGiven else {
        throw CommandFailure(
          .usage,
          said(
            """
            The file is encrypted for a key. Add --identity with the file that contains the secret \
            key.
            """))
      }
      return []
    }
    return [.passphrase(try passphrase.known(), workLimit: workLimit)]
  }

  /// Returns a file's bytes without armor.
  static func input(of file: URL) throws -> ByteInput {
    let input = AgeFile.input(try PlainFile(file))
    // White space may precede the armor.
    return AgeArmor.isArmored(try input.peek(2_048)) ? AgeArmor.decoded(input) : input
  }
}
