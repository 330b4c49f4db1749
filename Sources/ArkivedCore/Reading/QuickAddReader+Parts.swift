import Foundation

extension QuickAddReader {
  // MARK: Kind, measures, place

  /// Reads a known kind in parentheses at the end of the line: "Standup (Work)".
  func readKind(_ draft: inout Draft, _ grammar: TimeGrammar) {
    guard draft.reading.kind == nil || !draft.marks.contains(where: { $0.kind == .kind }) else {
      return
    }
    for index in grammar.tokens.indices
    where grammar.isSign(index, "(") && grammar.isSign(index + 2, ")") {
      guard let kind = kinds[grammar.word(index + 1)],
        let range = range(of: index..<index + 3, grammar),
        draft.cuts.isEnd(range.upperBound, of: draft.line)
      else { continue }
      draft.reading.kind = kind
      draft.cuts.remove(range)
      draft.taken.formUnion(index..<index + 3)
      draft.note(.kind, range, kind.rawValue)
      return
    }
    if let kind = draft.reading.kind,
      let mark = draft.marks.first(where: { kinds[NameFolding.key($0.name)] == kind })
    {
      draft.note(.kind, mark.range, kind.rawValue)
    }
  }

  /// Reads the time taken for a distance: "10.5 km in 58:20", "parkrun 24:31".
  ///
  /// The words stay in the text.
  func readResult(_ draft: inout Draft, _ grammar: TimeGrammar, _ words: [String]) {
    let lexicon = LineLexicon.shared
    let measures = MeasureReader(grammar: grammar, units: units, words: words).measures {
      _ in false
    }
    let metres = measures.filter { $0.unit.dimension == .length }
      .reduce(0) { $0 + $1.amount * $1.unit.factor }
    let isTimed = grammar.tokens.indices.contains {
      grammar.isSign($0, ":") && grammar.isWord($0 + 2, "h", "hr", "hrs", "hours")
    }
    guard metres > 0 || isTimed || lexicon.isAmong(words, .moving) || words.contains(where: isRace),
      let start = grammar.tokens.indices.first(where: {
        grammar.isSign($0 + 1, ":")
          && (lexicon.ends(words, at: $0, .result)
            // For example, "18.3 km 1:42:15".
            || grammar.isSign($0 + 3, ":") && grammar.token($0)?.digits == 1
              && grammar.isAttached($0 + 4) && grammar.token($0 + 4)?.kind == .number
            // For example, "112 km 4:18 h".
            || grammar.isWord($0 + 3, "h", "hr", "hrs", "hours")
            // No clock has 52 hours.
            || metres > 0 && (grammar.number($0) ?? 0) > 23)
      }),
      let (seconds, next) = grammar.stopwatch(
        start, metres: metres, isLong: metres == 0 && words.contains(where: isRace)),
      let range = range(of: start..<next, grammar)
    else { return }
    draft.taken.formUnion(start..<next)
    draft.reading.durationMinutes = Double(seconds) / 60
    draft.note(.duration, range, String(draft.line[range]))
  }

  func isRace(_ word: String) -> Bool { word.hasSuffix("marathon") }

  func readMeasures(_ draft: inout Draft, _ grammar: TimeGrammar, _ words: [String]) {
    let taken = draft.taken
    for measure in MeasureReader(grammar: grammar, units: units, words: words).measures(
      outside: taken.contains)
    {
      guard let range = range(of: measure.tokens, grammar) else { continue }
      draft.taken.formUnion(measure.tokens)
      let earlier = draft.reading.measurements[measure.unit.name]
      if earlier != nil, measure.repetition == .ignored { continue }
      let before = measure.repetition == .added ? earlier ?? 0 : 0
      draft.reading.measurements[measure.unit.name] = before + measure.amount
      draft.note(.measure, range, measure.unit.shownText(measure.amount))
    }
  }

  func readPlace(_ draft: inout Draft, _ grammar: TimeGrammar, _ words: [String]) {
    let taken = draft.taken
    let reader = PlaceReader(grammar: grammar, words: words, isGerman: isGerman) { [persons] in
      !persons.candidates(named: $0).isEmpty
    }
    guard draft.reading.place == nil, let place = reader.place(outside: taken.contains),
      let range = range(of: place.tokens, grammar),
      let name = self.range(of: place.nameTokens, grammar)
    else { return }
    draft.reading.place = String(draft.line[name])
    draft.note(.place, range, String(draft.line[name]))
  }
}
