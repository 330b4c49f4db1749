package import ArkivedCore
package import Foundation

/// A review of a span of days: prose, the statements it consists of with their evidence, and series
/// for small charts.
package struct Recap: Sendable {
  /// The evidence for a statement.
  package enum Citation: Sendable {
    case entry(TimelineEntry)
    /// A value recorded for the day itself: its mood, its energy or a device metric; `id` is the
    /// day entry's ID.
    case day(DayKey, id: UUID?, value: String)
  }

  /// A number in a statement, with its baseline.
  package struct Figure: Hashable, Sendable {
    package var label: String
    package var value: Double
    /// The usual value; nil if there is too little data for one.
    package var usual: Double?
    package var unit: String?
    /// The basis of `usual` in words: "median of the 12 weeks before".
    package var basis: String?

    init(_ label: String, _ value: Double, usual: Usual? = nil, unit: String? = nil) {
      self.label = label
      // Removes the rounding error of a sum.
      self.value = abs(value) < 1e9 ? (value * 1e6).rounded() / 1e6 : value
      self.usual = usual?.value
      self.unit = unit
      basis = usual?.basis
    }
  }

  /// One sentence, or a few that belong together, with the evidence.
  package struct Statement: Sendable {
    package var sentence: String
    /// The citations, at most ``Recap/citationLimit``.
    package var citations: [Citation]
    /// The total number of citations.
    package var citationCount: Int
    package var figures: [Figure]

    init(_ sentence: String, citing citations: [Citation], figures: [Figure] = []) {
      self.sentence = sentence
      self.citations = Array(citations.prefix(Recap.citationLimit))
      citationCount = citations.count
      self.figures = figures
    }

    init(_ sentence: String, entries: [TimelineEntry], figures: [Figure] = []) {
      self.sentence = sentence
      citations = entries.prefix(Recap.citationLimit).map { .entry($0) }
      citationCount = entries.count
      self.figures = figures
    }
  }

  /// Statements about one aspect of the span.
  package struct Section: Sendable {
    /// The aspect, as an open string: overview, course, highlights, days, people, places, measures,
    /// time, health, mood, note, firsts, streaks, ended, past, ahead.
    package var kind: String
    package var statements: [Statement]
  }

  /// Values over the span, one per day or per month.
  package struct Series: Sendable {
    package struct Point: Hashable, Sendable {
      package var label: String
      package var day: DayKey
      /// The value; nil if there is none.
      package var value: Double?
    }

    package var name: String
    package var unit: String?
    package var points: [Point]
  }

  /// The maximum number of citations in a statement.
  package static let citationLimit = 24

  package var span: RecapSpan
  package var title: String
  /// True if the span was not over when this was computed.
  package var isSoFar: Bool
  package var sections: [Section]
  package var series: [Series]

  /// The paragraphs, separated by an empty line.
  package var text: String {
    var paragraphs: [String] = []
    var before = ""
    for section in sections {
      let paragraph = section.statements.map(\.sentence).joined(separator: " ")
      // Short adjacent sections on similar topics read better as a single paragraph.
      if let last = paragraphs.last, Recap.joined[section.kind]?.contains(before) == true,
        last.count + paragraph.count < 480
      {
        paragraphs[paragraphs.count - 1] = last + " " + paragraph
      } else {
        paragraphs.append(paragraph)
      }
      before = section.kind
    }
    return paragraphs.joined(separator: "\n\n")
  }

  /// The kinds of section that may continue another section's paragraph.
  private static let joined: [String: Set<String>] = [
    "places": ["people"], "time": ["measures"], "health": ["measures"], "mood": ["health"],
    "streaks": ["firsts"], "ended": ["firsts", "streaks"],
  ]

  package var statements: [Statement] { sections.flatMap(\.statements) }
}

extension Recap {
  /// Returns the recap as JSON for tools and pages: `title`, `unit`, `from`, `to`, `isSoFar`,
  /// `text`, `sections` of statements with citations as in the `ask` contract, and `series`.
  ///
  /// - Parameter cite: returns an entry as the contract cites it.
  /// - Returns: the JSON.
  package func json(_ cite: (TimelineEntry) -> JSON) -> JSON {
    [
      "title": .string(title), "unit": .string(span.unit), "from": JSON(span.days.lowerBound),
      "to": JSON(span.days.upperBound), "isSoFar": .bool(isSoFar), "text": .string(text),
      "sections": .array(
        sections.map { section in
          [
            "kind": .string(section.kind),
            "statements": .array(section.statements.map { $0.json(cite) }),
          ]
        }),
      "series": .array(series.map(\.json)),
    ]
  }
}

extension Recap {
  /// Returns the result of the tools `summarizeDay` and `weeklyRecap`: `text` and all `statements`
  /// in order, each with the `section` to which it belongs.
  package func toolResult(_ cite: (TimelineEntry) -> JSON) -> JSON {
    let all = sections.flatMap { section in
      section.statements.map { statement -> JSON in
        var members = statement.json(cite).object ?? [:]
        members["section"] = .string(section.kind)
        return .object(members)
      }
    }
    return [
      "title": .string(title), "from": JSON(span.days.lowerBound), "to": JSON(span.days.upperBound),
      "isSoFar": .bool(isSoFar), "text": .string(text), "statements": .array(all),
    ]
  }
}

extension Recap.Statement {
  func json(_ cite: (TimelineEntry) -> JSON) -> JSON {
    [
      "sentence": .string(sentence), "citations": .array(citations.map { $0.json(cite) }),
      "citationCount": JSON(citationCount), "figures": .array(figures.map(\.json)),
    ]
  }
}

extension Recap.Citation {
  /// The day of the citation.
  package var day: DayKey {
    switch self {
    case .entry(let entry): entry.day
    case .day(let day, _, _): day
    }
  }

  func json(_ cite: (TimelineEntry) -> JSON) -> JSON {
    switch self {
    case .entry(let entry): cite(entry)
    case .day(let day, let id, let value):
      [
        "type": "day", "id": JSON(id?.uuidString), "dayKey": JSON(day),
        "snippet": .string(value), "externalRefs": [],
      ]
    }
  }
}

extension Recap.Figure {
  package var json: JSON {
    [
      "label": .string(label), "value": JSON(value), "usual": JSON(usual), "unit": JSON(unit),
      "basis": JSON(basis),
    ]
  }
}

extension Recap.Series {
  package var json: JSON {
    [
      "name": .string(name), "unit": JSON(unit),
      "points": .array(
        points.map {
          ["label": .string($0.label), "dayKey": JSON($0.day), "value": JSON($0.value)]
        }),
    ]
  }
}
