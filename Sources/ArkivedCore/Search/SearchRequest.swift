public import Foundation

/// One end of a span of time in a filter: a day, which is included, or an instant, which as an end
/// is not.
package enum TimeBound: Hashable, Sendable {
  case day(DayKey)
  case instant(Instant)

  /// Reads a day or an instant as the contract writes them, or nil.
  package init?(_ text: String) {
    if let day = DayKey(text) {
      self = .day(day)
    } else if let instant = Instant(text) {
      self = .instant(instant)
    } else {
      return nil
    }
  }
}

/// What is searched for.
package struct SearchRequest: Hashable, Sendable {
  package enum Mode: String, Sendable, CaseIterable {
    case hybrid, words, meaning
  }

  package var query: String
  package var from: TimeBound?
  package var to: TimeBound?
  /// All of them must be on the entry.
  package var tags: [String]
  package var kinds: [ActivityKind]
  package var source: ActivitySource?
  /// All of them must be named in the entry; each by any of its names.
  package var people: [String]
  /// Further groups of people by identity, one of each group must be named in the entry.
  package var personGroups: [[UUID]]
  package var limit: Int
  package var offset: Int
  package var mode: Mode
  /// The zone in which instants meet entries that have only a day.
  package var homeZone = Zone.utc
  /// Groups of tags, one of each group must be on the entry.
  package var tagGroups: [[String]] = []
  /// None of them may be on the entry.
  package var excludedTags: [String] = []
  /// Of none of them may the entry be.
  package var excludedKinds: [ActivityKind] = []
  package var excludedSources: [ActivitySource] = []
  /// None of these people may be named in the entry.
  package var excludedPeople: [UUID] = []
  /// Only entries without a pin.
  package var isUnpinned = false
  /// Only pinned entries.
  package var isPinned = false
  /// Pieces of text that must stand in the entry as they are, in any case.
  package var pieces: [String] = []
  /// Only entries of one month and day, over the years.
  package var anniversary: Anniversary?

  package init(
    query: String, from: TimeBound? = nil, to: TimeBound? = nil, tags: [String] = [],
    kinds: [ActivityKind] = [], source: ActivitySource? = nil, people: [String] = [],
    personGroups: [[UUID]] = [], limit: Int = 20, offset: Int = 0, mode: Mode = .hybrid
  ) {
    self.query = query
    self.from = from
    self.to = to
    self.tags = tags
    self.kinds = kinds
    self.source = source
    self.people = people
    self.personGroups = personGroups
    self.limit = limit
    self.offset = offset
    self.mode = mode
  }

  /// Whether anything besides the query narrows the search.
  package var hasFilters: Bool {
    from != nil || to != nil || !tags.isEmpty || !kinds.isEmpty || source != nil
      || !people.isEmpty || !personGroups.isEmpty || !tagGroups.isEmpty || !excludedTags.isEmpty
      || !excludedKinds.isEmpty || !excludedSources.isEmpty || !excludedPeople.isEmpty
      || isPinned || isUnpinned || !pieces.isEmpty || anniversary != nil
  }
}

/// A kind of entry that a search can find.
public struct HitType: OpenString {
  /// The text as it is stored.
  public let rawValue: String
  /// Makes the value of a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An activity.
  public static let activity: HitType = "activity"
  /// A day's own page.
  public static let day: HitType = "day"
  /// A file, by its caption or name.
  public static let attachment: HitType = "attachment"
  /// A note.
  public static let note: HitType = "note"
  /// A goal.
  public static let goal: HitType = "goal"
  /// A value or an area of life.
  public static let value: HitType = "value"
  /// A term.
  public static let term: HitType = "term"
}

/// One entry that a search found.
public struct SearchHit: Hashable, Sendable {
  /// Why the entry is among the results.
  public struct Reason: Hashable, Sendable {
    /// The words of the query that were found.
    public var words: [String] = []
    /// The filters it passed, each as a short label: `kind: health`.
    public var filters: [String] = []
    /// How near its meaning is to the query's, up to 1; nil where that was not why.
    public var similarity: Double?

    package init(words: [String] = [], filters: [String] = [], similarity: Double? = nil) {
      self.words = words
      self.filters = filters
      self.similarity = similarity
    }

    package var json: JSON {
      var object = JSONObject()
      object["words"] = JSON(words)
      object["filters"] = JSON(filters)
      if let similarity { object["similarity"] = JSON((similarity * 1000).rounded() / 1000) }
      return .object(object)
    }
  }

  /// The sort of entry.
  public var type: HitType
  /// The entry's identity.
  public var id: UUID
  /// The day that it belongs to.
  public var dayKey: DayKey
  /// The moment it began, where that is known.
  public var startAt: Instant?
  /// The IANA name of the zone it happened in.
  public var timeZone: String?
  /// The kind of an activity.
  public var kind: ActivityKind?
  /// The line that stands for it.
  public var title: String
  /// The piece of its text in which the words were found.
  public var snippet: Snippet
  /// Higher is better; comparable within one search only.
  public var score: Double
  /// Why it is among the results.
  public var why: Reason
  /// Where it was imported from.
  public var externalRefs: [ExternalRef]
  /// Of a file of a note: whose it is.
  public var noteID: UUID?

  package init(
    type: HitType, id: UUID, dayKey: DayKey, startAt: Instant? = nil, timeZone: String? = nil,
    kind: ActivityKind? = nil, title: String, snippet: Snippet, score: Double, why: Reason,
    externalRefs: [ExternalRef] = [], noteID: UUID? = nil
  ) {
    self.noteID = noteID
    self.type = type
    self.id = id
    self.dayKey = dayKey
    self.startAt = startAt
    self.timeZone = timeZone
    self.kind = kind
    self.title = title
    self.snippet = snippet
    self.score = score
    self.why = why
    self.externalRefs = externalRefs
  }

  package var json: JSON {
    var object: JSONObject = [
      "type": .string(type.rawValue), "id": .string(id.uuidString), "dayKey": JSON(dayKey),
      "startAt": JSON(startAt), "title": .string(title), "snippet": .string(snippet.text),
      "score": JSON(score),
      "why": why.json,
      "externalRefs": .array(
        externalRefs.map {
          ["provider": .string($0.provider), "externalId": .string($0.externalID)]
        }),
      "highlights": .array(
        snippet.highlights.map { [.integer(Int64($0.lowerBound)), .integer(Int64($0.upperBound))] }),
    ]
    if let noteID { object["noteId"] = .string(noteID.uuidString) }
    return .object(object)
  }
}

extension SearchHit {
  /// The entry's title where its snippet shows something else of it, as where the words stand in its
  /// place or its notes; nil where the snippet is the title or begins with it.
  package var titleBesideSnippet: String? {
    func plain(_ text: String) -> String {
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let (title, shown) = (plain(self.title), plain(snippet.text))
    guard !title.isEmpty, title != shown else { return nil }
    let core = shown.trimmingCharacters(in: CharacterSet(charactersIn: "… "))
    guard !core.isEmpty else { return title }
    // A part of a long title, or of a text whose title is how it begins.
    let isPart = core != shown || core.unicodeScalars.count >= Self.longSnippet
    if isPart, title.contains(core) { return nil }
    // Notes without a title are called by their first words, and goals bring theirs along.
    if type != .activity, shown.hasPrefix(title) { return nil }
    return title
  }

  /// From this length on a snippet may be cut without an ellipsis.
  private static let longSnippet = 200

  /// The title and what was found, in one text: `choir · the parish hall`.
  package var excerpt: String {
    guard let title = titleBesideSnippet else { return snippet.text }
    return snippet.text.isEmpty ? title : "\(title) · \(snippet.text)"
  }
}

/// A piece of an entry's text with the found words in it.
public struct Snippet: Hashable, Sendable {
  /// The piece of text.
  public var text: String
  /// Where the found words stand, counted in Unicode scalars of `text`.
  public var highlights: [Range<Int>]

  package init(text: String, highlights: [Range<Int>] = []) {
    self.text = text
    self.highlights = highlights
  }

  /// Reads a text in which `Segmentation`'s marks stand around the found words.
  package init(marked: String) {
    var scalars = String.UnicodeScalarView()
    var ranges: [Range<Int>] = []
    var start: Int?
    var count = 0
    for scalar in marked.unicodeScalars {
      switch scalar {
      case Segmentation.separator: break
      case Segmentation.markStart: start = count
      case Segmentation.markEnd:
        if let begin = start, begin < count {
          if let last = ranges.last, last.upperBound == begin {
            ranges[ranges.count - 1] = last.lowerBound..<count
          } else {
            ranges.append(begin..<count)
          }
        }
        start = nil
      default:
        scalars.append(scalar)
        count += 1
      }
    }
    self.init(text: String(scalars), highlights: ranges)
  }

  /// The text in pieces, each with whether it is a found word.
  public var pieces: [(text: String, isHighlighted: Bool)] {
    let scalars = Array(text.unicodeScalars)
    var pieces: [(String, Bool)] = []
    var position = 0
    func piece(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range])
      return String(view)
    }
    for range in highlights where range.lowerBound >= position && range.upperBound <= scalars.count
    {
      if range.lowerBound > position { pieces.append((piece(position..<range.lowerBound), false)) }
      pieces.append((piece(range), true))
      position = range.upperBound
    }
    if position < scalars.count { pieces.append((piece(position..<scalars.count), false)) }
    return pieces
  }
}
