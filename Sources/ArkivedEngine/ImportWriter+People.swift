import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// People identified by a source's own reference, such as the cards of an address book.
extension ImportWriter {
  /// Adds a card's data to the person it refers to, or creates a person if it matches nobody here.
  ///
  /// A card refers to the person who was imported from it before, who has one of its addresses or
  /// numbers, or who is the only person with its name. Names and addresses that the card no longer
  /// contains are kept. Fields that the owner has edited are left alone.
  func takeReferenced(_ told: Person, _ record: ImportedRecord) throws {
    // Several cards may be of one person, so they are decided one after the other.
    guard !isStaging else { return try putOff(.person(told), record) }
    var imported = told
    let hash = ImportedContent.hash(imported)
    for index in imported.externalRefs.indices where imported.externalRefs[index].contentHash == nil
    {
      imported.externalRefs[index].contentHash = hash
    }
    guard let old = try meant(by: &imported, record) else {
      state.peopleByImportedID[told.id] = told.id
      guard try mayCreate(imported.id, imported.externalRefs, .person(told), record) else {
        state.unwantedPeople.insert(told.id)
        return
      }
      return try create("person") { try scope.insert(imported) }
    }
    state.peopleByImportedID[told.id] = old.id
    // Details that the owner removed are not restored by the same card.
    let isKnown = imported.externalRefs.allSatisfy { ref in
      old.externalRefs.contains {
        $0.provider == ref.provider && $0.externalID == ref.externalID
          && $0.contentHash == ref.contentHash
      }
    }
    guard !isKnown || overridesOwner else { return leave(record) }
    var new = old
    new.add(
      imported, overridesOwner ? nil : try authorship(of: .person, old.id, old.json))
    new.addresses = try new.addresses.filter { address in
      guard let other = try scope.personID(withAddress: [address]) else { return true }
      return other == old.id
    }
    guard new != old else { return leave(record) }
    new.updatedAt = later(than: old.updatedAt)
    try update(.person(told), record) {
      try adding(to: .person, old.id) { try scope.update(new, reason: .import) }
    }
  }

  /// Returns the person that a card refers to.
  ///
  /// - Parameters:
  ///   - imported: addresses that belong to somebody else are removed from it.
  ///   - record: the record.
  /// - Returns: the person; nil if it matches nobody.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  private func meant(by imported: inout Person, _ record: ImportedRecord) throws -> Person? {
    for ref in imported.externalRefs {
      guard let known = try scope.known(ref), known.type == .person else { continue }
      switch known.standing {
      case .hidden: try scope.makeWay(for: .person, known.id)
      case .own, .shown, .absent: if let person = try scope.person(known.id) { return person }
      }
    }
    let card = imported
    var taken: [String] = []
    for address in imported.addresses {
      guard let id = try scope.personID(withAddress: [address]),
        let person = try scope.person(id)
      else { continue }
      if !person.isOfOtherCard(than: card) || person.mayBeCalled(like: card) { return person }
      taken.append(address)
    }
    for alias in imported.aliases where PhoneNumber.canonical(alias) != nil {
      if let person = try scope.person(named: alias), person.mayBeCalled(like: card) {
        return person
      }
    }
    if let name = imported.name, let person = try scope.person(named: name),
      !person.isOfOtherCard(than: card) || person.mayShareContacts(with: card)
    {
      return person
    }
    if let first = taken.first {
      imported.addresses.removeAll { taken.contains($0) }
      diagnose(
        Diagnostic(
          .note, place: record.place,
          message:
            "\(FieldError.shown(first)) already belongs to someone else here and wasn’t changed"))
    }
    return nil
  }
}

extension Person {
  /// All addresses, the main one first.
  var addresses: [String] {
    get { [email].compactMap { $0 } + furtherAddresses }
    set {
      email = newValue.first
      furtherAddresses = Array(newValue.dropFirst())
    }
  }

  /// Telephone numbers, in the form used for comparison.
  private var phones: Set<String> {
    Set(([name].compactMap { $0 } + aliases).compactMap { PhoneNumber.canonical($0) })
  }

  /// Returns true if this person was imported from a card other than the given person's.
  fileprivate func isOfOtherCard(than card: Person) -> Bool {
    externalRefs.contains { ref in
      card.externalRefs.contains { $0.provider == ref.provider && $0.externalID != ref.externalID }
    }
  }

  /// Returns true unless both have names and share no word: a family may share a number.
  fileprivate func mayBeCalled(like other: Person) -> Bool {
    func words(_ person: Person) -> Set<Substring> {
      Set(
        ([person.name].compactMap { $0 } + person.aliases)
          .filter { PhoneNumber.canonical($0) == nil && !$0.contains("@") }
          .flatMap { NameFolding.loose(NameFolding.key($0)).split { !$0.isLetter } })
    }
    let (own, others) = (words(self), words(other))
    guard let name, PhoneNumber.canonical(name) == nil, !own.isEmpty, !others.isEmpty else {
      return true
    }
    // A surname alone is shared by a family: the first name has to match.
    guard let first = Self.firstName(name), let otherFirst = other.name.flatMap(Self.firstName)
    else { return !own.isDisjoint(with: others) }
    return own.contains(otherFirst[...]) || others.contains(first[...])
  }

  private static func firstName(_ name: String) -> String? {
    let words = NameFolding.loose(NameFolding.key(name)).split { !$0.isLetter }
    return words.count > 1 ? words.first.map(String.init) : nil
  }

  /// Returns true unless both have addresses or numbers but none in common, as namesakes do.
  fileprivate func mayShareContacts(with other: Person) -> Bool {
    func contacts(_ person: Person) -> Set<String> {
      person.phones.union(person.addresses.map(NameFolding.key))
    }
    let (own, others) = (contacts(self), contacts(other))
    return own.isEmpty || others.isEmpty || !own.isDisjoint(with: others)
  }

  /// Adds a card's data.
  ///
  /// The name, the main address and the description follow the card unless the owner edited them;
  /// the former name becomes an alias. Nothing that the owner removed is added again.
  ///
  /// - Parameters:
  ///   - card: the card's data.
  ///   - authorship: who set this person's fields; nil if that doesn't matter.
  fileprivate mutating func add(_ card: Person, _ authorship: FieldAuthorship?) {
    // The first card that describes a person decides where several differ.
    let isOwnCard = card.externalRefs.allSatisfy { ref in
      externalRefs.filter { $0.provider == ref.provider }.map(\.externalID) == [ref.externalID]
    }
    func follows(_ field: String) -> Bool { authorship?.isImported { $0[field] } ?? true }
    func removed(_ fields: String...) -> Set<String> {
      authorship?.removedByHand { record in
        let values = fields.flatMap { field in
          record[field]?.array?.compactMap(\.string) ?? [record[field]?.string].compactMap(\.self)
        }
        return Set(values.map(NameFolding.key))
      } ?? []
    }
    // A card without an ID may be the first one, with another name.
    let decides = card.externalRefs.allSatisfy { ref in
      externalRefs.first { $0.provider == ref.provider }.map {
        $0.externalID == ref.externalID
          || $0.externalID.hasPrefix(VCardImporter.derivedReference)
      } ?? true
    }
    let former = name
    if let theirs = card.name, former == nil || (decides && follows("name")) { name = theirs }
    var names = Set(([name].compactMap { $0 } + aliases).map(NameFolding.key))
    names.formUnion(removed("aliases"))
    for alias in [former, card.name].compactMap({ $0 }) + card.aliases
    where names.insert(NameFolding.key(alias)).inserted { aliases.append(alias) }
    if let name { aliases.removeAll { NameFolding.key($0) == NameFolding.key(name) } }
    let mayLead = isOwnCard && follows("email")
    var known = Set(addresses.map(NameFolding.key))
    known.formUnion(removed("email", "addresses"))
    for address in card.addresses where known.insert(NameFolding.key(address)).inserted {
      addresses.append(address)
    }
    if mayLead, let first = card.email,
      let index = addresses.firstIndex(where: { address in
        NameFolding.key(address) == NameFolding.key(first)
      })
    {
      addresses.insert(addresses.remove(at: index), at: 0)
    }
    if let theirs = card.relationshipSummary {
      let isEmpty = relationshipSummary == nil && removed("relationshipSummary").isEmpty
      if isEmpty || (isOwnCard && relationshipSummary != nil && follows("relationshipSummary")) {
        relationshipSummary = theirs
      }
    }
    for ref in card.externalRefs {
      externalRefs.removeAll { $0.provider == ref.provider && $0.externalID == ref.externalID }
      externalRefs.append(ref)
    }
  }
}
