import ArkivedCore
import ArkivedCrypto
import Foundation

/// Half of a SHA-256 hash, which is enough to distinguish keys and contents in 16 bytes.
struct MergePrint: Hashable {
  private let high: UInt64
  private let low: UInt64

  init(_ text: String) {
    var hash = SHA256()
    var text = text
    text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
    (high, low) = hash.finalize().withUnsafeBytes {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }
}

/// The content of entries, and the keys that identify them in any archive.
enum MergeContent {
  /// The members that may differ between two copies of one entry with the same content.
  private static let volatile: Set<String> = [
    "type", "id", "createdAt", "updatedAt", "externalRefs", "people", "logTime", "typedText",
    "source", "linkId", "resource", "editedHere",
  ]

  /// Returns a fingerprint of an entry's content that does not depend on the format version of its
  /// line.
  static func print(_ json: JSON) -> MergePrint {
    var object = JSONObject()
    for (key, value) in json.object?.members ?? [] where !volatile.contains(key) {
      let told: JSON =
        switch key {
        case "mentions": .array((value.array ?? []).map { $0["name"] ?? .null })
        case "tags": JSON((value.array ?? []).compactMap(\.string).sorted())
        case "attachments":
          .array((value.array ?? []).map { $0["contentHash"] ?? $0["externalURL"] ?? .null })
        default: value
        }
      if let rest = ordered(told) { object[key] = rest }
    }
    return MergePrint((ordered(.object(object)) ?? .null).text())
  }

  /// Returns a value with its keys in order and without empty values; nil if nothing is left.
  private static func ordered(_ value: JSON) -> JSON? {
    switch value {
    case .null, .bool(false), .string(""): return nil
    case .array(let values):
      guard !values.isEmpty else { return nil }
      return JSON.array(values.map { ordered($0) ?? .null })
    case .object(let object):
      var result = JSONObject()
      for key in object.keys.sorted() {
        if let inner = object[key].flatMap(ordered) { result[key] = inner }
      }
      guard !result.isEmpty else { return nil }
      return JSON.object(result)
    default: return value
    }
  }

  /// Returns the keys that make an entry the same in two archives even if its IDs differ: its
  /// source, day, address, event or number.
  static func keys(_ type: String, _ json: JSON) -> [String] {
    func text(_ key: String) -> String { json[key]?.string ?? "" }
    func key(_ parts: String...) -> String { ([type] + parts).joined(separator: "\u{0}") }
    let references = (json["externalRefs"]?.array ?? []).compactMap { ref -> String? in
      guard let provider = ref["provider"]?.string, let external = ref["externalId"]?.string
      else { return nil }
      return key("ref", provider, external)
    }
    switch type {
    case "activity": return references
    case "day": return [key(text("dayKey"))] + references
    case "person":
      return addresses(json).map(addressKey) + references
    case "tag": return [key(NameFolding.key(text("name")))]
    case "metric": return [key(text("dayKey"), text("metric"), text("source"))]
    case "meeting": return [key(text("eventIdentifier"))]
    case "term": return [key("\(json["termNumber"]?.int ?? 0)", text("startDate"))]
    case "lifetime": return [key("sole")]
    default: return []
    }
  }

  /// Returns the key of an address in its normalised form.
  static func addressKey(_ address: String) -> String {
    ["person", "address", address].joined(separator: "\u{0}")
  }

  /// Returns a person's addresses in their normalised form.
  static func addresses(_ person: JSON) -> [String] {
    writtenAddresses(person).map(NameFolding.key).filter { !$0.isEmpty }
  }

  /// Returns a person's addresses as written, the first one first.
  static func writtenAddresses(_ person: JSON) -> [String] {
    ([person["email"]?.string] + (person["addresses"]?.array ?? []).map(\.string))
      .compactMap { $0 }.filter { !$0.isEmpty }
  }

  /// The members that a day or a person has once.
  private static let single = [
    "title", "mood", "energy", "weather", "name", "email", "relationshipSummary",
  ]

  /// Returns the values that a version of a day or a person has once, each with its name.
  static func sayings(_ version: JSON) -> Set<String> {
    Set(single.compactMap { key in version[key].map { saying(key, $0) } })
  }

  static func saying(_ key: String, _ value: JSON) -> String { "\(key)\u{0}\(value.text())" }

  static func identity(_ json: JSON?) -> UUID? { json?.string.flatMap { UUID(uuidString: $0) } }

  static func updatedAt(_ json: JSON) -> Instant? {
    (json["updatedAt"]?.string ?? json["createdAt"]?.string).flatMap { Instant($0) }
  }

  /// The types of lines that are about other lines, or not about any entry.
  static let noEntries: Set<String> = [
    "arkived", "attachment", "history", "tombstone", "interchange",
  ]

  /// Returns the table to which old versions of an entry refer.
  static func table(of type: String) -> EntityType? {
    switch type {
    case "activity": .activity
    case "day": .day
    case "person": .person
    case "tag": .tag
    case "metric": .metric
    default: GoalSide.type(named: type)?.entityType
    }
  }

  /// Returns an entry's title for a list.
  static func title(_ json: JSON) -> String {
    let fields = ["text", "title", "name", "note", "plainText", "content", "metric", "dayKey"]
    let text = fields.lazy.compactMap { json[$0]?.string }.first { !$0.isEmpty } ?? ""
    return String(text.prefix(120)).split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
