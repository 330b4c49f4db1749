public import Foundation

/// One end of a time span in a filter: a day, which is included, or an instant, which is excluded
/// as an end.
package enum TimeBound: Hashable, Sendable {
  case day(DayKey)
  case instant(Instant)

  /// Reads a day or an instant in the form of the contract; returns nil for other texts.
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

/// Conditions on the meetings that a search finds.
package struct MeetingConditions: Hashable, Sendable {
  /// Groups of people, from each of which one person takes part and has not declined.
  package var groups: [[UUID]]
  /// True to find only meetings with others.
  package var isWithOthers: Bool

  package init(groups: [[UUID]] = [], isWithOthers: Bool = false) {
    self.groups = groups
    self.isWithOthers = isWithOthers
  }
}

/// A search query with its filters.
package struct SearchRequest: Hashable, Sendable {
  package enum Mode: String, Sendable, CaseIterable {
    case hybrid, words, meaning
  }

  package var query: String
  package var from: TimeBound?
  package var to: TimeBound?
  /// The tags, all of which the entry must have.
  package var tags: [String]
  package var kinds: [ActivityKind]
  package var source: ActivitySource?
  /// The people, all of whom the entry must mention, each by any of their names.
  package var people: [String]
  /// Further groups of people by ID; the entry must mention one person of each group.
  package var personGroups: [[UUID]]
  package var limit: Int
  package var offset: Int
  package var mode: Mode
  /// The time zone used to compare instants with entries that have only a day.
  package var homeZone = Zone.utc
  /// Groups of tags; the entry must have one tag of each group.
  package var tagGroups: [[String]] = []
  /// Tags the entry must not have.
  package var excludedTags: [String] = []
  /// Kinds the entry must not have.
  package var excludedKinds: [ActivityKind] = []
  package var excludedSources: [ActivitySource] = []
  /// People the entry must not mention.
  package var excludedPeople: [UUID] = []
  /// Names the entry must not mention without a known person: a name that several people have is
  /// stored as a name.
  package var excludedNames: [String] = []
  /// True to find only entries that are not pinned.
  package var isUnpinned = false
  /// True to find only pinned entries.
  package var isPinned = false
  /// Pieces of text that must occur literally in the entry, in any case.
  package var pieces: [String] = []
  /// The month and day that entries must have in any year.
  package var anniversary: Anniversary?
  /// The types of results; all if empty.
  package var types: [HitType] = []
  /// The conditions on meetings if only meetings are to be found.
  package var meetings: MeetingConditions?

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

  /// True if anything besides the query restricts the search.
  package var hasFilters: Bool {
    from != nil || to != nil || !tags.isEmpty || !kinds.isEmpty || source != nil
      || !people.isEmpty || !personGroups.isEmpty || !tagGroups.isEmpty || !excludedTags.isEmpty
      || !excludedKinds.isEmpty || !excludedSources.isEmpty || !excludedPeople.isEmpty
      || !excludedNames.isEmpty || isPinned || isUnpinned || !pieces.isEmpty || anniversary != nil
      || meetings != nil
  }
}

/// A kind of entry that a search can find.
public struct HitType: OpenString {
  /// The text as stored.
  public let rawValue: String
  /// Creates a value from a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An activity.
  public static let activity: HitType = "activity"
  /// The page of a day.
  public static let day: HitType = "day"
  /// A file, by its caption or name.
  public static let attachment: HitType = "attachment"
  /// A note.
  public static let note: HitType = "note"
  /// A goal.
  public static let goal: HitType = "goal"
  /// A value or a life area.
  public static let value: HitType = "value"
  /// A term.
  public static let term: HitType = "term"
}

/// An entry found by a search.
public struct SearchHit: Hashable, Sendable {
  /// The reason the entry is among the results.
  public struct Reason: Hashable, Sendable {
    /// The words of the query that were found.
    public var words: [String] = []
    /// The filters it passed, each as a short label such as `kind: health`.
    public var filters: [String] = []
    /// The similarity of its meaning to the query's, up to 1, or nil if that was not the reason.
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

  /// The type of entry.
  public var type: HitType
  /// The entry's ID.
  public var id: UUID
  /// The day it belongs to.
  public var dayKey: DayKey
  /// The instant at which it began, if known.
  public var startAt: Instant?
  /// The part of the day that is known instead of a clock time.
  public var dayPeriod: DayPeriod?
  /// True if it takes whole days, so its beginning isn't a clock time.
  package var isAllDay: Bool
  /// The IANA name of the zone it happened in.
  public var timeZone: String?
  /// The kind of an activity.
  public var kind: ActivityKind?
  /// The title of the result.
  public var title: String
  /// The part of its text that contains the words.
  public var snippet: Snippet
  /// The score; higher is better, and scores are comparable only within one search.
  public var score: Double
  /// The reason it is among the results.
  public var why: Reason
  /// References to the sources it was imported from.
  public var externalRefs: [ExternalRef]
  /// The note that the file belongs to, for a file of a note.
  public var noteID: UUID?

  package init(
    type: HitType, id: UUID, dayKey: DayKey, startAt: Instant? = nil,
    dayPeriod: DayPeriod? = nil, isAllDay: Bool = false, timeZone: String? = nil,
    kind: ActivityKind? = nil, title: String, snippet: Snippet, score: Double, why: Reason,
    externalRefs: [ExternalRef] = [], noteID: UUID? = nil
  ) {
    self.noteID = noteID
    self.type = type
    self.id = id
    self.dayKey = dayKey
    self.startAt = startAt
    self.dayPeriod = dayPeriod
    self.isAllDay = isAllDay
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
    if let dayPeriod { object["dayPeriod"] = .string(dayPeriod.rawValue) }
    if let noteID { object["noteId"] = .string(noteID.uuidString) }
    return .object(object)
  }
}

extension SearchHit {
  /// Returns the time as the entry's day shows it, without an end: "09:00", "all day", "morning",
  /// or "2026-03-13 23:10" if it began on another day; nil without a time.
  package func shownTime(home: Zone) -> String? {
    guard let startAt else { return nil }
    if isAllDay { return said("all day") }
    if let dayPeriod { return dayPeriod.name }
    let start = (Zone(timeZone ?? "") ?? home).wallTime(at: startAt)
    return (start.day == dayKey ? "" : "\(start.day) ") + start.shownClock
  }

  /// The entry's title if its snippet shows another part of it, for example its place or its notes;
  /// nil if the snippet is the title or begins with it.
  package var titleBesideSnippet: String? {
    func plain(_ text: String) -> String {
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    // The snippet shows the words of links in the title, or all of it.
    let (typed, title) = (plain(self.title), plain(TextLink.words(of: self.title)))
    let shown = plain(snippet.text)
    guard !title.isEmpty, title != shown, typed != shown else { return nil }
    let core = shown.trimmingCharacters(in: CharacterSet(charactersIn: "… "))
    guard !core.isEmpty else { return title }
    // The snippet may be part of a long title, or of a text whose title is its beginning.
    let isPart = core != shown || core.unicodeScalars.count >= Self.longSnippet
    if isPart, title.contains(core) { return nil }
    // Notes without a title are named by their first words, and the snippets of goals include the
    // title.
    if type != .activity, shown.hasPrefix(title) || shown.hasPrefix(typed) { return nil }
    return title
  }

  /// The length from which a snippet may be cut without an ellipsis.
  private static let longSnippet = 200

  /// The title and the match in one text: `choir · the parish hall`.
  package var excerpt: String {
    guard let title = titleBesideSnippet else { return snippet.text }
    return snippet.text.isEmpty ? title : "\(title) · \(snippet.text)"
  }
}

/// A part of an entry's text with the words found in it.
public struct Snippet: Hashable, Sendable {
  /// The text.
  public var text: String
  /// The ranges of the found words, in Unicode scalars of `text`.
  public var highlights: [Range<Int>]

  package init(text: String, highlights: [Range<Int>] = []) {
    self.text = text
    self.highlights = highlights
  }

  /// Reads a text in which `Segmentation`'s marks surround the found words.
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
        // The tokenizer ends a word before the signs of its last letter.
        if start == nil, let last = ranges.last, last.upperBound == count - 1, Self.isSign(scalar) {
          ranges[ranges.count - 1] = last.lowerBound..<count
        }
      }
    }
    self.init(text: String(scalars), highlights: ranges)
  }

  /// Returns true for a sign that belongs to the letter before it.
  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// The text in pieces, each with a flag that is true for found words.
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
