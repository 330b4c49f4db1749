import Foundation

/// Patterns with their replacements, compiled once for all questions.
struct Rewording: Sendable {
  private let rules: [(expression: NSRegularExpression, template: String)]

  init(_ rules: [(pattern: String, template: String)]) {
    self.rules = rules.compactMap { rule in
      let expression = try? NSRegularExpression(pattern: rule.pattern, options: .caseInsensitive)
      return expression.map { ($0, rule.template) }
    }
  }

  /// Returns a text with the patterns replaced in order.
  func applied(to text: String) -> String {
    var result = text
    for rule in rules {
      let range = NSRange(result.startIndex..., in: result)
      guard rule.expression.firstMatch(in: result, range: range) != nil else { continue }
      result = rule.expression.stringByReplacingMatches(
        in: result, range: range, withTemplate: rule.template)
    }
    return result
  }
}
