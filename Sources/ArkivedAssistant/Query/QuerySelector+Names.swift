import ArkivedCore

/// Resolution of names and phrases in a query.
extension QuerySelector {
  /// Returns the people with a name: by full name or alias, otherwise by first name.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - isKnown: true if the name is known to occur, even if nobody in the archive has it.
  /// - Returns: their names.
  func people(called name: String, isKnown: Bool = false) -> [String] {
    let key = NameFolding.key(name)
    func isCalled(_ person: TimelinePerson) -> Bool {
      ([person.name] + person.aliases).contains { NameFolding.key($0) == key }
    }
    var found = timeline.people.filter(isCalled)
    if found.isEmpty {
      found = timeline.people.filter { person in
        person.name.split(separator: " ").first.map { NameFolding.key(String($0)) == key } ?? false
      }
    }
    let names = found.map(\.name)
    if names.isEmpty {
      if !isKnown { doubt(said("Nobody in the archive is called “\(name)”.")) }
    } else if names.count > 1 {
      doubt(
        said("“\(name)” could mean \(RecapText.list(Array(names.prefix(5)))). All are counted."))
    }
    return names
  }

  func tags(called name: String) -> [String] {
    let key = NameFolding.key(name)
    let found = timeline.tags.keys.filter { NameFolding.key($0) == key }
    if found.isEmpty { doubt(said("No entry has the tag “\(name)”.")) }
    return found
  }

  /// Returns the conditions for a place; its name must contain every word of `name`.
  func places(called name: String) -> [[IndexCondition.Atom]] {
    let keys = WordCutter.words(of: name).map(\.key).filter { $0 != "the" }
    let known = timeline.names.placeKeys
    if keys.isEmpty || !keys.allSatisfy(known.contains) {
      doubt(said("No entry has the place “\(name)”."))
    }
    return keys.isEmpty ? [[]] : keys.map { [.place($0)] }
  }

  func ground(_ concept: Query.Concept) throws -> ConceptGrounding {
    if let known = grounded[concept] { return known }
    let found = try grounder.ground(concept, in: timeline)
    grounded[concept] = found
    groundings.append(found)
    switch found.manner {
    case .words: break
    case .meaning:
      doubt(
        said(
          "Nothing contains the words “\(concept.phrase)”, so the closest matches in meaning are used."
        )
      )
    case .nothing: doubt(said("Nothing in the archive mentions “\(concept.phrase)”."))
    }
    return found
  }
}
