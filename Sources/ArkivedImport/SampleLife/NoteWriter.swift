import ArkivedCore

/// A day's note before it becomes an entry.
struct DayNote {
  var title: String?
  var text = ""
  var mood: Int?
  var energy: Int?
  /// The numbers of the cast members mentioned in the note.
  var named: [Int] = []
}

/// Writes the note of a day from its events.
struct NoteWriter {
  let writer: SceneWriter
  let random: SampleRandom
  let frame: DayFrame
  private var paragraphs: [[String]] = [[]]
  private var named: [Int] = []

  init(_ writer: SceneWriter, _ random: SampleRandom, _ frame: DayFrame) {
    self.writer = writer
    self.random = random
    self.frame = frame
  }

  private func roll(_ purpose: UInt64) -> Double { random.unit(purpose, frame.number) }

  /// True if anything is written on the day.
  private var isNoted: Bool {
    if frame.isGap { return false }
    if !frame.beats.isEmpty { return true }
    if frame.isWorkday, frame.course == frame.project?.launchDay { return true }
    let month = frame.year * 12 + frame.month
    let diligence = 0.56 + random.unit(0x161, month) * 0.34
    return roll(0x162) < (frame.trip != nil ? 0.9 : frame.isWeekend ? diligence + 0.07 : diligence)
  }

  mutating func write(_ scenes: inout [Scene]) -> DayNote? {
    guard isNoted else { return nil }
    let length = roll(0x163)
    let wanted = length < 0.16 ? 2 : length < 0.62 ? 4 : length < 0.9 ? 6 : 9
    let beats = scenes.indices.filter { scenes[$0].isBeat }
    if beats.isEmpty, roll(0x164) < 0.5 { addOpening() }
    for place in beats {
      for template in scenes[place].noteTemplates { say(template, &scenes[place]) }
    }
    if !beats.isEmpty, roll(0x165) < 0.7 { paragraph() }
    // An important day is described on its own.
    if frame.beats.allSatisfy({ abs($0.mood) < 2 }) {
      addEvents(&scenes, wanted: wanted)
      if sentences < wanted { addHomeLife() }
      if sentences < wanted || roll(0x166) < 0.2 { addClosing() }
      if frame.trip == nil, roll(0x167) < 0.045 { addList() }
    }
    let text = paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
      .joined(separator: "\n\n")
    guard !text.isEmpty else { return nil }
    var note = DayNote(text: text, named: named)
    note.title = title(scenes)
    if roll(0x168) < 0.82 {
      note.mood = mood(scenes)
      note.energy = energy(scenes)
    }
    return note
  }

  private var sentences: Int { paragraphs.reduce(0) { $0 + $1.count } }

  private mutating func paragraph() {
    if paragraphs.last?.isEmpty == false { paragraphs.append([]) }
  }

  private mutating func say(_ template: SampleTemplate, _ scene: inout Scene) {
    let before = scene.named
    scene.named = []
    let text = writer.sentence(template, &scene)
    for person in scene.named where !named.contains(person) { named.append(person) }
    scene.named = before
    paragraphs[paragraphs.count - 1].append(text)
  }

  /// Adds a sentence from a pool about the day as a whole.
  @discardableResult
  private mutating func say(_ pool: String, place: Int? = nil) -> Bool {
    guard let template = writer.draw(pool, place: place ?? frame.number) else { return false }
    var scene = Scene()
    say(template, &scene)
    return true
  }

  private mutating func addOpening() {
    if frame.trip?.isFirst == true || frame.trip?.isLast == true || isWithFamily { return }
    let draw = roll(0x171)
    if draw < 0.58 {
      say(frame.trip == nil ? "sky." + frame.sky.kind.rawValue : "tripsky." + skyGroup)
    } else if frame.trip == nil, frame.illness == nil {
      if draw < 0.75 {
        say("season")
      } else {
        say(frame.isWorkday ? "open.work" : "open.free")
      }
    }
  }

  /// True at the parents' house, where nothing is foreign.
  private var isWithFamily: Bool { frame.trip?.destination.key == "england" }

  private var skyGroup: String {
    switch frame.sky.kind {
    case .sun, .heat: "fine"
    case .rain, .drizzle, .storm, .snow: "wet"
    default: "plain"
    }
  }

  private mutating func addEvents(_ scenes: inout [Scene], wanted: Int) {
    var ranked: [(score: Double, place: Int)] = []
    for place in scenes.indices where !scenes[place].isBeat {
      let hasWords =
        !scenes[place].noteTemplates.isEmpty
        || scenes[place].spec.map { spec in
          !writer.material.pools[writer.material.specs[spec].notes].templates.isEmpty
        } ?? false
      guard hasWords, scenes[place].weight > 0 else { continue }
      let score = Double(scenes[place].weight) + random.unit(0x172, frame.number, place) * 5
      ranked.append((score, place))
    }
    ranked.sort { $0.score > $1.score }
    let room = max(1, wanted - sentences - (roll(0x173) < 0.5 ? 1 : 0))
    let chosen = ranked.prefix(min(room, 5)).map(\.place).sorted()
    for (turn, place) in chosen.enumerated() {
      if turn > 0, (paragraphs.last?.count ?? 0) > 2, random.unit(0x174, frame.number, turn) < 0.25
      {
        paragraph()
      }
      if !scenes[place].noteTemplates.isEmpty {
        for template in scenes[place].noteTemplates where sentences < wanted + 2 {
          say(template, &scenes[place])
        }
      } else if let spec = scenes[place].spec,
        let template = writer.drawNote(writer.material.specs[spec].notes, for: scenes[place])
      {
        say(template, &scenes[place])
      }
    }
  }

  private mutating func addHomeLife() {
    if frame.trip != nil {
      guard let trip = frame.trip, !trip.isLast, !(trip.isFirst && trip.destination.minutes > 500)
      else { return }
      if sentences > 2, roll(0x175) < 0.4 { paragraph() }
      say(trip.destination.key + ".n")
      return
    }
    guard frame.illness == nil else { return }
    if (paragraphs.last?.count ?? 0) > 2, roll(0x176) < 0.5 { paragraph() }
    let draw = roll(0x177)
    if frame.isBeforeTrip, draw < 0.2 {
      say("ahead")
    } else if frame.isAfterTrip, draw < 0.24 {
      say("behind")
    } else if frame.isWorkday, draw < 0.42 {
      say(frame.flags.contains(.lockdown) ? "homeoffice" : "officelife")
    } else if draw < 0.62, frame.flags.contains(.cat) {
      say("cat")
    } else if draw < 0.84 {
      say("jonas")
    } else {
      say("running gag")
    }
  }

  private mutating func addClosing() {
    if frame.trip != nil {
      if frame.trip?.isLast == false, frame.trip?.isFirst == false, !isWithFamily {
        say("tripclose")
      }
      return
    }
    if frame.illness != nil { return }
    say(roll(0x178) < 0.5 ? "muse" : "close")
  }

  private mutating func addList() {
    let sort = ["list.shop", "list.small", "list.next"][random.index(3, 0x17A, frame.number)]
    guard let heading = writer.draw(sort + " heading", place: frame.number) else { return }
    var scene = Scene()
    paragraphs.append([writer.sentence(heading, &scene)])
    var items: [String] = []
    for _ in 0..<(2 + random.index(3, 0x179, frame.number)) {
      guard let template = writer.draw(sort + " item", place: frame.number) else { break }
      writer.note(used: template)
      var scene = Scene()
      items.append("- " + writer.render(template, &scene))
    }
    paragraphs.append([items.joined(separator: "\n")])
  }

  private func title(_ scenes: [Scene]) -> String? {
    if let told = scenes.first(where: { $0.title != nil })?.title { return told }
    if let trip = frame.trip, roll(0x181) < 0.45 {
      if trip.isFirst { return "To \(trip.destination.city)" }
      if trip.isLast { return "Home from \(trip.destination.city)" }
      return "\(trip.destination.city), day \(SceneWriter.numberWord(trip.number + 1))"
    }
    if let holiday = frame.holiday, roll(0x182) < 0.6 { return holiday }
    guard roll(0x183) < 0.12, let template = writer.draw("title", place: frame.number) else {
      return nil
    }
    var scene = Scene()
    return writer.render(template, &scene)
  }

  /// Returns the mood from 1 to 5, based on the day's events.
  private func mood(_ scenes: [Scene]) -> Int {
    var value = 3.35 + random.drift(0x191, frame.number, every: 6) * 0.9
    value += (roll(0x192) - 0.5) * 1.1
    if frame.illness != nil { value -= 1.2 }
    if frame.trip != nil { value += 0.5 }
    if frame.isWeekend { value += 0.2 }
    if frame.project?.phase(frame.course) == "crunch" { value -= 0.3 }
    if frame.sky.kind == .sun { value += 0.25 }
    if frame.flags.contains(.lockdown) { value -= 0.3 }
    for beat in frame.beats { value += Double(beat.mood) }
    return min(max(Int(value.rounded()), 1), 5)
  }

  private func energy(_ scenes: [Scene]) -> Int {
    var value = 3.2 + random.drift(0x193, frame.number, every: 4) + (roll(0x194) - 0.5)
    if frame.illness != nil { value -= 1.6 }
    if frame.trip?.isFirst == true || frame.trip?.isLast == true { value -= 0.7 }
    if frame.weekday == .friday { value -= 0.2 }
    for beat in frame.beats where beat.mood < -1 { value -= 0.6 }
    return min(max(Int(value.rounded()), 1), 5)
  }
}
