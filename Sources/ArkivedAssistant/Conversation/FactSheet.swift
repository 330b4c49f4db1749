package import ArkivedCore
package import Foundation

/// The facts for a model's answer: entries, each with a number for citing it.
package struct FactSheet: Sendable {
  /// One entry.
  package struct Fact: Sendable {
    /// The number, starting at 1.
    package var number: Int
    package var type: String
    package var id: UUID
    package var dayKey: String
    package var text: String

    package var json: JSON {
      [
        "type": .string(type), "id": .string(id.uuidString), "dayKey": .string(dayKey),
        "snippet": .string(text), "externalRefs": [], "number": JSON(number),
      ]
    }
  }

  package private(set) var facts: [Fact] = []

  package init() {}

  /// Returns an entry's number, and assigns one if it has none.
  package mutating func number(type: String, id: UUID, dayKey: String, text: String) -> Int {
    if let known = facts.first(where: { $0.id == id }) { return known.number }
    let fact = Fact(
      number: facts.count + 1, type: type, id: id, dayKey: dayKey, text: String(text.prefix(200)))
    facts.append(fact)
    return fact.number
  }

  /// Removes all entries but the first ones.
  mutating func keep(_ count: Int) { facts = Array(facts.prefix(count)) }

  /// Returns a tool's answer with the number (`cite`) of every entry in it.
  mutating func numbered(_ json: JSON) -> JSON {
    switch json {
    case .array(let elements): return .array(elements.map { numbered($0) })
    case .object(let object):
      var told = JSONObject()
      if let number = number(of: object) { told["cite"] = JSON(number) }
      for (key, value) in object.members where !Self.silent.contains(key) {
        told[key] = numbered(value)
      }
      return .object(told)
    default: return json
    }
  }

  /// Fields that cost tokens without informing a model.
  private static let silent: Set<String> = [
    "externalRefs", "highlights", "score", "why", "createdAt", "updatedAt", "typedText",
  ]

  private mutating func number(of object: JSONObject) -> Int? {
    guard let id = object["id"]?.string.flatMap({ UUID(identity: $0) }) else { return nil }
    let texts = ["textPreview", "snippet", "text", "title", "name"]
    guard let text = texts.lazy.compactMap({ object[$0]?.string }).first else { return nil }
    let day = object["dayKey"]?.string ?? ""
    let type = object["type"]?.string ?? (day.isEmpty ? "other" : "activity")
    return number(type: type, id: id, dayKey: day, text: text)
  }
}
