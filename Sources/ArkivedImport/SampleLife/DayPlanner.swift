import ArkivedCore

/// Invents the events of a day.
final class DayPlanner {
  let writer: SceneWriter
  let calendar: LifeCalendar
  let frame: DayFrame
  var scenes: [Scene] = []
  /// The people met so far on the day, so nobody has lunch with two Priyas.
  var met: [Int] = []

  init(_ writer: SceneWriter, _ calendar: LifeCalendar, _ frame: DayFrame) {
    self.writer = writer
    self.calendar = calendar
    self.frame = frame
  }

  var random: SampleRandom { calendar.random }
  var material: SampleMaterial { calendar.material }
  var flags: LifeFlags { frame.flags }
  var week: Int { (frame.number + 3) / 7 }

  func roll(_ purpose: UInt64) -> Double { random.unit(purpose, frame.number) }

  func plan() -> [Scene] {
    addOccasions()
    if frame.trip != nil {
      planTrip()
    } else if let illness = frame.illness {
      planIllness(illness)
    } else if frame.isWorkday {
      planWorkday()
    } else {
      planFreeDay()
    }
    if frame.trip.map({ $0.isFirst || $0.isLast }) ?? true { addBeats() }
    if frame.trip == nil { addAlex() } else { addPostcard() }
    settle()
    return scenes
  }

  /// Adds an event by the key of its spec; does nothing if the spec is unknown or has no words.
  func add(
    _ key: String, at start: Int?, who: Int? = nil, others: [Int] = [], place: Int? = nil,
    change: (inout Scene) -> Void = { _ in }
  ) {
    guard let number = material.specNumbers[key] else { return }
    let spec = material.specs[number]
    guard !frame.beats.contains(where: { DayPlanner.tells($0, spec) }) else { return }
    var scene = Scene()
    scene.spec = number
    scene.kind = spec.kind
    scene.source = spec.source
    scene.tags = spec.tags
    scene.weight = spec.weight
    scene.who = who
    scene.others = others
    scene.place = place ?? frame.number
    if let minutes = spec.minutes {
      scene.start = start
      let span = random.index(minutes.count, 0x201, frame.number, scenes.count)
      let raw = minutes.lowerBound + span
      scene.minutes = raw >= 20 ? raw / 5 * 5 : raw
    }
    if let list = spec.venueList {
      let item = writer.card(list)
      scene.venue = material.lists[list].venues.isEmpty ? nil : material.lists[list].venues[item]
      scene.words.append((list, item))
    }
    change(&scene)
    guard let template = writer.draw(spec.texts, place: scene.place) else { return }
    scene.text = writer.render(template, &scene)
    if !template.paired.isEmpty {
      let turn = random.index(template.paired.count, 0x202, frame.number)
      scene.noteTemplates = [template.paired[turn]]
    }
    // A venue that the words don't name is omitted, unless there is only one.
    if let list = spec.venueList, material.lists[list].venues.count > 1 {
      if !template.lists.contains(list), !template.paired.isEmpty { scene.venue = nil }
    } else if flags.contains(.lockdown), spec.kind == .work {
      scene.venue = nil
    }
    if let who { met.append(who) }
    scenes.append(scene)
  }

  /// Returns true if a story's step already covers an ordinary event of its day.
  private static func tells(_ beat: Beat, _ spec: EventSpec) -> Bool {
    let once = [
      "choir", "japanese", "italian", "pottery", "sailing", "running", "call", "allotment",
      "cycling",
    ]
    return beat.tags.contains { once.contains($0) && spec.tags.contains($0) }
  }

  /// Returns a person with one of the roles who is currently part of the life, close ones more
  /// often.
  func somebody(_ roles: String..., purpose: UInt64) -> Int? {
    var total = 0
    var candidates: [(number: Int, weight: Int)] = []
    for role in roles {
      for number in material.cast.byRole[role] ?? [] where !met.contains(number) {
        let member = material.cast.members[number]
        guard member.years.contains(frame.courseYear) else { continue }
        total += member.weight
        candidates.append((number, total))
      }
    }
    guard total > 0 else { return nil }
    let ticket = random.index(total, purpose, frame.number)
    return candidates.first { ticket < $0.weight }?.number
  }

  func person(_ key: String) -> Int? { material.cast.numbers[key] }

  func add(scene: Scene) { scenes.append(scene) }
}
