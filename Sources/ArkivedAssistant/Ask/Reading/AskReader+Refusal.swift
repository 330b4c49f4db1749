import ArkivedCore
import Foundation

/// Texts that aren't questions for the archive.
extension AskReader {
  func refusal(of text: String) -> String? {
    let words = WordCutter.words(of: text, joinsPhrases: false)
    guard !words.isEmpty else { return said("The question is empty.") }
    let letters = text.unicodeScalars.filter { $0.properties.isAlphabetic }
    let foreign = letters.filter { $0.value > 0x24F }.count
    if foreign * 2 > letters.count || text.contains("¿") {
      return said("I only understand questions in English and German.")
    }
    let plain = text.lowercased()
    if let date = AskReader.impossibleDate(plain) {
      return said("There is no \(date).")
    }
    if plain.range(
      of:
        "^(when|where|what|who|how (many|often|much)( \\w+)?) (will|shall|am i going to|are we going to)\\b|^will (i|we|he|she|they)\\b",
      options: .regularExpression) != nil || AskReader.isAhead(plain)
    {
      return said("That’s in the future. I can only answer questions about the past.")
    }
    if plain.range(
      of:
        "^(what|where|who|whom|when|which \\w+|how) (should|could|can) (i|we)\\b|^how do (i|we) (?!usually|sleep|feel|spend|normally|typically)|^should (i|we)\\b",
      options: .regularExpression) != nil
    {
      return said("Your archive can’t give advice. It only knows what you recorded.")
    }
    if ["what time is it", "what's the time", "what is the time"].contains(where: plain.hasPrefix) {
      return said("Your archive can’t answer that. It only knows what you recorded.")
    }
    if ["thanks", "thank", "cheers", "bye", "goodbye"].contains(words[0].lower), words.count < 8 {
      return said("That isn’t a question. Try asking: What did I do last week?")
    }
    // If no word belongs to a question or to the archive, the text is in another language.
    if words.count >= 3,
      !words.contains(where: { word in
        let lower = word.lower
        return QuestionWords.fillers.contains(lower) && lower.count > 3
          || StopWords.contains(lower)
            && ["the", "i", "my", "we", "with", "and", "of", "did", "have", "was", "is"].contains(
              lower)
          || timeline.frequency(of: word.key) > 0 && lower.count > 3
          || lower.contains { $0.isNumber } || self.words.contains(lower)
          || UnitTable.standard.unit(named: lower) != nil
          || AskReader.questionVocabulary.contains(lower)
      })
    {
      return said(
        "I couldn’t understand that. Ask in English or German, with words from your archive.")
    }
    if plain.range(
      of:
        "^(can|could|would|will) you (please )?(delete|remove|erase|add|create|change|rename|send|write|forget|drop|edit|update)\\b",
      options: .regularExpression) != nil
    {
      return Self.order
    }
    var index = 0
    if ["please", "kindly", "now", "ok", "okay"].contains(words[0].lower) { index = 1 }
    if ["name"].contains(words[0].lower) { return nil }
    guard words.indices.contains(index) else { return said("The question is empty.") }
    let first = words[index].lower
    if first == "how", words.indices.contains(index + 1),
      ["old", "tall", "come", "big", "heavy"].contains(words[index + 1].lower),
      !(words[index + 1].lower == "heavy" && isWeighed)
    {
      return said("I can’t answer that. Ask how many, how long, how far or how often.")
    }
    if first == "why" {
      return said("I can’t work out why something happened. Ask what, when, who or how many.")
    }
    // "Order milk for me" is a command; a question about an order contains "did" or "my".
    if plain.range(
      of:
        "^(order|buy|book|fetch|cook|pay|call|ring|text|reserve|message)\\b.*\\bfor (me|us)\\s*[.!]*$",
      options: .regularExpression) != nil
    {
      return Self.order
    }
    let orders: Set<String> = [
      "delete", "remove", "add", "create", "drop", "mark", "export", "write", "send", "remind",
      "update", "set", "change", "rename", "import", "restore", "insert", "erase", "forget", "make",
      "translate", "email", "merge", "undo", "edit", "schedule", "play", "open", "turn", "ignore",
    ]
    if orders.contains(first), words.count > index + 1,
      !words.contains(where: {
        ["did", "i", "my", "how", "what", "when", "often"].contains($0.lower)
      })
        || index == 1 || ["delete", "drop", "write", "erase", "remove", "add"].contains(first)
    {
      return Self.order
    }
    return nil
  }

  /// True if the archive contains somebody's weight.
  var isWeighed: Bool {
    timeline.units["kg"] != nil
      || timeline.metrics.keys.contains { $0.lowercased().contains("weight") }
  }

  /// Detects "31 April", a date that doesn't exist in any year.
  static func impossibleDate(_ text: String) -> String? {
    let months = MonthName.full.map { $0.lowercased() }
    let names = months.joined(separator: "|")
    let forms = [
      "\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?(\(names))\\b",
      "\\b(\(names)) (\\d{1,2})(?:st|nd|rd|th)?\\b(?!:)",
    ]
    for form in forms {
      guard let expression = try? NSRegularExpression(pattern: form),
        let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)),
        let whole = Range(match.range, in: text), let first = Range(match.range(at: 1), in: text),
        let second = Range(match.range(at: 2), in: text)
      else { continue }
      let parts = [String(text[first]), String(text[second])]
      guard let day = parts.compactMap({ Int($0) }).first,
        let month = parts.lazy.compactMap({ months.firstIndex(of: $0) }).first
      else { continue }
      let most = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]
      if day > most || day == 0 {
        return "\(day)\(Language.current.dayMark) \(MonthName.shown[month])"
      }
      _ = whole
    }
    return nil
  }

  /// The reply to statements, or to words that aren't understood.
  private static var order: String {
    said(
      """
      That’s an instruction, but I only answer questions here. The assistant can add, note, tag, \
      move, rename, pin and delete when you tell it to, as in “move it to friday”.
      """)
  }
}
