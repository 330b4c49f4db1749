import ArkivedCore

/// Makes up what happens on a day.
final class DayPlanner {
  let writer: SceneWriter
  let calendar: LifeCalendar
  let frame: DayFrame
  private(set) var scenes: [Scene] = []
  /// Whom the day has already met, so that nobody has lunch with two Priyas.
  private var met: [Int] = []

  init(_ writer: SceneWriter, _ calendar: LifeCalendar, _ frame: DayFrame) {
    self.writer = writer
    self.calendar = calendar
    self.frame = frame
  }

  var random: SampleRandom { calendar.random }
  var material: SampleMaterial { calendar.material }
  private var flags: LifeFlags { frame.flags }
  private var week: Int { (frame.number + 3) / 7 }

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

  /// Adds something by the key of its spec; nothing when the spec is unknown or has no words.
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
      scene.noteTemplates = [template.paired[random.index(template.paired.count, 0x202, frame.number)]]
    }
    // A venue that the words don't name is left out, unless there is only one.
    if let list = spec.venueList, material.lists[list].venues.count > 1 {
      if !template.lists.contains(list), !template.paired.isEmpty { scene.venue = nil }
    } else if flags.contains(.lockdown), spec.kind == .work {
      scene.venue = nil
    }
    if let who { met.append(who) }
    scenes.append(scene)
  }

  /// Whether a story's step already tells what an ordinary event would tell on its day.
  private static func tells(_ beat: Beat, _ spec: EventSpec) -> Bool {
    let once = [
      "choir", "japanese", "italian", "pottery", "sailing", "running", "call", "allotment",
      "cycling",
    ]
    return beat.tags.contains { once.contains($0) && spec.tags.contains($0) }
  }

  /// Somebody of a role who is part of the life now, the near ones more often.
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

  private func planWorkday() {
    planMorning()
    planWork()
    if roll(0x21) < 0.26 { add("errand", at: 1060) }
    if !flags.contains(.lockdown), roll(0x67) < 0.09 {
      add("met", at: 1050, who: somebody("known", purpose: 0x68))
    }
    planEvening()
  }

  private func planMorning() {
    if flags.contains(.meditation), roll(0x22) < 0.7 {
      add("meditation", at: 395) { scene in
        scene.measurements = [("minutes", Double(scene.minutes))]
      }
    }
    let weekday = frame.weekday
    if flags.contains(.running), weekday == .tuesday || (weekday == .thursday && week % 2 == 0),
      roll(0x23) < 0.8
    {
      addRun("run", base: 5)
    } else if flags.contains(.injured), weekday == .monday || weekday == .thursday, roll(0x24) < 0.6 {
      add("physio.home", at: 400)
    } else if roll(0x25) < 0.1 {
      add("morning", at: 405)
    }
    if flags.contains(.cycling), !flags.contains(.lockdown), roll(0x26) < 0.32,
      ![.rain, .storm, .snow, .frost].contains(frame.sky.kind)
    {
      add("ride.work", at: 495) { scene in
        scene.km = 6.4
        scene.measurements = [("km", 6.4)]
      }
    }
  }

  func addRun(_ key: String, base: Double) {
    let hard = frame.sky.kind == .storm || (frame.sky.kind == .snow && frame.sky.degrees < -3)
    guard !hard else { return }
    let watched = flags.contains(.watch)
    let km = base + (random.unit(0x27, frame.number) * 2.4 * 10).rounded() / 10
    add(key, at: key == "run" ? 385 : 540) { scene in
      scene.km = (km * 10).rounded() / 10
      scene.minutes = Int(scene.km * (5.7 + random.unit(0x28, frame.number) * 0.7))
      scene.measurements = [("km", scene.km)]
      if watched {
        scene.source = .healthImport
        scene.measurements.append(("kcal", Double(Int(scene.km * 64))))
      }
    }
  }

  private func addRide() {
    let km = 18 + random.unit(0x29, frame.number) * 34
    add("ride", at: 600) { scene in
      scene.km = (km * 10).rounded() / 10
      scene.minutes = Int(km * 3.1)
      scene.measurements = [("km", scene.km)]
      if flags.contains(.watch) { scene.source = .healthImport }
    }
  }

  private func planEvening() {
    var isOut = false
    switch frame.weekday {
    case .monday where flags.contains(.japanese) && !isSchoolBreak:
      add("class.japanese", at: 1125, who: person("yuki"), place: week)
      isOut = true
    case .monday where flags.contains(.italian) && !isSchoolBreak:
      add("class.italian", at: 1125, who: person("silvia"), place: week)
      isOut = true
    case .monday where flags.contains(.pottery):
      add("class.pottery", at: 1140, who: somebody("pottery", purpose: 0x31), place: week)
      isOut = true
    case .tuesday where flags.contains(.choir) && frame.month != 8:
      if flags.contains(.lockdown) {
        if roll(0x32) < 0.6 {
          add("choir.online", at: 1170, who: somebody("choir", purpose: 0x33), place: week)
        }
      } else {
        add("choir", at: 1170, who: somebody("choir", purpose: 0x33), place: week)
        isOut = true
      }
    case .wednesday where flags.contains(.sailing) && (5...9).contains(frame.month):
      add("sailing", at: 1095, who: somebody("sailing", purpose: 0x34), place: week)
      isOut = true
    default:
      let free = !flags.contains(.lockdown)
      let draw = roll(0x35)
      if free, draw < 0.2 {
        add("friend.evening", at: 1140, who: somebody("friend", purpose: 0x36))
        isOut = true
      } else if free, draw < 0.3 {
        add("dinner.jonas", at: 1150, who: person("jonas"))
        isOut = true
      } else if free, draw < 0.38 {
        add("cinema", at: 1185, who: somebody("friend", "partner", purpose: 0x37))
        isOut = true
      } else if free, draw < 0.43 {
        add("culture", at: 1180, who: somebody("friend", "partner", purpose: 0x38))
        isOut = true
      }
    }
    if !isOut, roll(0x39) < 0.6 { add("cook", at: 1115) }
    if !isOut, roll(0x3A) < 0.4 { add("evening", at: 1215) }
    if roll(0x3B) < 0.2 { add("chore", at: isOut ? nil : 1190) }
    if roll(0x3C) < 0.1 { add("admin", at: isOut ? nil : 1200) }
    addCalls(isOut: isOut)
    addReading()
  }

  var isSchoolBreak: Bool {
    (frame.month == 7 && frame.dayOfMonth > 12) || frame.month == 8
      || (frame.month == 12 && frame.dayOfMonth > 19) || (frame.month == 1 && frame.dayOfMonth < 7)
  }

  private func addCalls(isOut: Bool) {
    let start = isOut ? 1080 : 1230
    switch frame.weekday {
    case .sunday where roll(0x41) < 0.75: add("call.mum", at: 1110, who: person("mum"), place: week)
    case .wednesday where roll(0x41) < 0.3:
      add("call.dad", at: start, who: person("dad"), place: week)
    case .thursday where flags.contains(.gran) && roll(0x42) < 0.35:
      add("call.gran", at: 1065, who: person("gran"), place: week)
    case .saturday where roll(0x41) < 0.2:
      add("call.tom", at: 1065, who: person("tom"), place: week)
    default:
      if roll(0x43) < 0.07 { add("call.far", at: start, who: somebody("far", purpose: 0x44)) }
    }
  }

  private func addReading() {
    let day = (frame.number + 7_000_000) % 14
    let draw = roll(0x45)
    let key = day == 0 ? "read.start" : day == 13 ? "read.end" : "read"
    guard draw < (key == "read" ? 0.4 : 0.75) else { return }
    add(key, at: 1315) { scene in
      scene.pages = 9 + random.index(key == "read.start" ? 30 : 52, 0x46, frame.number)
      scene.minutes = min(scene.pages * 7 / 5 + 8, 90)
      scene.measurements = [("pages", Double(scene.pages))]
    }
  }

  private func planFreeDay() {
    let free = !flags.contains(.lockdown)
    let isSaturday = frame.weekday == .saturday
    let shopsOpen = isSaturday && frame.holiday == nil
    if shopsOpen, roll(0x51) < 0.55 { add("market", at: 580) }
    if flags.contains(.running), isSaturday ? roll(0x52) < 0.35 : roll(0x52) < 0.7 {
      addRun("run.long", base: isSaturday ? 6 : 8.5)
    } else if flags.contains(.cycling), !isSaturday, roll(0x53) < 0.5, frame.sky.degrees > 3,
      ![.rain, .storm, .snow].contains(frame.sky.kind)
    {
      addRide()
    } else if roll(0x54) < 0.3 {
      add("breakfast", at: 570)
    }
    let isDry = ![.rain, .storm, .snow].contains(frame.sky.kind)
    let draw = roll(0x55)
    if !isDry, !free || draw < 0.45 {
      add(free ? "culture" : "evening", at: 870, who: somebody("friend", "partner", purpose: 0x5B1))
    } else if !isDry {
      add("family", at: 915, who: somebody("brandts", purpose: 0x57))
    } else if flags.contains(.plot), (3...11).contains(frame.month), draw < 0.55 {
      add("plot", at: 810)
    } else if free, draw < 0.68 {
      add("outing", at: 840, who: somebody("friend", "partner", "partner", purpose: 0x56))
    } else if draw < 0.85 {
      add("walk", at: 870, who: person("jonas"))
    } else if draw < 0.95 {
      add("family", at: 915, who: somebody("brandts", purpose: 0x57))
    }
    if shopsOpen, roll(0x58) < 0.3 { add("errand", at: 690) }
    if roll(0x59) < 0.45 { add("chore", at: isSaturday ? 720 : nil) }
    if !isSaturday, roll(0x5A) < 0.35 { add("bake", at: 680) }
    if roll(0x5B) < 0.12 { add("admin", at: 1020) }
    if !isSaturday, roll(0x5C) < 0.15 { add("house", at: 760) }
    if free, isSaturday, roll(0x5D) < 0.34 {
      switch random.index(4, 0x5E, frame.number) {
      case 0: add("guests", at: 1140, who: somebody("friend", purpose: 0x5F))
      case 1: add("friend.evening", at: 1140, who: somebody("friend", purpose: 0x5F))
      case 2: add("cinema", at: 1200, who: somebody("friend", "partner", purpose: 0x5F))
      default: add("culture", at: 1180, who: somebody("friend", "partner", purpose: 0x5F))
      }
    } else {
      if roll(0x60) < 0.6 { add("cook", at: 1110) }
      if roll(0x61) < 0.4 { add("evening", at: 1215) }
    }
    if !isSaturday, roll(0x62) < 0.2 { add("weekplan", at: 1200, place: week) }
    if !isSaturday, roll(0x63) < 0.15 {
      add("weigh", at: 500, place: week) { scene in
        let kilograms = 66.5 + random.drift(0x64, frame.number, every: 90) * 2
        scene.measurements = [("kg", (kilograms * 10).rounded() / 10)]
      }
    }
    if free, roll(0x65) < 0.13 { add("met", at: 700, who: somebody("known", purpose: 0x66)) }
    addCalls(isOut: false)
    addReading()
  }

  private func planIllness(_ number: Int) {
    add(number == 0 ? "ill.first" : "ill.more", at: 540)
    if roll(0x71) < 0.6 { add("ill.rest", at: 840) }
    if roll(0x72) < 0.4 { add("ill.evening", at: 1140, who: person("jonas")) }
    if number > 0, roll(0x73) < 0.3 { add("call.mum", at: 1020, who: person("mum")) }
  }

  /// Alex is seen or spoken to in every other week at least.
  private func addAlex() {
    guard let alex = person("alex"), !met.contains(alex), frame.holiday == nil else { return }
    let weekday = [3, 4, 5, 6, 7][random.index(5, 0x81, week)]
    guard frame.weekday.rawValue == weekday, week % 2 == 0 || random.unit(0x82, week) < 0.45 else {
      return
    }
    if frame.illness != nil {
      add("alex.ill", at: 990, who: alex, place: week)
    } else if flags.contains(.lockdown) {
      add(frame.isWeekend ? "alex.walk" : "alex.call", at: frame.isWeekend ? 840 : 1230, who: alex,
        place: week)
    } else if frame.isWeekend {
      add("alex.day", at: 900, who: alex, place: week)
    } else {
      scenes.removeAll { scene in
        scene.spec.map {
          ["friend.evening", "cinema", "culture", "dinner.jonas", "cook", "evening"]
            .contains(material.specs[$0].key)
        } ?? false
      }
      let busy = scenes.contains { ($0.start ?? 0) > 1020 && $0.minutes > 80 }
      if busy { scenes.removeAll { $0.tags.first == "lunch" } }
      add(busy ? "alex.lunch" : "alex.evening", at: busy ? 755 : 1135, who: alex, place: week)
    }
  }

  private func addPostcard() {
    guard let alex = person("alex"), let trip = frame.trip, trip.trip.companion != "alex",
      !trip.isFirst, !trip.isLast, trip.number == 2
    else { return }
    add("alex.postcard", at: nil, who: alex, place: frame.number / 3)
  }

  private func addOccasions() {
    if let who = material.cast.birthday(frame.month, frame.dayOfMonth),
      material.cast.members[who].years.contains(frame.courseYear), frame.trip == nil
    {
      let far = material.cast.members[who].roles.contains("family")
        || (who == person("priya") && !flags.contains(.priya))
      let key = who == person("jonas") ? "birthday.jonas" : far ? "birthday.call" : "birthday"
      add(key, at: nil, who: who, place: frame.number)
    }
    if frame.month == 9, frame.dayOfMonth == 14, frame.trip == nil {
      add("birthday.mine", at: 1140, who: person("jonas"), place: frame.year)
    }
    guard let holiday = frame.holiday else { return }
    if let trip = frame.trip {
      add(trip.destination.key + "." + holiday, at: 1140, place: frame.year)
    } else {
      add("holiday", at: nil, place: frame.number) { scene in
        scene.text = holiday
        scene.isAllDay = true
      }
      if let place = scenes.indices.last { scenes[place].text = holiday }
      add("home." + holiday, at: 1110, who: person("jonas"), place: frame.year)
    }
  }

  func add(scene: Scene) { scenes.append(scene) }

  private func addBeats() {
    for (number, beat) in frame.beats.enumerated() {
      var scene = Scene()
      scene.kind = beat.kind
      scene.tags = beat.tags
      scene.start = beat.start
      scene.minutes = beat.minutes
      scene.weight = 9
      scene.isBeat = true
      scene.noteTemplates = beat.notes
      scene.title = beat.title
      scene.isPinned = beat.mood > 1 && number == 0
      scene.place = frame.number
      if let text = beat.text { scene.text = writer.render(text, &scene) }
      scenes.append(scene)
    }
  }

  /// Puts the day in order: nothing overlaps, nothing runs past midnight.
  private func settle() {
    scenes = scenes.enumerated().sorted {
      (($0.element.start ?? 2000), $0.offset) < (($1.element.start ?? 2000), $1.offset)
    }.map(\.element)
    let fixed = scenes.filter { DayPlanner.isFixed($0) }.compactMap { scene in
      scene.start.map { $0..<($0 + max(1, scene.minutes)) }
    }
    var free = 0
    for place in scenes.indices {
      guard let start = scenes[place].start, !scenes[place].isAllDay,
        !DayPlanner.isFixed(scenes[place])
      else { continue }
      // Some minutes early or late keep the clock from looking like a timetable.
      let shift = (random.index(9, 0x8A, frame.number, place) - 4) * 5
      var begin = max(start + shift, free)
      var end = begin + scenes[place].minutes
      for span in fixed where begin < span.upperBound && span.lowerBound < end {
        if span.lowerBound - begin >= 25 {
          end = span.lowerBound
        } else {
          begin = span.upperBound
          end = begin + max(20, scenes[place].minutes - 20)
        }
      }
      begin = min(begin, 1410)
      scenes[place].start = begin
      scenes[place].minutes = max(5, min(end, 1435) - begin)
      // A breath between two things, then on at a round time.
      free = (begin + scenes[place].minutes + 9) / 5 * 5
    }
  }

  /// Meetings and journeys begin when they begin.
  private static func isFixed(_ scene: Scene) -> Bool {
    scene.source == .calendarImport || scene.tags.contains("journey")
  }
}
