import ArkivedCore

/// An event of a day, with the facts shared by its log line and the day's note.
struct Scene {
  /// The number of its `EventSpec`; nil for a step of a story or a sight.
  var spec: Int?
  /// The minute of the local day; nil if only the day is known.
  var start: Int?
  var minutes = 0
  /// True for a whole day, which has no time.
  var isAllDay = false
  var kind: ActivityKind = .personal
  var source: ActivitySource = .manual
  var tags: [String] = []
  var weight = 1
  var venue: SampleVenue?
  /// The person it is about, as a number in the cast.
  var who: Int?
  /// The others present who aren't named in the text.
  var others: [Int] = []
  var measurements: [(unit: String, amount: Double)] = []
  var givenMinutes: Double?
  var km = 0.0
  var pages = 0
  var text = ""
  /// The cast members named in the rendered words.
  var named: [Int] = []
  /// The words drawn from lists, so the note uses the same ones as the log.
  var words: [(list: Int, item: Int)] = []
  /// The number of earlier events of this kind, used for dealing out patterns.
  var place = 0
  var isPinned = false
  /// The zone at the beginning; a flight also has the one at its end.
  var zone = ""
  /// The source of its note sentences if it has no spec.
  var noteTemplates: [SampleTemplate] = []
  var title: String?
  var isBeat = false
}

/// Fills sentence patterns with the words of a day.
final class SceneWriter {
  let material: SampleMaterial
  let random: SampleRandom
  private(set) var frame: DayFrame
  private var listDraws: [UInt16]
  private var poolDraws: [UInt16]
  private var filtered: [UInt64: [Int]] = [:]
  /// The patterns used in this day's notes.
  private(set) var usedTemplates: [Int] = []
  private var salt = 0

  init(_ material: SampleMaterial, _ random: SampleRandom, _ frame: DayFrame) {
    self.material = material
    self.random = random
    self.frame = frame
    listDraws = Array(repeating: 0, count: material.lists.count)
    poolDraws = Array(repeating: 0, count: material.pools.count)
  }

  func begin(_ frame: DayFrame) {
    self.frame = frame
    for place in listDraws.indices { listDraws[place] = 0 }
    for place in poolDraws.indices { poolDraws[place] = 0 }
    usedTemplates.removeAll(keepingCapacity: true)
    salt = 0
  }

  func note(used template: SampleTemplate) { usedTemplates.append(template.id) }

  /// Returns the next pattern of a pool that fits the day, or nil if none does.
  func draw(_ pool: Int, place: Int) -> SampleTemplate? {
    let source = material.pools[pool]
    guard !source.templates.isEmpty else { return nil }
    let asked = frame.flags.intersection(source.asked)
    let key = UInt64(pool) << 48 ^ SampleRandom.mix(asked.rawValue) >> 16
    let fitting: [Int]
    if let known = filtered[key] {
      fitting = known
    } else {
      fitting = source.templates.indices.filter {
        let template = source.templates[$0]
        return template.needs.isSubset(of: asked) && template.bars.isDisjoint(with: asked)
      }
      filtered[key] = fitting
    }
    guard !fitting.isEmpty else { return nil }
    let again = Int(poolDraws[pool])
    poolDraws[pool] += 1
    let card = random.card(fitting.count, source.purpose, at: place + again * 9)
    return source.templates[fitting[card]]
  }

  /// Draws a pattern for the note of a scene like `draw`, keeping the food of the scene the same.
  func drawNote(_ pool: Int, for scene: Scene) -> SampleTemplate? {
    var template = draw(pool, place: scene.place)
    for turn in 1...4 {
      guard let drawn = template, !agrees(drawn, with: scene) else { return template }
      template = draw(pool, place: scene.place + turn * 3)
    }
    return template.flatMap { agrees($0, with: scene) ? $0 : nil }
  }

  private func agrees(_ template: SampleTemplate, with scene: Scene) -> Bool {
    let known = scene.words.map(\.list).filter { material.mealLists.contains($0) }
    guard !known.isEmpty else { return true }
    return template.lists.allSatisfy { !material.mealLists.contains($0) || known.contains($0) }
  }

  func draw(_ name: String, place: Int) -> SampleTemplate? {
    material.poolNumbers[name].flatMap { draw($0, place: place) }
  }

  /// Returns the words of a pattern as a part of a scene.
  func render(_ template: SampleTemplate, _ scene: inout Scene) -> String {
    var text = ""
    for part in template.parts { append(part, to: &text, &scene) }
    return text
  }

  /// Renders a pattern like `render`, with a capital at the start.
  func sentence(_ template: SampleTemplate, _ scene: inout Scene) -> String {
    usedTemplates.append(template.id)
    var text = ""
    for part in template.parts {
      var piece = ""
      append(part, to: &piece, &scene)
      if text.isEmpty || SceneWriter.endsSentence(text) {
        if let first = piece.first, first.isLowercase {
          piece = first.uppercased() + piece.dropFirst()
        }
      }
      text += piece
    }
    return text
  }

  /// Returns true if a new sentence follows a text, because it ends with a full stop or the like
  /// and a space.
  private static func endsSentence(_ text: String) -> Bool {
    let tail = text.utf8.suffix(2)
    guard tail.count == 2, tail.last == 0x20, let mark = tail.first else { return false }
    return mark == 0x2E || mark == 0x3F || mark == 0x21
  }

  private func append(_ part: TemplatePart, to text: inout String, _ scene: inout Scene) {
    switch part {
    case .text(let plain): text += plain
    case .list(let number): text += word(number, &scene)
    case .fact(let fact): append(fact, to: &text, &scene)
    case .number(let range): text += String(number(range))
    case .word(let range): text += SceneWriter.numberWord(number(range))
    case .person(let number):
      if !scene.named.contains(number) { scene.named.append(number) }
      text += material.cast.members[number].shortName
    case .choice(let options):
      salt += 1
      for part in options[random.index(options.count, 0x90, frame.number, salt)] {
        append(part, to: &text, &scene)
      }
    case .article(let inner):
      var words = ""
      append(inner, to: &words, &scene)
      text += SceneWriter.article(words) + " " + words
    }
  }

  private func number(_ range: ClosedRange<Int>) -> Int {
    salt += 1
    return range.lowerBound + random.index(range.count, 0x91, frame.number, salt)
  }

  private func word(_ number: Int, _ scene: inout Scene) -> String {
    let list = material.lists[number]
    if let known = scene.words.first(where: { $0.list == number }) { return list.words[known.item] }
    let item = card(number)
    scene.words.append((number, item))
    return list.words[item]
  }

  /// Returns the next item of a list.
  func card(_ number: Int) -> Int {
    let list = material.lists[number]
    let again = Int(listDraws[number])
    listDraws[number] += 1
    return random.card(list.words.count, list.purpose, at: frame.number * 2 + again)
  }

  private func append(_ fact: SceneFact, to text: inout String, _ scene: inout Scene) {
    switch fact {
    case .who:
      if let who = scene.who { append(.person(who), to: &text, &scene) }
    case .fullName:
      if let who = scene.who {
        if !scene.named.contains(who) { scene.named.append(who) }
        text += material.cast.members[who].name
      }
    case .he: text += isShe(scene) ? "she" : "he"
    case .him: text += isShe(scene) ? "her" : "him"
    case .his: text += isShe(scene) ? "her" : "his"
    case .km: text += SceneWriter.decimal(scene.km)
    case .pages: text += String(scene.pages)
    case .minutes: text += String(scene.minutes)
    case .project: text += frame.project?.name ?? "it"
    case .what: text += frame.project?.what ?? "the work"
    case .client:
      if let key = frame.project?.client, let number = material.cast.numbers[key] {
        append(.person(number), to: &text, &scene)
      } else {
        text += "the client"
      }
    case .feature: text += deal(frame.project?.features, 0x92) ?? "the page"
    case .bug: text += deal(frame.project?.bugs, 0x93) ?? "the fault"
    case .book: text += SceneWriter.book(frame.number, random, material).title
    case .author: text += SceneWriter.book(frame.number, random, material).author
    case .city: text += frame.trip?.destination.city ?? "Hamburg"
    case .degrees: text += String(frame.sky.degrees)
    case .veg:
      let season = frame.flags.intersection([.winter, .spring, .summer, .autumn])
      let name =
        season == .winter
        ? "winterveg"
        : season == .spring ? "springveg" : season == .summer ? "summerveg" : "autumnveg"
      if let number = material.listNumbers[name] { text += word(number, &scene) }
    case .month: text += MonthName.full[frame.month - 1]
    case .weekday: text += frame.weekday.name
    case .year: text += String(frame.year)
    case .companion:
      if let key = frame.trip?.trip.companion, let number = material.cast.numbers[key] {
        append(.person(number), to: &text, &scene)
      } else {
        text += "the stranger beside me"
      }
    }
  }

  private func isShe(_ scene: Scene) -> Bool {
    scene.who.map { material.cast.members[$0].isShe } ?? true
  }

  private func deal(_ words: [String]?, _ purpose: UInt64) -> String? {
    guard let words, !words.isEmpty else { return nil }
    return words[random.card(words.count, purpose, at: frame.number / 2)]
  }

  /// Returns the current book, which lasts a fortnight; its title and author are composed from
  /// lists.
  static func book(
    _ number: Int, _ random: SampleRandom, _ material: SampleMaterial
  ) -> (title: String, author: String) {
    let turn = (number + 7_000_000) / 14
    func pick(_ name: String, _ purpose: UInt64) -> String {
      guard let list = material.listNumbers[name] else { return name }
      let words = material.lists[list].words
      return words[random.card(words.count, purpose, at: turn)]
    }
    let noun = pick("booknoun", 0xB1)
    let title =
      switch random.card(4, 0xB5, at: turn) {
      case 0: "The \(pick("bookowner", 0xB2))'s \(noun)"
      case 1: "\(pick("bookowner", 0xB3)) and \(noun)"
      case 2: "The \(noun) at \(pick("bookplace", 0xB4))"
      default: "\(pick("bookadjective", 0xB6)) \(noun)"
      }
    return (title, pick("authorfirst", 0xB7) + " " + pick("authorlast", 0xB8))
  }

  static func numberWord(_ number: Int) -> String {
    let words = [
      "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
      "eleven", "twelve",
    ]
    return words.indices.contains(number) ? words[number] : String(number)
  }

  /// Returns a number with one decimal place, or none if it is zero.
  static func decimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns "a" or "an", depending on the first letter.
  static func article(_ words: String) -> String {
    guard let first = words.unicodeScalars.first else { return "a" }
    if ["hour", "honest", "heir"].contains(where: { words.hasPrefix($0) }) { return "an" }
    if ["uni", "use", "eu", "one"].contains(where: { words.hasPrefix($0) }) { return "a" }
    return "aeiouAEIOU8".unicodeScalars.contains(first) ? "an" : "a"
  }
}
