/// Loosening a question that may ask for more than any entry contains.
extension QueryAssembler {
  /// Returns the original parts, then reduced ones: with places as limits on days, without implied
  /// verbs, without the requested noun.
  func variants(_ parts: Parts) -> [(parts: Parts, dropped: [String])] {
    func phrase(_ predicate: Query.Predicate) -> String? {
      if case .concept(let concept) = predicate { concept.phrase } else { nil }
    }
    func isConcept(_ predicate: Query.Predicate) -> Bool {
      switch predicate {
      case .concept, .text, .tag: true
      default: false
      }
    }
    func keys(_ predicate: Query.Predicate) -> [String] {
      phrase(predicate).map { WordCutter.words(of: $0).map(\.key) } ?? []
    }
    func isLight(_ predicate: Query.Predicate) -> Bool {
      // "Driving lessons" are one thing, though both words are common.
      let keys = keys(predicate)
      return keys.count == 1 && keys.allSatisfy(lexicon.isLight)
    }
    func isTold(_ predicate: Query.Predicate) -> Bool {
      let keys = keys(predicate)
      return !keys.isEmpty && keys.allSatisfy(lexicon.isTold)
    }
    func isPlace(_ predicate: Query.Predicate) -> Bool {
      guard let phrase = phrase(predicate) else { return false }
      if timeline.names.place(called: phrase) != nil { return true }
      let words = WordCutter.words(of: phrase)
      return !words.isEmpty && words.allSatisfy { $0.isCapitalised }
    }
    var parts = parts
    // If nothing else remains, a word that the network classified as padding is the subject.
    if !(parts.conditions + parts.kinds + parts.sides.joined() + parts.events).contains(
      where: isConcept), parts.measure == nil
    {
      parts.conditions += parts.unread.map { .concept(Query.Concept(phrase: $0)) }
      parts.words += parts.unread
      parts.unread = []
    }
    // Every entry with a person means a meeting with them.
    if !parts.people.isEmpty {
      parts.conditions.removeAll { predicate in
        phrase(predicate).map {
          $0.split(separator: " ").allSatisfy { lexicon.isContact(String($0)) }
        }
          ?? false
      }
    }
    let all = parts.conditions + parts.kinds + parts.sides.joined()
    // Playing something needs no verb, but places and names aren't things that are played.
    if all.contains(where: { isConcept($0) && !isTold($0) && !isPlace($0) }) {
      parts.conditions.removeAll(where: isTold)
    }
    var result: [(parts: Parts, dropped: [String])] = []
    if !parts.doubtful.isEmpty {
      var more = parts
      more.conditions += parts.doubtful.map { .concept(Query.Concept(phrase: $0)) }
      result.append((more, []))
    }
    result.append((parts, parts.doubtful))
    let places = parts.conditions.filter(isPlace)
    if !places.isEmpty,
      (parts.conditions + parts.kinds).contains(where: { isConcept($0) && !isPlace($0) })
    {
      var rest = parts
      rest.conditions.removeAll(where: isPlace)
      rest.bounds = places
      result.append((rest, []))
    }
    let light = parts.conditions.filter(isLight)
    let heavy = parts.conditions.filter { isConcept($0) && !isLight($0) }
    if !light.isEmpty, !(heavy + parts.kinds).isEmpty {
      var rest = parts
      rest.conditions.removeAll(where: isLight)
      result.append((rest, light.compactMap(phrase)))
    }
    // Entries need not contain the requested noun if they contain something else.
    if !parts.kinds.isEmpty, !parts.conditions.isEmpty || parts.days != nil || !parts.events.isEmpty
    {
      var rest = parts
      rest.kinds = []
      result.append((rest, parts.kinds.compactMap(phrase)))
    }
    return result
  }
}
