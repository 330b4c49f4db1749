import Foundation

/// Limits on how often something happened, in English and German, which no answer applies.
enum CountLimits {
  /// Returns the limits in a question, as typed: "at most twice", "höchstens zweimal", "kaum".
  static func unused(in text: String) -> [String] {
    let limits =
      /\b(?:(?:(?:no|not) )?(?:more|fewer|less|greater) than|at (?:least|most)|up to|only|just|exactly|höchstens|mindestens|wenigstens|maximal|(?:nicht )?(?:mehr|weniger) als|nur|genau) (?:once|twice|thrice|einmal|zweimal|dreimal|viermal|fünfmal|(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)(?: times| ?mal))\b|\b(?:hardly|barely|scarcely|kaum)\b/
      .ignoresCase()
    // What was found happened at least once.
    let plain: Set = ["at least once", "mindestens einmal", "wenigstens einmal"]
    return text.matches(of: limits).map { String($0.output) }
      .filter { !plain.contains($0.lowercased()) }
  }
}
