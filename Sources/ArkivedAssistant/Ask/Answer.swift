package import ArkivedCore
import Foundation

/// A computed answer with the entries that prove it.
package struct Answer: Sendable {
  /// One number or text of the answer, with what it belongs to.
  package struct Value: Hashable, Sendable {
    package var label: String
    package var value: JSON

    package init(label: String, value: JSON) {
      self.label = label
      self.value = value
    }
  }

  package var sentence: String
  package var kind: Question.Kind
  package var values: [Value]
  package var unit: String?
  package var question: Question
  /// The days the answer covers, both included; nil when the question names no time.
  package var days: ClosedRange<DayKey>?
  package var ignored: [String]
  /// The entries that prove it; at most as many as were asked for.
  package var citations: [SearchHit]
  /// How many entries prove it altogether.
  package var citationCount: Int

  package var json: JSON {
    let open = days ?? DayKey.earliest...DayKey.latest
    return [
      "answer": .string(sentence), "kind": .string(kind.rawValue),
      "values": .array(values.map(\.value)), "unit": JSON(unit),
      "understood": [
        "from": open.lowerBound == .earliest ? .null : JSON(open.lowerBound),
        "to": open.upperBound == .latest ? .null : JSON(open.upperBound),
        "people": JSON(question.people.flatMap { $0.candidates.map(\.name) }),
        "tags": JSON(question.tags), "kinds": JSON(question.kinds.map(\.rawValue)),
        "words": JSON(question.words), "measure": JSON(question.measure), "place": nil,
      ],
      "ignored": JSON(ignored),
      "citations": .array(
        citations.map { hit in
          [
            "type": .string(hit.type.rawValue), "id": .string(hit.id.uuidString),
            "dayKey": JSON(hit.dayKey), "snippet": .string(hit.snippet.text),
            "externalRefs": .array(
              hit.externalRefs.map {
                ["provider": .string($0.provider), "externalId": .string($0.externalID)]
              }),
          ]
        }), "citationCount": JSON(citationCount), "labels": JSON(values.map(\.label)),
    ]
  }
}
