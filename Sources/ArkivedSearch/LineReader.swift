package import ArkivedCore
import ArkivedStore
import Foundation

/// A request whose line was read, with the line's filters added to its own.
package struct LineRequest: Sendable {
  /// The request, with only the words as its query.
  package var request: SearchRequest
  /// The interpretation of filters, if it is not obvious: “from march: 1 March 2026”.
  package var reading: [String] = []
  /// The labels of filters that the request contains by ID, as in `SearchHit.Reason`.
  package var labels: [String] = []
  /// Sentences about text that looks like a filter but was not used.
  package var unread: [String] = []
  /// Sentences about filters that match nothing.
  package var missing: [String] = []

  package var notes: [String] { unread + missing }

  /// The texts of the line's filters, as typed.
  fileprivate(set) var filterTexts: [String] = []

  /// Returns the line with other words between the same filters.
  package func line(withWords words: String) -> String {
    (filterTexts + [words]).joined(separator: " ")
  }
}

extension HybridSearch {
  /// Reads the filters in a request's line, which apply in addition to the request's own.
  ///
  /// - Parameters:
  ///   - request: the search.
  ///   - isExact: true if names must be complete. Otherwise, `tag:wo` means every tag with that
  ///     beginning unless there is a tag of that name, and `#word` is a word if there is no such
  ///     tag.
  /// - Returns: the request with the line's filters.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func read(_ request: SearchRequest, isExact: Bool = false) throws -> LineRequest {
    var reader = LineReader(search: self, request: request, isExact: isExact)
    return try reader.read()
  }

  /// Returns the entries and notes that pass the filters, newest first, read from their own tables
  /// through the tables' indexes.
  func list(_ request: SearchRequest) throws -> [SearchHit] {
    guard request.hasFilters else { return [] }
    let reason = SearchHit.Reason(filters: try archive.reasons(request))
    let found = try archive.listWithNotes(request)
    let entries = try archive.entries(found.entries).map { $0.hit(because: reason) }
    guard !found.notes.isEmpty else { return entries }
    let notes = try archive.hits(
      of: found.notes.map { Archive.FoundDocument(document: $0, score: 0) }, request,
      words: WordQuery(terms: []), expand: { _ in [] })
    var hits: [SearchHit] = []
    var rest = notes[...]
    for entry in entries {
      while let note = rest.first, note.dayKey > entry.dayKey {
        hits.append(note)
        rest.removeFirst()
      }
      hits.append(entry)
    }
    return hits + rest
  }
}

/// The reading of one line.
private struct LineReader {
  let search: HybridSearch
  let isExact: Bool
  private var result: LineRequest
  private let times: TimeReader
  private let line: QueryLine
  private let wasAsked: Bool

  /// The largest number of names that a prefix may represent.
  private static let nameLimit = 50

  init(search: HybridSearch, request: SearchRequest, isExact: Bool) {
    self.search = search
    self.isExact = isExact
    let times = TimeReader(now: search.archive.clock.now, zone: search.zone)
    self.times = times
    result = LineRequest(request: request)
    wasAsked = !request.query.isEmpty
    line = QueryLine(request.query) { name, words in
      LineReader.isValue(name, words, search, times)
    }
  }

  private static func isValue(
    _ name: QueryLine.Name, _ words: String, _ search: HybridSearch, _ times: TimeReader
  ) -> Bool {
    switch name {
    case .tag: (try? search.archive.tagName(words)) ?? nil != nil
    case .person: !((try? search.archive.people(named: words)) ?? []).isEmpty
    case .kind, .source, .state: false
    default: LineReader.span(words, name, times) != nil
    }
  }

  mutating func read() throws -> LineRequest {
    guard wasAsked else { return result }
    var words: [String] = []
    for (position, part) in line.parts.enumerated() {
      switch part {
      case .word(let text): words.append(text)
      case .unfinished(let text):
        // At the end of the line, it is still being typed.
        if isExact || position + 1 < line.parts.count {
          result.unread.append("“\(text)” needs a value right after the colon")
        }
      case .filter(let filter):
        if try apply(filter) {
          result.filterTexts.append(filter.text)
        } else {
          words.append(filter.text)
        }
      }
    }
    result.request.query = words.joined(separator: " ")
    return result
  }

  /// Applies a filter.
  ///
  /// - Returns: false if the filter's text is only words.
  private mutating func apply(_ filter: QueryLine.Filter) throws -> Bool {
    if filter.isExcluded, filter.name.isTime {
      refuse(filter, "a time can’t be excluded")
      return true
    }
    switch filter.name {
    case .tag: return try tags(filter)
    case .person: return try people(filter)
    case .kind: kinds(filter)
    case .source: source(filter)
    case .state: return state(filter)
    case .from, .to, .on, .before, .after: time(filter)
    }
    return true
  }

  private mutating func refuse(_ filter: QueryLine.Filter, _ reason: String) {
    result.unread.append("“\(filter.text.prefix(80))” is ignored: \(reason)")
  }

  private mutating func say(_ filter: QueryLine.Filter, _ names: [String]) {
    result.reading.append("\(filter.text.prefix(80)): \(LineReader.list(names))")
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(4).joined(separator: " or ")
    return names.count > 4 ? "\(shown) or \(names.count - 4) more" : shown
  }

  // MARK: Names

  private mutating func tags(_ filter: QueryLine.Filter) throws -> Bool {
    var names: [String] = []
    var isCompleted = false
    for value in filter.values {
      let bare = value.hasPrefix("#") ? String(value.dropFirst()) : value
      if let name = try search.archive.tagName(bare) {
        names.append(name)
        continue
      }
      let completed =
        isExact || filter.isExcluded
        ? [] : try search.archive.tagNames(beginningWith: bare, limit: LineReader.nameLimit)
      guard completed.isEmpty else {
        names += completed
        isCompleted = true
        continue
      }
      if filter.isMark, !isExact { return false }
      names.append(bare)
      result.missing.append("No tag named “\(bare.prefix(80))”")
    }
    if filter.isExcluded {
      result.request.excludedTags += names
    } else if names.count == 1 {
      result.request.tags += names
    } else {
      result.request.tagGroups.append(names)
    }
    if isCompleted { say(filter, names) }
    return true
  }

  private mutating func people(_ filter: QueryLine.Filter) throws -> Bool {
    var group: [KnownPerson] = []
    var isCompleted = false
    for value in filter.values {
      var name = value.hasPrefix("@") ? String(value.dropFirst()) : value
      var found = try search.archive.people(named: name)
      if found.isEmpty, filter.isMark {
        // In a mark, a dot represents a space.
        let spaced = String(name.map { $0 == "." || $0 == "_" ? " " : $0 })
        found = try search.archive.people(named: spaced)
        if !found.isEmpty { name = spaced }
      }
      if found.isEmpty, !isExact, !filter.isExcluded {
        found = try search.archive.people(beginningWith: name, limit: LineReader.nameLimit)
        isCompleted = isCompleted || !found.isEmpty
      }
      if found.isEmpty {
        if filter.isMark, !isExact { return false }
        result.missing.append("No person named “\(name.prefix(80))”")
      }
      if filter.isExcluded { result.request.excludedNames.append(name) }
      if filter.values.count == 1, !isCompleted, !filter.isExcluded {
        // Filtering by the name's words also matches people who are not known.
        result.request.people.append(name)
        return true
      }
      group += found
    }
    let ids = group.compactMap(\.id)
    if filter.isExcluded {
      result.request.excludedPeople += ids
      if !ids.isEmpty { result.labels.append("not \(LineReader.list(group.map(\.name)))") }
      return true
    }
    // No entry matches a group without people.
    if ids.isEmpty {
      result.request.people += filter.values.prefix(1)
    } else {
      result.request.personGroups.append(ids)
      result.labels.append("person: \(LineReader.list(group.map(\.name)))")
    }
    say(filter, group.map(\.name))
    return true
  }

  // MARK: Kinds, sources and states

  /// Returns the known values for a word: the one that equals it, otherwise those that begin with
  /// it.
  private func known(_ value: String, _ names: [String]) -> [String] {
    let folded = value.lowercased()
    if let name = names.first(where: { $0.lowercased() == folded }) { return [name] }
    return isExact ? [] : names.filter { $0.lowercased().hasPrefix(folded) }
  }

  private mutating func kinds(_ filter: QueryLine.Filter) {
    var kinds: [String] = []
    for value in filter.values {
      let names = known(value, ActivityKind.known.map(\.rawValue))
      kinds += names.isEmpty ? [value] : names
    }
    let wanted = kinds.map(ActivityKind.init(rawValue:))
    guard !filter.isExcluded else {
      result.request.excludedKinds += wanted
      return
    }
    let both =
      result.request.kinds.isEmpty ? wanted : result.request.kinds.filter { wanted.contains($0) }
    guard !both.isEmpty else { return refuse(filter, "an entry has only one kind") }
    result.request.kinds = both
  }

  private mutating func source(_ filter: QueryLine.Filter) {
    let names = ActivitySource.known.map(\.rawValue)
    let sources = filter.values.map { value in
      // The short name of an importer is its source.
      let name = known(value, names).first ?? known(value + "Import", names).first ?? value
      return ActivitySource(rawValue: name)
    }
    if filter.isExcluded {
      result.request.excludedSources += sources
    } else if sources.count == 1, result.request.source == nil {
      result.request.source = sources[0]
    } else {
      refuse(filter, "an entry has only one source")
    }
  }

  private mutating func state(_ filter: QueryLine.Filter) -> Bool {
    let isPinned = filter.values.allSatisfy { known($0, ["pinned", "starred"]).count > 0 }
    if isPinned, filter.isExcluded {
      result.request.isUnpinned = true
    } else if isPinned {
      result.request.isPinned = true
    }
    return isPinned
  }

  // MARK: Times

  private struct Span {
    var from: TimeBound?
    var to: TimeBound?
  }

  private static func span(_ words: String, _ name: QueryLine.Name, _ times: TimeReader) -> Span? {
    let opening = name == .before || name == .after ? "\(name.rawValue) " : ""
    if !opening.isEmpty, let bound = TimeBound(words) {
      guard case .day(let day) = bound else {
        return name == .before ? Span(to: bound) : Span(from: bound)
      }
      return name == .before
        ? Span(to: .day(day.advanced(by: -1))) : Span(from: .day(day.advanced(by: 1)))
    }
    let spaced = String(words.map { $0 == "-" || $0 == "_" ? " " : $0 })
    for text in [words, spaced] {
      if let phrase = try? times.phrase(opening + text) {
        return Span(from: phrase.from, to: phrase.to)
      }
    }
    return nil
  }

  private mutating func time(_ filter: QueryLine.Filter) {
    let words = filter.values.joined(separator: " ")
    guard let span = LineReader.span(words, filter.name, times) else {
      return refuse(filter, "“\(words.prefix(60))” isn’t a time")
    }
    var (from, to) = (span.from, span.to)
    switch filter.name {
    case .from:
      guard from != nil else { return refuse(filter, "that period has no start date") }
      // An instant needs no time zone.
      if let bound = TimeBound(words) { from = bound }
      to = nil
    case .to:
      guard to != nil else { return refuse(filter, "that period has no end date") }
      if let bound = TimeBound(words) { to = bound }
      from = nil
    default: break
    }
    result.request.narrow(from: from, to: to, zone: search.zone)
    guard TimeBound(words) == nil else { return }
    let label = "\(filter.name.rawValue) \(words)"
    switch (from, to) {
    case (.day(let first)?, .day(let last)?) where first <= last:
      result.reading.append("\(label): \(SpanText.days(first...last))")
    case (.day(let first)?, nil):
      result.reading.append("\(label): \(SpanText.days(first...DayKey.latest))")
    case (nil, .day(let last)?):
      result.reading.append("\(label): \(SpanText.days(DayKey.earliest...last))")
    default: break
    }
  }
}

extension SearchRequest {
  /// Restricts the filters to a time span, in addition to earlier ones.
  package mutating func narrow(from first: TimeBound?, to last: TimeBound?, zone: Zone) {
    func start(_ bound: TimeBound) -> Instant {
      switch bound {
      case .day(let day): zone.start(of: day)
      case .instant(let instant): instant
      }
    }
    func end(_ bound: TimeBound) -> Instant {
      switch bound {
      case .day(let day): zone.start(of: day.advanced(by: 1))
      case .instant(let instant): instant
      }
    }
    if let first, from.map({ start($0) < start(first) }) ?? true { from = first }
    if let last, to.map({ end($0) > end(last) }) ?? true { to = last }
  }
}
