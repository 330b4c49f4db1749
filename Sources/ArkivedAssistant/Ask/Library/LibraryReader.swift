import ArkivedCore
import Foundation

/// A parser that turns questions into queries: first times, then the role of each word, then the
/// frames that the words fill.
struct LibraryReader: Sendable {
  let lexicon: QuestionLexicon
  let times: TimeReader
  private let today: DayKey

  init(language: Language, now: Instant, zone: Zone) {
    lexicon = .of(language)
    times = TimeReader(now: now, zone: zone, language: language)
    today = zone.dayKey(at: now)
  }

  /// The maximum length of a question.
  private static let lengthLimit = 300

  /// Returns the possible interpretations of a question, most certain first; empty if it asks for
  /// something else.
  func queries(_ text: String) -> [LibraryQuery] {
    guard text.count <= Self.lengthLimit else { return [] }
    let found = times.matches(in: text)
    guard found.count < 2 else { return [] }
    let time = found.first
    var rest = text
    if let time { rest.replaceSubrange(time.range, with: " ") }
    let line = QuestionLine(rest, lexicon)
    guard !line.words.isEmpty else { return [] }
    return LibraryFrame.all.compactMap { frame in
      frame.query(of: line, time: time, days: days(of: time, ahead: frame.looksAhead), lexicon)
    }
  }

  /// Returns the days of a time; in questions about the future, Friday means the coming one.
  private func days(of time: TimeMatch?, ahead: Bool) -> ClosedRange<DayKey>? {
    guard let time else { return nil }
    let days = time.grain < .week ? time.days : time.widenedDays()
    guard ahead, days.upperBound < today else { return days }
    let words = QuestionLine(time.text, lexicon).words
    guard !words.contains(where: { $0.roles.contains(.previous) }) else { return days }
    if words.contains(where: { $0.roles.contains(.weekday) }),
      days.lowerBound.distance(to: today) < 8
    {
      return days.lowerBound.advanced(by: 7)...days.upperBound.advanced(by: 7)
    }
    guard time.grain == .month, !words.contains(where: { Int($0.text) != nil }) else { return days }
    let start = days.lowerBound.adding(months: 12)
    return start...start.adding(months: 1).advanced(by: -1)
  }
}

/// The words of a question with their possible roles.
struct QuestionLine: Sendable {
  struct Word: Hashable, Sendable {
    var text: String
    var roles: Set<QuestionRole>
  }

  enum Ask: Hashable, Sendable { case yesNo, what, when, howMany, how, order, other }

  private(set) var words: [Word] = []

  init(_ text: String, _ lexicon: QuestionLexicon) {
    let pieces = Self.pieces(of: text)
    var index = 0
    while index < pieces.count {
      let piece = pieces[index]
      guard !piece.isQuoted else {
        words.append(Word(text: piece.text, roles: []))
        index += 1
        continue
      }
      let longest = min(lexicon.phraseLength, pieces.count - index)
      var length = 1
      var roles = lexicon.roles(of: piece.text.lowercased())
      for count in stride(from: longest, to: 1, by: -1) {
        let run = pieces[index..<index + count]
        guard !run.contains(where: \.isQuoted) else { continue }
        let found = lexicon.roles(of: run.map { $0.text.lowercased() }.joined(separator: " "))
        if !found.isEmpty {
          (length, roles) = (count, found)
          break
        }
      }
      let text = pieces[index..<index + length].map(\.text).joined(separator: " ")
      words.append(Word(text: text, roles: roles))
      index += length
    }
  }

  /// The kind of answer requested, by the sentence's first words.
  var ask: Ask {
    func holds(_ role: QuestionRole) -> Bool { words.contains { $0.roles.contains(role) } }
    if holds(.where) { return .other }
    if holds(.when) { return .when }
    if holds(.howMany) || holds(.howMuch) { return .howMany }
    if holds(.how) { return .how }
    if holds(.question) || holds(.show) { return .what }
    guard let first = words.first else { return .other }
    let opens: Set<QuestionRole> = [.auxiliary, .past, .ahead]
    return opens.isDisjoint(with: first.roles) ? .order : .yesNo
  }

  private typealias Piece = (text: String, isQuoted: Bool)

  /// Splits a text into words and numbers; "5,000" is one piece, and "what's" is two.
  private static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var isQuoted = false
    var current = ""
    let letters = Array(text)
    func flush() {
      if !current.isEmpty { pieces.append((current, isQuoted)) }
      current = ""
    }
    for (index, letter) in letters.enumerated() {
      let next = index + 1 < letters.count ? letters[index + 1] : " "
      if "“”„\"«»".contains(letter) {
        flush()
        isQuoted.toggle()
      } else if letter.isLetter || letter.isNumber || "-_#".contains(letter) && next.isLetter {
        current.append(letter)
      } else if ",.".contains(letter), current.last?.isNumber == true, next.isNumber {
        current.append(letter)
      } else {
        flush()
      }
    }
    flush()
    return pieces
  }
}
