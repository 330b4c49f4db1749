/// The wording in another language of the times that `TimeGrammar` reads: a table of words and
/// phrases with their English equivalents.
///
/// There is only one grammar; before it reads a line, the tokens are translated into its words,
/// each at the position of the original.
struct TimeWording: Sendable {
  /// A phrase and its translation.
  ///
  /// In `says`, an element is a word; `#`, a number in digits or words; `#.`, one followed by a
  /// full stop; `#m`, the number of a month with a full stop; `#n`, one without; `?`, a time of day or the end, which stays; `%day`; `%month`;
  /// `%month.` (abbreviated, with a full stop); `^`, the start of the line; `%year`; or `%span`, a
  /// unit of time. `means` refers to them as `$1`, `$2` in order.
  struct Rule: Sendable {
    let says: [String]
    let means: String

    init(_ says: String, _ means: String) {
      self.says = says.split(separator: " ").map(String.init)
      self.means = means
    }
  }

  /// The rules by their first word, because most words begin none.
  final class RuleTable: Sendable {
    private let byWord: [String: [Rule]]
    /// Rules that begin with a number, a day or another placeholder.
    private let others: [Rule]

    /// Creates a table.
    ///
    /// - Parameter rules: the rules in order of precedence; the first that matches applies.
    init(_ rules: [Rule]) {
      func isWord(_ rule: Rule) -> Bool { rule.says.first?.first?.isLetter ?? false }
      others = rules.filter { !isWord($0) }
      let words = Set(rules.filter(isWord).compactMap(\.says.first))
      byWord = Dictionary(
        uniqueKeysWithValues: words.map { word in
          (word, rules.filter { !isWord($0) || $0.says.first == word })
        })
    }

    /// Returns the rules that may begin with a token, in order.
    func rules(for token: TimeToken) -> [Rule] {
      token.kind == .word ? byWord[token.text] ?? others : others
    }
  }

  /// A time of day: the last number is the hour, one before it the minutes.
  ///
  /// `past` determines how the minutes are counted from the hour.
  struct Clock: Sendable {
    enum Count: Sendable {
      case whole, minutesBehind, dotted, minutes(Int), before, after, beforeHalf, afterHalf
    }
    let says: [String]
    let count: Count

    init(_ says: String, _ count: Count) {
      self.says = says.split(separator: " ").map(String.init)
      self.count = count
    }
  }

  /// The clock phrases; longer ones come before their own prefixes.
  let clocks: [Clock]
  /// Words before a time of day, with their English equivalents.
  let clockLeads: [String: String]
  /// The half of the day that a word determines; a night extends over both.
  enum Half: Sendable { case first, second, night }

  /// Words after a time of day that determine its half.
  let halves: [String: Half]
  /// One or two words before a time that determine its half: words for the night and the morning.
  let early: [String: Half]
  /// Units that after "um" more often follow a time than a number: "um 4 Kaffee".
  let drinks: Set<String>
  /// Words before "vor" and "nach" that show that a time follows: "kurz nach 4".
  let just: Set<String>
  let rules: RuleTable
  let words: [String: String]
  let numbers: [String: Int]
  /// Multiples such as "zweimal".
  let times: [String: Int]
  /// Ordinals such as "ersten", as used for days of the month.
  let ordinals: [String: Int]
  let weekdays: [String: String]
  /// Abbreviated weekdays, recognised after a word such as "am", before a time in digits, or at the
  /// start of a line before a colon.
  let shortDays: [String: String]
  let months: [String: String]
  /// Units recognised only after a number.
  let units: [String: String]
  /// Things that are counted without a unit: "um 9 Uhr 30 Gäste".
  let counted: Set<String>
  /// Words that mean a time only in English.
  let silenced: Set<String>
  /// Units in addition to those of the language: the English ones and the owner's own.
  var table = UnitTable.standard

  /// Returns the wording of a language, or nil for English, which the grammar reads directly.
  static func of(_ language: Language) -> TimeWording? {
    language == .german ? .german : nil
  }
}
