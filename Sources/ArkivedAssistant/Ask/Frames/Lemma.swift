import ArkivedCore
import Foundation
import Synchronization

/// A stemmer that maps the forms of an English word to one key: "baking", "baked" and "bakes" all
/// have the key of "bake".
///
/// Irregular forms are looked up, regular endings are removed. A key is used for comparison, not
/// for display: it may lack a final e.
package enum Lemma {
  /// A cache of recent keys.
  private static let known = Mutex<[String: String]>([:])
  private static let knownLimit = 50_000

  /// Returns the key of a word, in lower case and without accents.
  package static func key(_ word: String) -> String {
    if let key = known.withLock({ $0[word] }) { return key }
    let key = made(of: word)
    known.withLock { known in
      if known.count >= knownLimit { known.removeAll(keepingCapacity: true) }
      known[word] = key
    }
    return key
  }

  private static func made(of word: String) -> String {
    var text = NameFolding.loose(word).replacing("’", with: "'")
    if text.hasSuffix("'s") { text = String(text.dropLast(2)) }
    text.removeAll { $0 == "'" || $0 == "." }
    if let known = exceptions[text] { return known }
    if text.contains("-") {
      let joined = text.replacing("-", with: "")
      if joined.allSatisfy(\.isLetter) { return key(joined) }
    }
    if text.first?.isNumber == true, text.last == "s", text.count > 2 {
      return String(text.dropLast())
    }
    guard text.utf8.count <= 24, text.allSatisfy(\.isLetter) else { return text }
    let forms = WordForms.english.forms(of: text)
    if let base = forms.first, base != text { return ending(base) }
    return ending(cut(text))
  }

  /// Words whose irregular family or ending would be misleading.
  private static let exceptions: [String: String] = [
    "saw": "see", "left": "leav", "found": "find", "felt": "feel", "ground": "ground",
    "lives": "live", "leaves": "leaf", "morning": "morning", "evening": "evening",
    "mornings": "morning", "evenings": "evening", "thing": "thing", "things": "thing",
    "wedding": "wedding", "weddings": "wedding", "building": "building", "movies": "film",
    "movie": "film", "during": "during", "spring": "spring", "bicycle": "bike",
    "bicycles": "bike", "mom": "mum", "favourite": "favorite", "theatre": "theater",
    "theatres": "theater", "cookies": "cookie", "cookie": "cookie", "news": "news", "gas": "gas",
    "bus": "bus", "plane": "plane", "planes": "plane", "buses": "bus", "tennis": "tennis",
    "yes": "yes", "this": "this", "was": "be",
    "shot": "shot", "shots": "shot", "pies": "pie", "ties": "tie", "added": "add",
    "phoned": "phone", "phone": "phone",
    "phones": "phone", "phoning": "phone", "colour": "color", "meeting": "meeting",
    "meetings": "meeting", "met": "meet", "sung": "sing", "swum": "swim", "swam": "swim",
    "flew": "fly", "flown": "fly", "flies": "fly", "saturday": "saturday",
    "reading": "read", "painting": "paint", "practise": "practic", "practised": "practic",
    "practising": "practic", "practises": "practic",
    "wound": "wound", "wrote": "writ", "wood": "wood",
    "clothes": "clothes", "glasses": "glasses", "does": "do", "goes": "go", "means": "mean",
    "potatoes": "potato", "tomatoes": "tomato", "heroes": "hero", "shoes": "shoe", "toes": "toe",
  ]

  /// Returns a noun without its plural ending.
  package static func singular(_ word: String) -> String {
    word.count > 3 && word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
  }

  private static func cut(_ word: String) -> String {
    let count = word.utf8.count
    if count > 3, word.hasSuffix("ies") { return String(word.dropLast(3)) + "y" }
    if word.hasSuffix("sses") || word.hasSuffix("shes") || word.hasSuffix("ches")
      || word.hasSuffix("xes") || word.hasSuffix("zzes")
    {
      return String(word.dropLast(2))
    }
    if count > 3, word.hasSuffix("s"), !word.hasSuffix("ss"), !word.hasSuffix("us"),
      !word.hasSuffix("is")
    {
      let single = String(word.dropLast())
      return single.hasSuffix("ing") ? cut(single) : single
    }
    for suffix in ["ing", "ed"] where word.hasSuffix(suffix) {
      var stem = String(word.dropLast(suffix.count))
      guard stem.utf8.count >= 3, stem.contains(where: { "aeiouy".contains($0) }),
        !word.hasSuffix("eed")
      else { return word }
      if suffix == "ed", stem.hasSuffix("i") { return String(stem.dropLast()) + "y" }
      let last = stem.last, before = stem.dropLast().last
      if last == before, let last, !"aeiou".contains(last),
        !"lsz".contains(last) || stem.utf8.count > 5 && last == "l"
      {
        stem.removeLast()
      }
      return stem
    }
    return word
  }

  private static func ending(_ word: String) -> String {
    guard word.utf8.count > 3 else { return word }
    if word.hasSuffix("e") { return String(word.dropLast()) }
    return word
  }
}

/// A word of a text with its key.
package struct Word: Hashable, Sendable {
  package var text: String
  package var key: String
  /// True if a comma, colon, semicolon, dash or bracket precedes it.
  package var isAfterBreak: Bool
  /// The preceding punctuation mark that ends a part of the sentence.
  package var sign: Character?
  package var isQuoted: Bool
  package var isPossessive: Bool

  package var lower: String { text.lowercased() }
  package var isCapitalised: Bool { text.first?.isUppercase ?? false }
}

/// A tokenizer that splits a text into words and joins phrasal verbs whose meaning differs from the
/// verb's own meaning.
package enum WordCutter {
  /// Returns the words of a text, up to a limit of characters.
  package static func words(
    of text: String, joinsPhrases: Bool = true, limit: Int = 1_000_000
  ) -> [Word] {
    var words: [Word] = []
    var current: [Unicode.Scalar] = []
    var sign: Unicode.Scalar?
    var isQuoted = false
    var isSingle = false
    func flush() {
      defer { current.removeAll(keepingCapacity: true) }
      while let last = current.last, "'’.-:".unicodeScalars.contains(last) { current.removeLast() }
      guard !current.isEmpty else { return }
      var isPossessive = false
      if current.count >= 2, current[current.count - 1] == "s" || current[current.count - 1] == "S",
        current[current.count - 2].isApostrophe
      {
        isPossessive = true
        current.removeLast(2)
      }
      var plain = ""
      plain.unicodeScalars.append(contentsOf: current)
      words.append(
        Word(
          text: plain, key: Lemma.key(plain), isAfterBreak: sign != nil,
          sign: sign.map(Character.init), isQuoted: isQuoted, isPossessive: isPossessive))
      sign = nil
    }
    let limited = Array(text.unicodeScalars.prefix(limit))
    for (index, scalar) in limited.enumerated() {
      let isDigit = scalar.isDigit
      if isDigit || scalar.isOfWord {
        current.append(scalar)
        continue
      }
      let next = index + 1 < limited.count ? limited[index + 1] : " "
      let isNextInside = next.isDigit || next.isOfWord
      var isInside = false
      if !current.isEmpty, isNextInside {
        let isJoint = scalar.isApostrophe || scalar == "-"
        let isPoint = scalar == "." || scalar == "," || scalar == ":"
        let isInNumber = isPoint && next.isDigit && current.last?.isDigit == true
        isInside = isJoint || isInNumber || scalar == "." && current.count <= 2
      }
      if isInside {
        if scalar == ",", current.allSatisfy(\.isDigit) {
          // Before three digits it separates thousands, otherwise it is a decimal point.
          let digits = limited[(index + 1)...].prefix(4).prefix(while: \.isDigit).count
          if digits != 3 { current.append(".") }
          continue
        }
        current.append(scalar)
        continue
      }
      if scalar.isApostrophe || scalar == "‘", current.isEmpty,
        next.properties.isUppercase
      {
        // 'Cold Harbour' in single quotes.
        let closing = limited.indices.dropFirst(index + 2).prefix(300).first { place -> Bool in
          guard limited[place].isApostrophe else { return false }
          return place + 1 >= limited.count || !limited[place + 1].isOfWord
        }
        if closing != nil {
          isQuoted = true
          isSingle = true
        }
        continue
      }
      if isSingle, scalar.isApostrophe {
        flush()
        isQuoted = false
        isSingle = false
        continue
      }
      if scalar.isApostrophe, current.last == "s" || current.last == "S" {
        flush()
        if !words.isEmpty { words[words.count - 1].isPossessive = true }
        continue
      }
      flush()
      if scalar == "\"" {
        isQuoted.toggle()
      } else if scalar == "“" || scalar == "„" || scalar == "«" || scalar == "»" {
        isQuoted = true
      } else if scalar == "”" {
        isQuoted = false
      }
      if signs.contains(scalar) { sign = scalar }
    }
    flush()
    return joinsPhrases ? joined(words) : words
  }

  private static let signs = Set(",:;–—()?!.\n/".unicodeScalars)

  private static func joined(_ words: [Word]) -> [Word] {
    var result: [Word] = []
    var index = 0
    while index < words.count {
      let key = words[index].key
      let next = index + 1 < words.count ? words[index + 1].lower : ""
      if next == "into", ["run", "bump"].contains(key) {
        var word = words[index]
        word.text += " into"
        word.key = key + "_into"
        result.append(word)
        index += 2
      } else if next == "chance", key == "by" {
        var word = words[index]
        word.text += " chance"
        word.key = "by_chance"
        result.append(word)
        index += 2
      } else {
        result.append(words[index])
        index += 1
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  fileprivate var isApostrophe: Bool { self == "'" || self == "’" }

  fileprivate var isDigit: Bool {
    value < 0x80 ? value >= 48 && value <= 57 : properties.numericType != nil
  }

  /// True for letters, and for marks that combine with the preceding letter.
  fileprivate var isOfWord: Bool {
    if value < 0x80 { return value | 0x20 >= 97 && value | 0x20 <= 122 }
    if properties.isAlphabetic { return true }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }
}
