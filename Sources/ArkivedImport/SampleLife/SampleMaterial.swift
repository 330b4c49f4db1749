import ArkivedCore

/// A kind of event, with its log texts and its sentences for notes.
struct EventSpec: Sendable {
  var key: String
  var kind: ActivityKind
  /// The duration in minutes; nil if it has no time of day.
  var minutes: ClosedRange<Int>?
  var tags: [String]
  /// The likelihood that a note mentions it, 0 to 9.
  var weight: Int
  /// The list of possible venues.
  var venueList: Int?
  var source: ActivitySource
  /// The pools of patterns.
  var texts: Int
  var notes: Int
}

/// A named collection of patterns to draw from.
struct TemplatePool: Sendable {
  var name: String
  var purpose: UInt64
  var templates: [SampleTemplate]
  /// All flags on which any of its patterns depends.
  var asked: LifeFlags
}

/// A place to go to.
struct SampleVenue: Sendable {
  var name: String
  var lat: Double
  var lon: Double
}

/// A list of words, or of venues by name.
struct WordList: Sendable {
  var name: String
  var purpose: UInt64
  var words: [String]
  var venues: [SampleVenue]
}

/// All the words and patterns of the sample life, read once from the texts in `Words/`.
struct SampleMaterial: Sendable {
  static let shared = SampleMaterial()

  private(set) var cast: SampleCast
  private(set) var lists: [WordList] = []
  private(set) var listNumbers: [String: Int] = [:]
  private(set) var pools: [TemplatePool] = []
  private(set) var poolNumbers: [String: Int] = [:]
  private(set) var specs: [EventSpec] = []
  private(set) var specNumbers: [String: Int] = [:]
  private(set) var beats: [Int: [Beat]] = [:]
  private(set) var destinations: [String: Destination] = [:]
  private(set) var faults: [String] = []
  private(set) var templateCount = 0
  /// The lists of food; a meal takes its words from a single one.
  private(set) var mealLists: [Int] = []

  private init() {
    cast = SampleCast(SampleWords.people)
    for text in SampleWords.lists { readLists(text) }
    mealLists = ["soup", "lunch", "dish"].compactMap { listNumbers[$0] }
    var compiler = TemplateCompiler(
      listNumbers: listNumbers, personNumbers: cast.numbers)
    for text in SampleWords.events { readEvents(text, &compiler) }
    for text in SampleWords.arcs { readArcs(text, &compiler) }
    for text in SampleWords.destinations { readDestinations(text, &compiler) }
    faults += compiler.faults
    templateCount = compiler.count
  }

  /// Parses one list per line: `name: word|word`, or `name= Venue;lat;lon|…` for venues.
  private mutating func readLists(_ text: String) {
    for line in text.split(separator: "\n") {
      guard let mark = line.firstIndex(where: { $0 == ":" || $0 == "=" }) else { continue }
      let name = String(line[..<mark])
      let items = line[line.index(after: mark)...].drop { $0 == " " }.split(separator: "|")
      var list = WordList(name: name, purpose: purposeNumber("list " + name), words: [], venues: [])
      for item in items {
        if line[mark] == "=" {
          let fields = item.split(separator: ";")
          guard fields.count == 3, let lat = Double(fields[1]), let lon = Double(fields[2]) else {
            continue
          }
          list.venues.append(SampleVenue(name: String(fields[0]), lat: lat, lon: lon))
          list.words.append(String(fields[0]))
        } else {
          list.words.append(String(item))
        }
      }
      listNumbers[name] = lists.count
      lists.append(list)
    }
  }

  /// Returns the number of a pool, creating it if it is new.
  private mutating func pool(_ name: String) -> Int {
    if let number = poolNumbers[name] { return number }
    poolNumbers[name] = pools.count
    pools.append(
      TemplatePool(name: name, purpose: purposeNumber("pool " + name), templates: [], asked: []))
    return pools.count - 1
  }

  private mutating func append(_ template: SampleTemplate, to number: Int) {
    pools[number].templates.append(template)
    pools[number].asked.formUnion(template.needs.union(template.bars))
  }

  /// Parses blocks of patterns.
  ///
  /// `= key | kind | 30-60 | tag,tag | weight | venues | source` begins an event, whose log texts
  /// follow as `a …` and whose note sentences as `n …`; `# name` begins a pool of sentences.
  private mutating func readEvents(_ text: String, _ compiler: inout TemplateCompiler) {
    var texts = 0
    var notes = 0
    var isPool = true
    for line in text.split(separator: "\n") {
      if line.hasPrefix("# ") {
        isPool = true
        notes = pool(String(line.dropFirst(2)))
        texts = notes
      } else if line.hasPrefix("= ") {
        isPool = false
        let fields = line.dropFirst(2).split(separator: "|", omittingEmptySubsequences: false)
          .map { $0.trimmed }
        let key = fields[0]
        texts = pool(key + " a")
        notes = pool(key + " n")
        guard fields.count >= 5, specNumbers[key] == nil else { continue }
        let bounds = fields[2].split(separator: "-").compactMap { Int($0) }
        specNumbers[key] = specs.count
        specs.append(
          EventSpec(
            key: key, kind: ActivityKind(rawValue: fields[1]),
            minutes: bounds.count == 2 ? bounds[0]...bounds[1] : nil,
            tags: fields[3].split(separator: ",").map(String.init),
            weight: Int(fields[4]) ?? 1,
            venueList: fields.count > 5 ? listNumbers[fields[5]] : nil,
            source: fields.count > 6 ? ActivitySource(rawValue: fields[6]) : .manual,
            texts: texts, notes: notes))
      } else if isPool {
        append(compiler.compile(line), to: notes)
      } else if line.hasPrefix("a ") {
        append(readText(line.dropFirst(2), &compiler), to: texts)
      } else if line.hasPrefix("n ") {
        append(compiler.compile(line.dropFirst(2)), to: notes)
      } else {
        faults.append(String(line))
      }
    }
  }

  /// Parses a log text, with its own note sentences after ` => `, separated by ` // `.
  private func readText(
    _ line: Substring, _ compiler: inout TemplateCompiler
  ) -> SampleTemplate {
    guard let mark = line.firstRange(of: " => ") else { return compiler.compile(line) }
    var template = compiler.compile(line[..<mark.lowerBound])
    template.paired = SampleMaterial.sentences(String(line[mark.upperBound...]))
      .map { compiler.compile($0) }
    return template
  }

  /// Parses stories that extend over weeks: `* name YYYY-MM-DD`, then a line for each beat, `days
  /// after | mood | kind HH:MM minutes tag | log text | note | title`.
  private mutating func readArcs(_ text: String, _ compiler: inout TemplateCompiler) {
    var start = 0
    var name = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("* ") {
        let words = line.split(separator: " ")
        guard words.count == 3, let day = DayKey(String(words[2])) else { continue }
        start = day.daysSinceEpoch
        name = String(words[1])
        continue
      }
      let fields = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmed }
      guard fields.count >= 5, let offset = Int(fields[0]) else { continue }
      let when = fields[2].split(separator: " ").map(String.init)
      let clock = (when.count > 1 ? when[1] : "").split(separator: ":").compactMap { Int($0) }
      beats[start + offset, default: []].append(
        Beat(
          arc: name, mood: Int(fields[1]) ?? 0,
          kind: ActivityKind(rawValue: when.first ?? "personal"),
          start: clock.count == 2 ? clock[0] * 60 + clock[1] : nil,
          minutes: when.count > 2 ? Int(when[2]) ?? 60 : 60,
          tags: when.dropFirst(3).flatMap { $0.split(separator: ",").map(String.init) },
          text: fields[3].isEmpty ? nil : compiler.compile(Substring(fields[3])),
          notes: SampleMaterial.sentences(fields[4]).map { compiler.compile($0) },
          title: fields.count > 5 && !fields[5].isEmpty ? fields[5] : nil))
    }
  }

  /// Parses `* key zone lat lon`, then lists and blocks as in events, in pools named after the
  /// place.
  private mutating func readDestinations(_ text: String, _ compiler: inout TemplateCompiler) {
    guard let first = text.split(separator: "\n").first, let place = Destination(first) else {
      return
    }
    var result = place
    for line in text.split(separator: "\n").dropFirst() {
      let part = line.prefix(2)
      let name = place.key + "." + String(part.trimmed)
      switch part {
      case "m ", "l ", "a ", "e ":
        let fields = line.dropFirst(2).split(separator: "|", omittingEmptySubsequences: false)
          .map { $0.trimmed }
        let venue = fields.count > 2 ? SampleMaterial.venue(fields[2]) : nil
        let sight = Sight(
          part: part.first ?? "m", venue: venue,
          text: compiler.compile(Substring(fields[0])),
          notes: fields.count > 1
            ? SampleMaterial.sentences(fields[1]).map { compiler.compile($0) } : [])
        result.sights.append(sight)
      case "n ":
        append(compiler.compile(line.dropFirst(2)), to: pool(name))
      default: faults.append(String(line))
      }
    }
    result.ambient = pool(place.key + ".n")
    destinations[place.key] = result
  }

  private static func venue(_ text: String) -> SampleVenue? {
    let fields = text.split(separator: ";")
    guard fields.count == 3, let lat = Double(fields[1]), let lon = Double(fields[2]) else {
      return nil
    }
    return SampleVenue(name: String(fields[0]), lat: lat, lon: lon)
  }

  /// Splits patterns of several sentences at ` // `, so each can be counted.
  private static func sentences(_ text: String) -> [Substring] {
    guard !text.isEmpty else { return [] }
    return text.split(separator: "//").map { Substring($0.trimmed) }
  }
}

extension StringProtocol {
  /// The text without leading and trailing spaces.
  var trimmed: String {
    var view = self[...]
    while view.first == " " { view = view.dropFirst() }
    while view.last == " " { view = view.dropLast() }
    return String(view)
  }
}
