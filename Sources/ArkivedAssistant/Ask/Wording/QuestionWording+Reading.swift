import ArkivedCore
import ArkivedSearch
import Foundation

/// Splits a question into words and phrases, each with its English translation.
extension QuestionWording {
  /// The maximum length; longer questions are left as typed.
  private static let lengthLimit = 400
  /// The maximum number of phrases, which no real question reaches.
  private static let phraseLimit = 100

  /// Returns the parts of a question in order; nil if it isn't in this language, or if an essential
  /// word remains untranslated.
  func tokens(of line: String, timeline: any Timeline) -> [Token]? {
    guard line.count <= Self.lengthLimit, !line.contains("‹"), !line.contains("›") else {
      return nil
    }
    var text = line.trimmingCharacters(in: CharacterSet(charactersIn: " ?!.\n\t"))
    var phrases: [Token] = []
    text = quoted(text, &phrases)
    text = named(text, timeline.names, &phrases)
    text = figures(text)
    for rule in rules { text = applied(rule, text, &phrases) }
    guard let tokens = words(of: text, phrases, timeline),
      tokens.contains(where: isEvidence)
    else { return nil }
    // A preposition at the end belongs to a verb: "rief … an".
    if let last = tokens.last, last.kind == .little, !Self.mayEnd.contains(last.english) {
      return nil
    }
    return hasLooseTime(tokens) ? nil : tokens
  }

  /// Returns true if a preposition before a time changes it in a way that no rule translates: after
  /// or without a time isn't in it.
  private func hasLooseTime(_ tokens: [Token]) -> Bool {
    tokens.indices.contains { index in
      guard tokens[index].kind == .time else { return false }
      let lead = tokens[..<index].last { $0.kind != .little || $0.english != "the" }
      guard let lead, lead.kind == .little else { return false }
      return ["to", "without"].contains(lead.english)
    }
  }

  private static let mayEnd: Set<String> = [
    "me", "us", "together", "again", "somebody", "nobody", "all", "more", "fewer",
  ]

  /// Returns true if a part shows that the question is in this language: it contains a word that
  /// differs from its English translation and doesn't also exist in English.
  private func isEvidence(_ token: Token) -> Bool {
    guard ![.name, .word, .comma].contains(token.kind), !token.isLookedUp else { return false }
    let english = token.english.lowercased()
    return token.original.lowercased().split { !$0.isLetter }.map(String.init)
      .contains { !shared.contains($0) && !english.contains($0) }
  }

  // MARK: Text kept unchanged

  private static let quotation = try? NSRegularExpression(
    pattern: "[„“\"”«»]([^„“\"”«»]+)[„“\"”«»]")

  private func quoted(_ text: String, _ phrases: inout [Token]) -> String {
    var result = text
    while phrases.count < 8, let expression = Self.quotation,
      let match = expression.firstMatch(
        in: result, range: NSRange(result.startIndex..., in: result)),
      let whole = Range(match.range, in: result), let inner = Range(match.range(at: 1), in: result)
    {
      let title = "“\(result[inner])”"
      replace(whole, in: &result, Token(kind: .name, english: title, original: title), &phrases)
    }
    return result
  }

  /// Replaces names of places and people with marks, because some of them are also words of the
  /// language.
  private func named(
    _ text: String, _ names: TimelineNames, _ phrases: inout [Token]
  ) -> String {
    var result = text
    let found = names.placesOfSeveralWords(in: text) + people(in: text, names)
    for name in found.sorted(by: { $0.count > $1.count }) {
      let pattern = #"(?<![\w‹])"# + NSRegularExpression.escapedPattern(for: name) + #"(?![\w›])"#
      while phrases.count < Self.phraseLimit,
        let range = result.range(of: pattern, options: .regularExpression)
      {
        replace(range, in: &result, Token(kind: .name, english: name, original: name), &phrases)
      }
    }
    return result
  }

  /// Returns the capitalised words of people's names, joined if they belong to one name.
  private func people(in text: String, _ names: TimelineNames) -> [String] {
    var found: [String] = []
    var run: [String] = []
    for (index, piece) in text.split(separator: " ").enumerated() {
      let word = piece.trimmingCharacters(in: CharacterSet(charactersIn: ",;:()"))
      let lower = word.lowercased()
      let isName =
        word.first?.isUppercase == true && names.personWords.contains(lower)
        && (!run.isEmpty || index > 0 && !isGrammar(lower))
      if isName { run.append(word) }
      if !isName || piece.last != word.last, !run.isEmpty {
        found.append(run.joined(separator: " "))
        run = []
      }
    }
    if !run.isEmpty { found.append(run.joined(separator: " ")) }
    return found
  }

  /// Returns true if a word is grammatical or part of a time, even if somebody has that name.
  private func isGrammar(_ word: String) -> Bool {
    if captures.values.contains(where: { $0[word] != nil }) { return true }
    if dropped.contains(word) || unread.contains(word) { return true }
    return entries[word].map { [.little, .auxiliary].contains($0.kind) } ?? false
  }

  /// Rewrites "10.000", "5,5" and "drei" as English digits.
  ///
  /// Words for "one" are kept if they may be an article.
  private func figures(_ text: String) -> String {
    var result = text.replacingOccurrences(
      of: #"(?<=\d)\.(?=\d{3}(?!\d))"#, with: "", options: .regularExpression
    ).replacingOccurrences(of: #"(?<=\d),(?=\d)"#, with: ".", options: .regularExpression)
    for (word, number) in captures["N"] ?? [:] where number != "1" {
      result = result.replacingOccurrences(
        of: #"(?<![\w‹])"# + word + #"(?![\w›])"#, with: number,
        options: [.regularExpression, .caseInsensitive])
    }
    return result
  }

  // MARK: Phrases

  private func applied(_ rule: Rule, _ text: String, _ phrases: inout [Token]) -> String {
    var result = text
    while phrases.count < Self.phraseLimit,
      let match = rule.expression.firstMatch(
        in: result, range: NSRange(result.startIndex..., in: result)),
      let range = Range(match.range, in: result), !range.isEmpty
    {
      var means = rule.means
      for (position, group) in rule.groups.enumerated() {
        guard let part = Range(match.range(at: position + 1), in: result) else { continue }
        let said = result[part].lowercased()
        means = means.replacing("$\(position + 1)", with: captures[group]?[said] ?? said)
      }
      var token = Token(
        kind: rule.kind, english: means, original: Self.typed(String(result[range]), phrases))
      if rule.kind == .verb {
        // The stem and its past form have the same number of words.
        let words = means.split(separator: " ").map(String.init)
        token.english = words.prefix(words.count / 2).joined(separator: " ")
        token.past = words.dropFirst(words.count / 2).joined(separator: " ")
      }
      replace(range, in: &result, token, &phrases)
    }
    return result
  }

  /// Replaces a phrase with a mark that contains its number.
  private func replace(
    _ range: Range<String.Index>, in text: inout String, _ token: Token, _ phrases: inout [Token]
  ) {
    phrases.append(token)
    let marked = text.replacingCharacters(in: range, with: " ‹\(phrases.count - 1)› ")
    text = marked.split(separator: " ").joined(separator: " ")
  }

  private static func phrase(_ piece: String, _ phrases: [Token]) -> Token? {
    guard piece.hasPrefix("‹"), piece.hasSuffix("›"),
      let number = Int(piece.dropFirst().dropLast()), phrases.indices.contains(number)
    else { return nil }
    return phrases[number]
  }

  /// Returns a text as typed, with the phrases in place of their marks.
  private static func typed(_ text: String, _ phrases: [Token]) -> String {
    text.split(separator: " ").map { phrase(String($0), phrases)?.original ?? String($0) }
      .joined(separator: " ")
  }

  // MARK: Words

  private func words(
    of text: String, _ phrases: [Token], _ timeline: any Timeline
  ) -> [Token]? {
    let pieces = text.split(separator: " ").map(String.init)
    var result: [Token] = []
    for (index, piece) in pieces.enumerated() {
      let word = piece.trimmingCharacters(in: CharacterSet(charactersIn: ",;:!?()"))
      if let phrase = Self.phrase(word, phrases) {
        result.append(phrase)
      } else if !word.isEmpty {
        let next = index + 1 < pieces.count ? pieces[index + 1].lowercased() : ""
        guard let token = token(of: word, next, result, timeline) else { return nil }
        if !token.english.isEmpty { result.append(token) }
      }
      if let last = piece.last, ",;:".contains(last) {
        result.append(Token(kind: .comma, english: ",", original: ","))
      }
    }
    return result
  }

  /// Returns the token for a word.
  ///
  /// - Returns: nil if the question can't be parsed with this word; a token without English if the
  ///   word carries no meaning.
  private func token(
    of word: String, _ next: String, _ before: [Token], _ timeline: any Timeline
  ) -> Token? {
    let lower = word.lowercased()
    if let subject = ["ich": "I", "wir": "we"][lower] {
      return Token(kind: .subject, english: subject, original: word)
    }
    var found = entries[lower]
    if word.first?.isUppercase == true, let noun = capitals[lower],
      !before.isEmpty || !["ich", "wir"].contains(next)
    {
      found = noun
    }
    guard let entry = found else {
      if dropped.contains(lower) { return Token(kind: .word, english: "", original: word) }
      if unread.contains(lower) || markers.contains(lower) { return nil }
      return translated(word, timeline)
    }
    var token = Token(
      kind: entry.kind, english: entry.english, original: word, past: entry.past,
      forms: entry.forms)
    if let plural = entry.plural {
      let article = before.last.map { $0.kind == .little ? $0.english : "" } ?? ""
      let isOne = ["the", "a", "my", "our"].contains {
        article == $0 || article.hasSuffix(" " + $0)
      }
      if !isOne { token.english = plural }
    }
    if !entry.isFixed, let own = ownWord(entry, timeline) {
      token.english = own
      token.past = token.past == nil ? nil : own
    }
    return token
  }

  /// Returns the token for a word that isn't in the tables: with the dictionary's translation if the
  /// entries have that instead, otherwise as typed.
  private func translated(_ word: String, _ timeline: any Timeline) -> Token {
    var token = Token(kind: .word, english: word, original: word)
    guard let translator = ArchiveTranslator(timeline),
      let meaning = translator.english(for: word)
    else { return token }
    if translator.held(word) > 0 {
      // Entries in both languages count.
      token.forms = [word, meaning.english]
      return token
    }
    token.english = meaning.english
    token.past = meaning.past
    token.isLookedUp = true
    token.isGuess = translator.isAmbiguous(word)
    token.kind =
      switch meaning.form {
      case .noun, .plural: .noun
      case .adjective: .adjective
      case .infinitive, .participle: .verb
      case .past: .past
      case .present: .present
      }
    return token
  }

  /// Returns the archive's own word if the archive has none of its English translations.
  private func ownWord(_ entry: Entry, _ timeline: any Timeline) -> String? {
    func held(_ word: String) -> Int {
      let key = Lemma.key(word)
      let tags = timeline.names.tagsByKey[key] ?? []
      return timeline.frequency(of: key) + tags.reduce(0) { $0 + 1_000 + (timeline.tags[$1] ?? 0) }
    }
    let keys = entry.english.split(separator: " ").map { Lemma.key(String($0)) }
    let isEnglish = keys.allSatisfy { key in
      held(key) > 0 || Synonyms.of(key).contains { held($0) > 0 } || Ontology.isKind(key)
        || ActivityKind.known.contains { Lemma.key($0.rawValue) == key }
    }
    guard !isEnglish else { return nil }
    let best = entry.forms.max { (held($0), $1) < (held($1), $0) }
    return best.flatMap { held($0) > 0 ? $0 : nil }
  }
}
