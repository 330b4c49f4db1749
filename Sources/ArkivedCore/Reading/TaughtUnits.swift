/// Units that goals use and the standard table doesn't have: "jars", "Gläser", "yoga minutes".
///
/// A taught unit matches by its own spelling and by its regular singular and plural, regardless of
/// case and accents. It never replaces a name of a known unit.
extension UnitTable {
  /// Returns the table with the owner's own units; if several mean the same, the earliest gives the
  /// name.
  ///
  /// - Parameters:
  ///   - names: the names as written in goals. Names that are already known, in any language, add
  ///     nothing.
  ///   - language: the language of the texts to search. German endings are tried in German texts,
  ///     and for names that look German.
  /// - Returns: the table.
  package func teaching(_ names: [String], in language: Language = .english) -> UnitTable {
    var table = self
    for name in names { table.teach(name, in: language) }
    return table
  }

  private mutating func teach(_ name: String, in language: Language) {
    let words = name.split(whereSeparator: \.isWhitespace)
    let plain = words.joined(separator: " ")
    guard plain.contains(where: \.isLetter), (2...Self.longestTaught).contains(plain.count),
      unit(named: plain) == nil
    else { return }
    // "Gläser" means glasses, regardless of the text's language.
    let known = Language.all.compactMap { self.unit(named: typedName(plain, in: $0)) }.first
    let own = known ?? MeasureUnit(plain, .count, singular: UnitForms.shownSingular(plain))
    for form in UnitForms.all(of: plain, isGerman: language == .german)
    where isFree(form, for: own) { taught[form] = own }
    mostWords = max(mostWords, words.count)
  }

  /// The longest name of a taught unit; a single letter is not a name.
  private static let longestTaught = 60

  /// Returns true if no other unit has a name, in any language.
  private func isFree(_ form: String, for unit: MeasureUnit) -> Bool {
    Language.all.allSatisfy { language in
      self.unit(named: typedName(form, in: language)).map { $0 == unit } ?? true
    }
  }

  /// Returns true if a word is a unit only because a goal taught it.
  func isTaught(_ word: String) -> Bool {
    guard !taught.isEmpty else { return false }
    return taughtUnit(word) != nil && UnitTable.standard.unit(named: word) == nil
  }

  func taughtUnit(_ name: String) -> MeasureUnit? {
    taught.isEmpty ? nil : taught[UnitForms.key(name)]
  }
}

/// The forms a unit's name takes in texts.
enum UnitForms {
  /// Returns the lookup key of a name: in lower case, without accents, with one space between
  /// words.
  static func key(_ name: String) -> String {
    let loose = NameFolding.loose(name)
    guard !loose.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else { return loose }
    return loose.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacing("ß", with: "ss")
  }

  /// Returns the singular of a lower-case plural: "jar" for "jars".
  ///
  /// A name whose singular is not obvious is returned unchanged.
  static func shownSingular(_ name: String) -> String {
    guard name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x20 }), name.count > 3,
      !["ss", "us", "is", "as", "os"].contains(where: name.hasSuffix)
    else { return name }
    if name.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + "y" }
    if ["ches", "shes", "sses", "xes"].contains(where: name.hasSuffix) {
      return String(name.dropLast(2))
    }
    return name.hasSuffix("s") ? String(name.dropLast()) : name
  }

  /// Returns the keys of a name, its singular and its plurals; only the last word is inflected.
  static func all(of name: String, isGerman: Bool) -> Set<String> {
    let key = key(name)
    let start = key.lastIndex(of: " ").map(key.index(after:)) ?? key.startIndex
    let (head, word) = (key[..<start], String(key[start...]))
    guard word.count > 1, word.allSatisfy(\.isLetter) else { return [key] }
    var forms = english(word)
    let last = name.split(whereSeparator: \.isWhitespace).last ?? ""
    let looksGerman = last.first?.isUppercase == true || last.contains { "äöüßÄÖÜ".contains($0) }
    if isGerman || looksGerman { forms.formUnion(german(word)) }
    return Set(forms.filter { $0.count > 1 }.map { head + $0 })
  }

  private static func english(_ word: String) -> Set<String> {
    var singulars: Set<String> = []
    func ends(_ endings: String...) -> Bool { endings.contains(where: word.hasSuffix) }
    if ends("ies"), word.count > 4 {
      singulars = [word.dropLast(3) + "y", String(word.dropLast())]
    } else if ends("ves"), word.count > 4 {
      singulars = [word.dropLast(3) + "f", word.dropLast(3) + "fe", String(word.dropLast())]
    } else if ends("ches", "shes", "sses", "xes", "zes", "oes") {
      singulars = [String(word.dropLast(2)), String(word.dropLast())]
    } else if ends("s"), !ends("ss", "us", "is"), word.count > 2 {
      singulars = [String(word.dropLast())]
    }
    let plurals = (singulars.isEmpty ? [word] : singulars).flatMap(englishPlurals)
    return singulars.union(plurals).union([word])
  }

  private static func englishPlurals(_ word: String) -> [String] {
    func ends(_ endings: String...) -> Bool { endings.contains(where: word.hasSuffix) }
    if ends("s", "x", "z", "ch", "sh") { return [word + "es"] }
    if ends("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return [word.dropLast() + "ies"]
    }
    if ends("fe") { return [word.dropLast(2) + "ves", word + "s"] }
    if ends("f"), !ends("ff") { return [word.dropLast() + "ves", word + "s"] }
    return ends("o") ? [word + "s", word + "es"] : [word + "s"]
  }

  /// Returns German forms: Glas, Gläser, Gläsern; Karte, Karten; Apfel, Äpfel; Brot, Brote, Broten;
  /// Läuferin, Läuferinnen.
  ///
  /// Umlauts don’t matter, because keys have none.
  private static func german(_ word: String) -> Set<String> {
    var stems: Set<String> = [word]
    for ending in ["ern", "er", "en", "e", "n", "s", "nen"] where word.hasSuffix(ending) {
      let stem = String(word.dropLast(ending.count))
      guard stem.count > 1, takes(ending, stem) else { continue }
      stems.insert(stem)
    }
    var forms = stems
    for stem in stems {
      for ending in ["ern", "er", "en", "e", "n", "s", "nen"] where takes(ending, stem) {
        forms.insert(stem + ending)
      }
    }
    return forms
  }

  /// Returns true if a German noun stem can take an ending.
  private static func takes(_ ending: String, _ stem: String) -> Bool {
    guard let last = stem.last else { return false }
    switch ending {
    case "n": return "elr".contains(last)
    case "nen": return stem.hasSuffix("in")
    case "s": return last != "s"
    default: return last != "e"
    }
  }
}
