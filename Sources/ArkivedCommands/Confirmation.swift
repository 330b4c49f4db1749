import ArkivedCore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Confirmation of destructive actions.
enum Confirmation {
  /// Asks a question.
  ///
  /// - Parameters:
  ///   - question: the question.
  ///   - isGiven: true if `--yes` has already answered.
  ///   - refusal: the message if the answer is no.
  /// - Throws: `CommandFailure` (refused) if nobody can answer, or the answer is no; (interrupted) if
  ///   it is Ctrl-C.
  static func ask(_ question: String, isGiven: Bool, refusal: String) throws {
    guard !isGiven else { return }
    guard isatty(STDIN_FILENO) == 1 else {
      throw CommandFailure(
        .refused, said("\(question) There is no terminal to answer in. Add --yes to go ahead."))
    }
    Output.write(Output.visible(said("\(question) [y/N] ")), to: STDERR_FILENO)
    guard let answer = try StandardInput.answer()?.lowercased(),
      ["y", "yes", said("y"), said("yes")].contains(answer)
    else {
      throw CommandFailure(.refused, refusal)
    }
  }
}

extension Confirmation {
  /// The word to type for irreversible actions.
  static let word = "delete"

  /// Asks like `ask`, but for a word, because a yes could be typed out of habit.
  static func askWord(_ question: String, isGiven: Bool, refusal: String) throws {
    guard !isGiven else { return }
    guard isatty(STDIN_FILENO) == 1 else {
      throw CommandFailure(
        .refused, said("\(question) There is no terminal to answer in. Add --yes to go ahead."))
    }
    let line = said("\(question) This can’t be undone. Type \(said("delete")) to continue: ")
    Output.write(Output.visible(line), to: STDERR_FILENO)
    let answer =
      try StandardInput.answer()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    guard [word, said("delete")].contains(answer) else {
      throw CommandFailure(.refused, refusal)
    }
  }
}
