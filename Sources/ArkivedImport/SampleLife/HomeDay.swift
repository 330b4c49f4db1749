import ArkivedCore

extension DayPlanner {
  func planWorkday() {
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
    } else if flags.contains(.injured), weekday == .monday || weekday == .thursday, roll(0x24) < 0.6
    {
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
    if !isOut, roll(0x39) < 0.68 { add("cook", at: 1115) }
    if !isOut, roll(0x3A) < 0.5 { add("evening", at: 1215) }
    if roll(0x3B) < 0.26 { add("chore", at: isOut ? nil : 1190) }
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

  func planFreeDay() {
    let free = !flags.contains(.lockdown)
    let isSaturday = frame.weekday == .saturday
    let isSunday = frame.weekday == .sunday
    if DayPlanner.feasts.contains(frame.holiday ?? "") {
      if roll(0x50) < 0.5 { add("breakfast", at: 570) }
      if roll(0x4F) < 0.4 { addReading() }
      return
    }
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
      let who = somebody("friend", "partner", purpose: 0x5B1)
      add(free ? "culture" : "evening", at: 870, who: who)
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
    if isSunday, roll(0x5A) < 0.42 { add("bake", at: 680) }
    if roll(0x5B) < 0.12 { add("admin", at: 1020) }
    if isSunday, roll(0x5C) < 0.18 { add("house", at: 760) }
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
    if isSunday, roll(0x62) < 0.24 { add("weekplan", at: 1200, place: week) }
    if isSunday, roll(0x63) < 0.17 {
      add("weigh", at: 500, place: week) { scene in
        let kilograms = 66.5 + random.drift(0x64, frame.number, every: 90) * 2
        scene.measurements = [("kg", (kilograms * 10).rounded() / 10)]
      }
    }
    if free, roll(0x65) < 0.13 { add("met", at: 700, who: somebody("known", purpose: 0x66)) }
    addCalls(isOut: false)
    addReading()
  }

  /// Days devoted to their celebrations, with few other events.
  static let feasts: Set<String> = [
    "New Year's Eve", "New Year's Day", "Christmas Eve", "Christmas Day", "Boxing Day",
    "Easter Sunday",
  ]

  func planIllness(_ number: Int) {
    add(number == 0 ? "ill.first" : "ill.more", at: 540)
    if roll(0x71) < 0.6 { add("ill.rest", at: 840) }
    if roll(0x72) < 0.4 { add("ill.evening", at: 1140, who: person("jonas")) }
    if number > 0, roll(0x73) < 0.3 { add("call.mum", at: 1020, who: person("mum")) }
  }
}
