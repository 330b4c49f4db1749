import ArkivedCore
import Foundation

/// The role of a word in a question about goals, values, terms, notes, meetings or a recap.
enum QuestionRole: String, Hashable, Sendable, CaseIterable {
  case little, own, speaker, auxiliary, past, ahead, question, show, when, howMany, howMuch, how
  case `where`, about, on, with, within, number
  case `self` = "self"
  case goal, called, reach, progress, track, near, left, behind, open, due
  case value, term, start, end, theme, current, next, previous
  case note, say, decide, outcome, purpose, meeting, meet, plan, any, free, busy, act
  case recap, tell, like, form, sentences, weekday
  case day = "unit.day"
  case week = "unit.week"
  case month = "unit.month"
  case year = "unit.year"
}

/// The words of a language by their roles in questions, from `Resources/questions.txt`.
struct QuestionLexicon: Sendable {
  private let roles: [String: Set<QuestionRole>]
  private let numbers: [String: Int]
  /// The number of words in the longest phrase.
  let phraseLength: Int

  /// Returns the lexicon of a language; the English one if the file has none for it.
  static func of(_ language: Language) -> QuestionLexicon {
    language == .german ? german : english
  }

  private static let english = QuestionLexicon(section: "english")
  private static let german = QuestionLexicon(section: "german")

  /// Creates a lexicon from one section of the file.
  ///
  /// - Parameter section: the name of the section.
  private init(section: String) {
    self.init(lines: EmbeddedTexts.questions, section: section)
  }

  init(lines: String, section: String) {
    var roles: [String: Set<QuestionRole>] = [:]
    var numbers: [String: Int] = [:]
    var isInside = false
    for line in lines.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") {
        isInside = line == "[\(section)]"
        continue
      }
      guard isInside, !line.hasPrefix("#"), let colon = line.firstIndex(of: ":"),
        let role = QuestionRole(rawValue: String(line[..<colon]))
      else { continue }
      for part in line[line.index(after: colon)...].split(separator: ",") {
        let pair = part.split(separator: "=")
        guard let word = pair.first?.trimmingCharacters(in: .whitespaces), !word.isEmpty else {
          continue
        }
        roles[word, default: []].insert(role)
        if pair.count == 2 { numbers[word] = Int(pair[1].trimmingCharacters(in: .whitespaces)) }
      }
    }
    self.roles = roles
    self.numbers = numbers
    phraseLength = roles.keys.map { $0.count { $0 == " " } + 1 }.max() ?? 1
  }

  /// Returns the possible roles of a lower-case word or phrase; empty if it is unknown.
  func roles(of phrase: String) -> Set<QuestionRole> { roles[phrase] ?? [] }

  /// Returns the number that a word or its digits express.
  func number(_ word: String) -> Int? { numbers[word] ?? Int(word) }
}
