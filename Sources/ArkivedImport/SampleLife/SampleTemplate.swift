/// A part of a sentence pattern.
indirect enum TemplatePart: Sendable {
  case text(String)
  /// A word of a named list, the same wherever the same scene refers to the list.
  case list(Int)
  /// A fact of the scene: a person, a distance, a book.
  case fact(SceneFact)
  case number(ClosedRange<Int>)
  case word(ClosedRange<Int>)
  case person(Int)
  case choice([[TemplatePart]])
  /// A part preceded by "a" or "an".
  case article(TemplatePart)
}

/// A fact of a scene that a pattern may use.
enum SceneFact: String, Sendable, CaseIterable {
  case who = "p"
  case fullName = "P"
  case he, him, his
  case km, pages, minutes
  case project, what, client, feature, bug
  case book, author
  case city, degrees, month, weekday, year
  case companion
  /// Vegetables in season.
  case veg
}

/// A sentence pattern with its conditions of use.
struct SampleTemplate: Sendable {
  var id: Int
  var parts: [TemplatePart]
  /// Circumstances that are required, and those that are excluded.
  var needs: LifeFlags
  var bars: LifeFlags
  /// The lists that supply its words.
  var lists: [Int] = []
  /// Note sentences that belong to this log line alone.
  var paired: [SampleTemplate] = []
}

/// Circumstances that last for weeks or longer; patterns can refer to them as `<cat,!lockdown>`.
struct LifeFlags: OptionSet, Sendable, Hashable {
  let rawValue: UInt64

  static let names: [String] = [
    "winter", "spring", "summer", "autumn", "cat", "plot", "newflat", "choir", "running",
    "cycling", "japanese", "italian", "lockdown", "gran", "newjob", "workshop", "watch",
    "married", "bread", "sailing", "pottery", "injured", "advent", "meditation", "priya", "knits",
    "wet", "warm", "cold", "company", "openday", "project",
  ]

  static func named(_ name: String) -> LifeFlags {
    guard let place = names.firstIndex(of: name) else { return [] }
    return LifeFlags(rawValue: 1 << UInt64(place))
  }

  static let winter = named("winter")
  static let spring = named("spring")
  static let summer = named("summer")
  static let autumn = named("autumn")
  static let cat = named("cat")
  static let plot = named("plot")
  static let newflat = named("newflat")
  static let choir = named("choir")
  static let running = named("running")
  static let cycling = named("cycling")
  static let japanese = named("japanese")
  static let italian = named("italian")
  static let lockdown = named("lockdown")
  static let gran = named("gran")
  static let newjob = named("newjob")
  static let workshop = named("workshop")
  static let watch = named("watch")
  static let married = named("married")
  static let bread = named("bread")
  static let sailing = named("sailing")
  static let pottery = named("pottery")
  static let injured = named("injured")
  static let advent = named("advent")
  static let meditation = named("meditation")
  static let priya = named("priya")
  static let knits = named("knits")
  /// Precipitation of any kind: rain, drizzle, storm or snow.
  ///
  /// The following flags mean 18 degrees or more; less than 8; a companion on the trip; shops open
  /// on the next day.
  static let wet = named("wet")
  static let warm = named("warm")
  static let cold = named("cold")
  static let company = named("company")
  static let openday = named("openday")
  /// True if some piece of work currently has a name.
  static let project = named("project")
}

/// Parses pattern lines.
///
/// A pattern is plain text with `{name}` for a fact or a word of a list, `{a name}` for the same
/// with its article, `{n3-9}` and `{w3-9}` for a number in digits or words, `[one|two]` for a
/// choice, and `@key` for a person of the cast.
struct TemplateCompiler {
  var listNumbers: [String: Int]
  var personNumbers: [String: Int]
  private(set) var count = 0
  private var usedLists: [Int] = []
  /// The parts that couldn't be parsed; a test keeps this empty.
  private(set) var faults: [String] = []

  init(listNumbers: [String: Int], personNumbers: [String: Int]) {
    self.listNumbers = listNumbers
    self.personNumbers = personNumbers
  }

  mutating func compile(_ line: Substring) -> SampleTemplate {
    var needs: LifeFlags = []
    var bars: LifeFlags = []
    var rest = line
    if rest.first == "<", let end = rest.firstIndex(of: ">") {
      for name in rest[rest.index(after: rest.startIndex)..<end].split(separator: ",") {
        let isBarred = name.first == "!"
        let flag = LifeFlags.named(String(isBarred ? name.dropFirst() : name))
        if flag.isEmpty { faults.append("\(name) in \(line)") }
        if isBarred { bars.formUnion(flag) } else { needs.formUnion(flag) }
      }
      rest = rest[rest.index(after: end)...].drop { $0 == " " }
    }
    if rest.contains("{companion}") { needs.formUnion(.company) }
    let ofProject = ["{project}", "{what}", "{client}", "{feature}", "{bug}"]
    if ofProject.contains(where: { rest.contains($0) }) { needs.formUnion(.project) }
    count += 1
    usedLists.removeAll()
    let parts = parts(Array(rest.utf8)[...])
    return SampleTemplate(
      id: count - 1, parts: parts, needs: needs, bars: bars, lists: usedLists)
  }

  private mutating func parts(_ bytes: ArraySlice<UInt8>) -> [TemplatePart] {
    var result: [TemplatePart] = []
    var plain: [UInt8] = []
    func flush() {
      if !plain.isEmpty { result.append(.text(String(decoding: plain, as: UTF8.self))) }
      plain.removeAll()
    }
    var at = bytes.startIndex
    while at < bytes.endIndex {
      switch bytes[at] {
      case 0x7B:  // {
        flush()
        let end = bytes[at...].firstIndex(of: 0x7D) ?? bytes.endIndex - 1
        result.append(slot(String(decoding: bytes[(at + 1)..<end], as: UTF8.self)))
        at = end + 1
      case 0x5B:  // [
        flush()
        let end = bytes[at...].firstIndex(of: 0x5D) ?? bytes.endIndex - 1
        let options = bytes[(at + 1)..<end].split(
          separator: 0x7C, omittingEmptySubsequences: false)
        result.append(.choice(options.map { parts($0) }))
        at = end + 1
      case 0x40:  // @
        flush()
        var end = at + 1
        while end < bytes.endIndex, (0x61...0x7A).contains(bytes[end]) { end += 1 }
        let key = String(decoding: bytes[(at + 1)..<end], as: UTF8.self)
        if let number = personNumbers[key] {
          result.append(.person(number))
        } else {
          faults.append("@\(key)")
        }
        at = end
      default:
        plain.append(bytes[at])
        at += 1
      }
    }
    flush()
    return result
  }

  private mutating func slot(_ name: String) -> TemplatePart {
    if name.hasPrefix("a ") { return .article(slot(String(name.dropFirst(2)))) }
    if let fact = SceneFact(rawValue: name) { return .fact(fact) }
    if let number = listNumbers[name] {
      usedLists.append(number)
      return .list(number)
    }
    let bounds = name.dropFirst().split(separator: "-").compactMap { Int($0) }
    if bounds.count == 2, bounds[0] <= bounds[1] {
      if name.first == "n" { return .number(bounds[0]...bounds[1]) }
      if name.first == "w" { return .word(bounds[0]...bounds[1]) }
    }
    faults.append("{\(name)}")
    return .text(name)
  }
}
