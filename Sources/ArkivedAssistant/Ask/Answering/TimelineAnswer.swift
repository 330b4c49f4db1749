package import ArkivedCore
import Foundation

/// A computed answer with the entries that prove it, in the shape of the `ask` contract.
package struct TimelineAnswer: Sendable {
  package var sentence: String
  package var kind: String
  package var values: [JSON] = []
  package var labels: [String] = []
  package var unit: String?
  package var question: AskQuestion
  package var days: ClosedRange<DayKey>?
  package var people: [String] = []
  package var tags: [String] = []
  package var words: [String] = []
  package var places: [String] = []
  package var ignored: [String] = []
  /// How the question was read: “ with Alex Moreau for #lunch (2024)”.
  package var reading = ""
  package var citations: [TimelineEntry] = []

  package var json: JSON {
    [
      "answer": .string(sentence), "kind": .string(kind), "values": .array(values),
      "unit": JSON(unit),
      "understood": [
        "from": days.map { $0.lowerBound == .earliest ? .null : JSON($0.lowerBound) } ?? .null,
        "to": days.map { $0.upperBound == .latest ? .null : JSON($0.upperBound) } ?? .null,
        "people": JSON(people), "tags": JSON(tags), "kinds": JSON([String]()),
        "words": JSON(words), "measure": JSON(measureName),
        "place": places.first.map { .string($0) } ?? .null,
      ],
      "ignored": JSON(ignored),
      "citations": .array(
        citations.map { entry in
          [
            "type": .string(entry.type.rawValue), "id": .string(entry.id.uuidString),
            "dayKey": JSON(entry.day), "snippet": .string(String(entry.text.prefix(160))),
            "externalRefs": .array(
              entry.externalRefs.map {
                ["provider": .string($0.provider), "externalId": .string($0.externalID)]
              }),
          ]
        }), "citationCount": JSON(citations.count), "labels": JSON(labels),
    ]
  }

  private var measureName: String? {
    switch question.measure {
    case .unit(let name), .duration(let name), .metric(let name), .quantity(let name): name
    case .mood: "mood"
    case .energy: "energy"
    case .extent, .people, nil: unit
    }
  }
}
