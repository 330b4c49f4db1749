import Foundation

extension QuickAddReader {
  // MARK: Marks

  func readMarks(_ draft: inout Draft) {
    let line = draft.line
    let limit =
      line.index(
        line.startIndex, offsetBy: TimeTokenizer.characterLimit, limitedBy: line.endIndex)
      ?? line.endIndex
    draft.marks = QuickAddMarks.marks(in: line, upTo: limit)
    if let home = draft.marks.first(where: { QuickAddReader.isPlace($0) }) {
      draft.reading.place = home.name
      draft.note(.place, home.range, home.name)
    }
    draft.marks.removeAll { QuickAddReader.isPlace($0) }
    var tags: Set<String> = []
    for mark in draft.marks {
      switch mark.kind {
      case .tag:
        draft.cuts.remove(mark.range)
        if tags.insert(NameFolding.key(mark.name)).inserted { draft.reading.tags.append(mark.name) }
        draft.note(.tag, mark.range, "#\(mark.name)")
        if draft.reading.kind == nil { draft.reading.kind = kinds[NameFolding.key(mark.name)] }
      case .kind, .person: break
      }
    }
    if let mark = draft.marks.first(where: { $0.kind == .kind }) {
      let kind = kinds[NameFolding.key(mark.name)] ?? ActivityKind(rawValue: mark.name.lowercased())
      draft.reading.kind = kind
      draft.cuts.remove(mark.range)
      draft.note(.kind, mark.range, kind.rawValue)
    }
    readPeople(&draft)
  }

  /// Returns true for a mark such as "@home", which isn't a person.
  static func isPlace(_ mark: QuickAddMarks.Mark) -> Bool {
    mark.kind == .person
      && ["home", "work", "office", "school", "gym"].contains(mark.name.lowercased())
  }

  /// Reads names written with an @ and removes the sign; at the end of the line, the name is
  /// removed too if the text already contains it.
  func readPeople(_ draft: inout Draft) {
    let people = draft.marks.filter { $0.kind == .person }
    var ending = draft.cuts
    var isEnding: Set<String.Index> = []
    for mark in people.reversed() where ending.isEnd(mark.range.upperBound, of: draft.line) {
      isEnding.insert(mark.range.lowerBound)
      ending.remove(mark.range)
    }
    var present = NameWords()
    var position = draft.line.startIndex
    for mark in draft.marks {
      present.add(String(draft.line[position..<mark.range.lowerBound]))
      position = mark.range.upperBound
      guard mark.kind == .person else { continue }
      let candidates = persons.candidates(named: mark.name)
      let name = candidates.count == 1 ? candidates[0].name : mark.name
      add(name, &draft)
      draft.note(.person, mark.range, name)
      if isEnding.contains(mark.range.lowerBound), present.contains(mark.name) {
        draft.cuts.remove(mark.range)
      } else {
        draft.cuts.replace(mark.range, with: mark.name)
        present.add(mark.name)
      }
    }
  }

  func add(_ name: String, _ draft: inout Draft) {
    let key = NameFolding.key(name)
    guard !draft.reading.people.contains(where: { NameFolding.key($0) == key }) else { return }
    draft.reading.people.append(name)
  }

  /// Reads known people named without an @; ambiguous first names are ignored.
  func readNames(_ draft: inout Draft) {
    let marked = draft.marks.map(\.range)
    for match in persons.mentions(in: draft.line, isTyped: true) {
      guard let person = match.person, !marked.contains(where: { $0.overlaps(match.range) }),
        !isAnother(match.range, of: draft.line)
      else { continue }
      let key = NameFolding.key(person.name)
      guard !draft.reading.people.contains(where: { NameFolding.key($0) == key }) else { continue }
      draft.reading.people.append(person.name)
      draft.note(.person, match.range, person.name)
    }
  }

  /// Returns true for a relative of somebody else, such as "her mum" and "Ben's dad", and if a first
  /// name follows a word such as "Oma", which then is a part of another person's name: "Oma Inge".
  private func isAnother(_ range: Range<String.Index>, of line: String) -> Bool {
    if LineLexicon.shared.has(line[range].lowercased(), .kin) {
      let before = line[..<range.lowerBound].split(whereSeparator: \.isWhitespace).last ?? ""
      let owner = before.lowercased().replacing("’", with: "'")
      let isOwner = owner.hasSuffix("'s") && !QuickAddReader.contractions.contains(owner)
      if isOwner || QuickAddReader.owners.contains(owner) { return true }
    }
    guard NewNames.relatives.contains(line[range].lowercased()) else { return false }
    let rest = line[range.upperBound...]
    let word = rest.drop { $0 == " " }.prefix { $0.isLetter }
    guard rest.first == " ", word.first?.isUppercase ?? false else { return false }
    let name = word.lowercased()
    return LineLexicon.shared.has(name, .name) || FirstNames.meanings(of: name)?.isEmpty ?? false
  }

  private static let owners: Set<String> = [
    "her", "his", "their", "your", "ihre", "ihrer", "ihr", "seine", "seiner", "sein", "deine",
    "deiner",
  ]

  private static let contractions: Set<String> = [
    "it's", "that's", "there's", "here's", "what's", "let's", "he's", "she's", "who's", "where's",
  ]

  /// Suggests new people: first names after words such as "with" that no known person has.
  func suggestPeople(_ draft: inout Draft, _ grammar: TimeGrammar, _ words: [String]) {
    let known = draft.reading.understood.filter { [.person, .place, .tag].contains($0.role) }
      .map(\.range)
    let names = NewNames(grammar: grammar, words: words, isGerman: isGerman)
    for tokens in names.names {
      guard let range = range(of: tokens, grammar), !known.contains(where: { $0.overlaps(range) }),
        !draft.taken.contains(where: tokens.contains),
        persons.candidates(named: String(draft.line[range])).isEmpty
      else { continue }
      let name = NewNames.plain(draft.line[range])
      let key = NameFolding.key(name)
      guard !draft.reading.people.contains(where: { NameFolding.key($0) == key }),
        !draft.reading.suggestedPeople.contains(where: { NameFolding.key($0) == key })
      else { continue }
      draft.reading.suggestedPeople.append(name)
    }
  }
}
