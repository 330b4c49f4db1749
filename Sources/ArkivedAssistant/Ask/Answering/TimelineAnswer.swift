package import ArkivedCore
import Foundation

/// A computed answer with the entries that support it, in the shape of the `ask` contract.
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
  /// The parts of `ignored` that are interpretations which may be wrong, as clauses that begin with
  /// “whether” or “which”.
  package var uncertain: [String] = []
  /// True for an answer of the kind `none` to a question that was understood, so nothing else may
  /// be meant.
  var isUnderstood = false
  /// The parts of `ignored` that the sentence already tells.
  var stated: Set<String> = []
  /// The interpretation of the question: “ with Alex Moreau for #lunch (2024)”.
  package var reading = ""
  package var citations: [TimelineEntry] = []

  /// Adds what was not used and what is uncertain to the sentence, as some interfaces show only
  /// that.
  mutating func tellDoubts() {
    let unused = ignored.filter { !uncertain.contains($0) && !stated.contains($0) }
    if !unused.isEmpty { sentence += " " + said("Not used: \(unused.joined(separator: ", ")).") }
    if !uncertain.isEmpty {
      sentence += " " + said("Not certain: \(uncertain.joined(separator: ", ")).")
    }
  }

  /// Returns the answer in the shape of the contract.
  ///
  /// - Parameters:
  ///   - cited: the citations, or a page of them.
  ///   - count: the total number of citations.
  /// - Returns: the JSON.
  package func json(citations cited: [JSON], count: Int) -> JSON {
    [
      "answer": .string(sentence), "kind": .string(kind), "values": .array(values),
      "unit": JSON(unit),
      "understood": [
        "from": days.map { $0.lowerBound == .earliest ? .null : JSON($0.lowerBound) } ?? .null,
        "to": days.map { $0.upperBound == .latest ? .null : JSON($0.upperBound) } ?? .null,
        "people": JSON(people), "tags": JSON(tags), "kinds": JSON([String]()),
        "words": JSON(words), "measure": JSON(measureName),
        "place": places.first.map { .string($0) } ?? .null,
        "otherReadings": .array(
          question.otherReadings.map {
            ["label": .string($0.label), "question": .string($0.question)]
          }),
        "parts": .array(
          question.parts.map {
            ["key": .string($0.key), "role": .string($0.role), "label": .string($0.label)]
          }),
      ],
      "ignored": JSON(ignored),
      "citations": .array(cited), "citationCount": JSON(count), "labels": JSON(labels),
    ]
  }

  /// The numbers of a series with their labels; empty for other answers.
  package var series: [(label: String, value: Double)] {
    Self.series(values, labels)
  }

  /// Returns the numbers of a series with their labels from the values and labels of an answer.
  package static func series(
    _ values: [JSON], _ labels: [String]
  ) -> [(label: String, value: Double)] {
    guard values.count > 1, values.count == labels.count else { return [] }
    let numbers = values.compactMap(\.double)
    if numbers.count == values.count {
      return zip(labels, numbers).map { (label: $0, value: $1) }
    }
    // The names are followed by how often each occurs.
    let counts = labels.compactMap(Double.init)
    let names = values.compactMap(\.string)
    guard counts.count == values.count, names.count == values.count else { return [] }
    return zip(names, counts).map { (label: $0, value: $1) }
  }

  /// True if the answer is based on values recorded for days themselves, not on entries.
  package var isOfDays: Bool {
    switch question.measure {
    case .metric, .mood, .energy: true
    default: question.dayValue != nil || question.isComplement
    }
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
