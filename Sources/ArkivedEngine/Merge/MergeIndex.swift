import ArkivedCore
import ArkivedStore
import Foundation

/// The content of this archive, small enough to fit in memory.
struct MergeIndex {
  /// The fingerprint of each entry's content.
  private(set) var entries: [UUID: MergePrint] = [:]
  private(set) var keys: [MergePrint: UUID] = [:]
  /// The activity of each meeting.
  private(set) var activities: [UUID: UUID] = [:]
  /// Names and aliases of people, normalised for comparison.
  private(set) var names: Set<String> = []
  /// The name of each person.
  private var people: [UUID: String] = [:]
  private(set) var numbersOfTerms: [UUID: Int] = [:]
  private(set) var terms: [Int: UUID] = [:]
  private(set) var tags: [UUID: String] = [:]
  /// The files, by their entry and content.
  private var files: Set<MergePrint> = []

  init(_ archive: Archive) throws {
    try archive.forEachEntity { type, json in take(type, json) }
  }

  private mutating func take(_ type: String, _ json: JSON) {
    if type == "attachment", let key = Self.fileKey(json) { files.insert(MergePrint(key)) }
    guard !MergeContent.noEntries.contains(type), let id = MergeContent.identity(json["id"])
    else { return }
    entries[id] = MergeContent.print(json)
    for key in MergeContent.keys(type, json) { keys[MergePrint(key)] = id }
    switch type {
    case "meeting": activities[id] = MergeContent.identity(json["activityId"])
    case "person":
      names.formUnion(Self.names(json))
      people[id] = json["name"]?.string
    case "tag": tags[id] = json["name"]?.string
    case "term":
      guard let number = json["termNumber"]?.int else { return }
      (numbersOfTerms[id], terms[number]) = (number, id)
    default: break
    }
  }

  /// Returns an entry, or an old version of one, with the names that the mentioned people have
  /// here.
  ///
  /// An entry shows a person's current name, not the one when the entry was written.
  func withPeopleOfHere(_ json: JSON) -> JSON {
    guard let mentions = json["mentions"]?.array, !mentions.isEmpty, var object = json.object
    else { return json }
    let called = mentions.map { mention -> JSON in
      guard let name = MergeContent.identity(mention["personId"]).flatMap({ people[$0] }),
        var person = mention.object
      else { return mention }
      person["name"] = .string(name)
      return .object(person)
    }
    guard called != mentions else { return json }
    object["mentions"] = .array(called)
    object["people"] = .array(called.map { $0["name"] ?? .null })
    return .object(object)
  }

  /// Returns the person who has an address here, given in its normalised form.
  func holder(ofAddress address: String) -> UUID? {
    keys[MergePrint(MergeContent.addressKey(address))]
  }

  /// Returns true if the entry that an attachment's line refers to has a file with that content
  /// here.
  func hasFile(_ attachment: JSON) -> Bool {
    Self.fileKey(attachment).map { files.contains(MergePrint($0)) } ?? false
  }

  /// Returns the owner of an attachment's line: an ID or a day.
  static func owner(of attachment: JSON) -> String? {
    ["activityId", "dayKey", "noteId"].lazy.compactMap { attachment[$0]?.string }.first
  }

  private static func fileKey(_ attachment: JSON) -> String? {
    guard let owner = owner(of: attachment),
      let content = attachment["contentHash"]?.string ?? attachment["externalURL"]?.string
    else { return nil }
    return "\(owner)\u{0}\(content)"
  }

  static func names(_ person: JSON) -> [String] {
    ([person["name"]?.string] + (person["aliases"]?.array ?? []).map(\.string))
      .compactMap { $0 }.map(NameFolding.key).filter { !$0.isEmpty }
  }
}

/// The mapping from the other archive's entries to those here.
struct MergeMap {
  private let index: MergeIndex
  /// The IDs there of entries that have another ID here.
  private(set) var identities: [UUID: UUID] = [:]
  /// The numbers of terms that another term uses here.
  private(set) var renumbered: [UUID: Int] = [:]
  /// The imported people whose name somebody here also has.
  private(set) var namesakes: [String] = []
  /// The number of entries there by type.
  private(set) var counts: [String: Int] = [:]
  /// The IDs that both archives have.
  private var shared: Set<UUID> = []
  /// The person who has each address there, in its normalised form.
  private var addresses: [String: UUID] = [:]
  /// Names of the tags there, normalised for comparison.
  private var tagNames: Set<String> = []
  /// The names here of tags that have another name there, by that name normalised for comparison.
  private var tagsHere: [String: String] = [:]
  private var lastNumber: Int
  /// The number from which terms are not numbered consecutively; new numbers follow those below it.
  private static let largestNumber = 1_000_000

  init(_ index: MergeIndex) {
    self.index = index
    lastNumber = index.terms.keys.filter { $0 < Self.largestNumber }.max() ?? 0
  }

  /// Records an entry of the other archive; all entries must be recorded before `settle`.
  mutating func take(_ type: String, _ json: JSON) {
    if type != "arkived" { counts[type, default: 0] += 1 }
    guard !MergeContent.noEntries.contains(type), let id = MergeContent.identity(json["id"])
    else { return }
    if type == "person" {
      for address in MergeContent.addresses(json) { addresses[address] = id }
    }
    if type == "tag", let name = json["name"]?.string { takeTag(id, name) }
    if type == "term", let number = json["termNumber"]?.int, number < Self.largestNumber {
      lastNumber = max(lastNumber, number)
    }
    guard index.entries[id] == nil else {
      shared.insert(id)
      return
    }
    guard let known = here(MergeContent.keys(type, json)) else {
      let names = type == "person" ? MergeIndex.names(json) : []
      if names.contains(where: index.names.contains) { namesakes.append(MergeContent.title(json)) }
      return
    }
    identities[id] = known
    if type == "meeting", let activity = index.activities[known],
      let own = MergeContent.identity(json["activityId"]), index.entries[own] == nil
    {
      identities[own] = activity
    }
  }

  /// Returns the entry here that one of the keys identifies.
  private func here(_ keys: [String]) -> UUID? {
    for key in keys {
      if let known = index.keys[MergePrint(key)] { return known }
    }
    return nil
  }

  /// Records a tag that was renamed on one side only: it is the same tag, and keeps its name here.
  private mutating func takeTag(_ id: UUID, _ name: String) {
    let key = NameFolding.key(name)
    tagNames.insert(key)
    guard let own = index.tags[id], NameFolding.key(own) != key,
      here(MergeContent.keys("tag", ["name": .string(name)])) == nil
    else { return }
    tagsHere[key] = own
  }

  /// Resolves conflicting IDs.
  ///
  /// An entry that both archives have under one ID corresponds to no other entry there, except for
  /// people: a person who shares an address with somebody here is merged into that person.
  mutating func settle() {
    let people = Set(addresses.values)
    identities = identities.filter { !shared.contains($0.value) || people.contains($0.key) }
    tagsHere = tagsHere.filter { !tagNames.contains(NameFolding.key($0.value)) }
  }

  /// Returns true if both archives have an ID.
  func isShared(_ id: UUID) -> Bool { shared.contains(id) }

  /// Returns the person known here who has an address there.
  func claimant(ofAddress address: String) -> UUID? {
    addresses[address].map { identities[$0] ?? $0 }
  }

  /// Returns an entry of the other archive with the IDs and numbers that it has here.
  mutating func adapted(_ type: String, _ json: JSON) -> JSON {
    // Rows of other programs are kept as imported.
    guard type != "interchange" else { return json }
    var result = withTagsOfHere(type, identities.isEmpty ? json : mapped(json))
    if type != "history" { result = index.withPeopleOfHere(result) }
    guard type == "term", var object = result.object, let number = result["termNumber"]?.int,
      let id = MergeContent.identity(result["id"]), let holder = index.terms[number], holder != id
    else { return result }
    object["termNumber"] = JSON(index.numbersOfTerms[id] ?? freeNumber(for: id))
    return .object(object)
  }

  /// Returns an entry, or an old version, with the names that its tags have here.
  private func withTagsOfHere(_ type: String, _ json: JSON) -> JSON {
    guard !tagsHere.isEmpty, var object = json.object else { return json }
    func own(_ name: String) -> String { tagsHere[NameFolding.key(name)] ?? name }
    if type == "tag", let name = object["name"]?.string { object["name"] = .string(own(name)) }
    if let names = object["tags"]?.array {
      var seen: Set<String> = []
      object["tags"] = JSON(
        names.compactMap(\.string).map(own).filter { seen.insert(NameFolding.key($0)).inserted })
    }
    if type == "history", let record = object["record"] {
      object["record"] = withTagsOfHere("", record)
    }
    return .object(object)
  }

  private mutating func freeNumber(for id: UUID) -> Int {
    if let number = renumbered[id] { return number }
    lastNumber += 1
    renumbered[id] = lastNumber
    return lastNumber
  }

  /// Returns a link to an entry that has another ID here.
  private func link(_ link: TextLink) -> String? {
    guard case .entry(let text)? = link.keys.first, let id = UUID(uuidString: text),
      let own = identities[id]
    else { return nil }
    return link.renamed(TextLink.entryPrefix + own.uuidString)
  }

  private func mapped(_ json: JSON) -> JSON {
    switch json {
    case .string(let text):
      if text.utf8.count == 36, let id = UUID(uuidString: text) {
        return identities[id].map { .string($0.uuidString) } ?? json
      }
      guard text.contains("[[\(TextLink.entryPrefix)") else { return json }
      return .string(TextLink.replacing(in: text, with: link))
    case .array(let values): return .array(values.map(mapped))
    case .object(let object):
      var result = JSONObject()
      for (key, value) in object.members { result[key] = mapped(value) }
      return .object(result)
    default: return json
    }
  }
}
