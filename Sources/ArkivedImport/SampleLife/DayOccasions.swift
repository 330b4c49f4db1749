import ArkivedCore

extension DayPlanner {
  /// Adds a meeting or conversation with Alex at least every other week.
  func addAlex() {
    guard let alex = person("alex"), !met.contains(alex), frame.holiday == nil else { return }
    let weekday = [3, 4, 5, 6, 7][random.index(5, 0x81, week)]
    guard frame.weekday.rawValue == weekday, week % 2 == 0 || random.unit(0x82, week) < 0.45 else {
      return
    }
    if frame.illness != nil {
      add("alex.ill", at: 990, who: alex, place: week)
    } else if flags.contains(.lockdown) {
      add(
        frame.isWeekend ? "alex.walk" : "alex.call", at: frame.isWeekend ? 840 : 1230, who: alex,
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

  func addPostcard() {
    guard let alex = person("alex"), let trip = frame.trip, trip.trip.companion != "alex",
      !trip.isFirst, !trip.isLast, trip.number == 2
    else { return }
    add("alex.postcard", at: nil, who: alex, place: frame.number / 3)
  }

  func addOccasions() {
    if let who = material.cast.birthday(frame.month, frame.dayOfMonth),
      material.cast.members[who].years.contains(frame.courseYear), frame.trip == nil
    {
      let far =
        material.cast.members[who].roles.contains("family")
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
      let isEve = holiday.hasSuffix("Eve")
      add("home." + holiday, at: isEve ? 1110 : 790, who: person("jonas"), place: frame.year)
    }
  }

  func addBeats() {
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

  /// Orders the day so nothing overlaps or runs past midnight.
  func settle() {
    // An event that fills the day leaves no time for the market and the ironing.
    if scenes.contains(where: { $0.isBeat && $0.minutes >= 180 }) {
      scenes.removeAll { !$0.isBeat && $0.source == .manual && $0.tags.first != "birthday" }
    }
    scenes = scenes.enumerated().sorted {
      (($0.element.start ?? 2000), $0.offset) < (($1.element.start ?? 2000), $1.offset)
    }.map(\.element)
    let fixed = scenes.filter { DayPlanner.isFixed($0) }.compactMap { scene in
      scene.start.map { $0..<($0 + max(1, scene.minutes)) }
    }
    var free = 0
    var crowded: [Int] = []
    for place in scenes.indices {
      guard let start = scenes[place].start, !scenes[place].isAllDay,
        !DayPlanner.isFixed(scenes[place])
      else { continue }
      // A few minutes early or late keep the times from looking like a timetable.
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
      let isKept = scenes[place].isBeat || (scenes[place].tags.contains("alex") && begin < 1320)
      if begin - start > 80 || begin > 1400, !isKept {
        crowded.append(place)
        continue
      }
      begin = min(begin, 1410)
      scenes[place].start = begin
      scenes[place].minutes = max(5, min(end, 1435) - begin)
      // After a short pause, the next event starts at a round time.
      free = (begin + scenes[place].minutes + 9) / 5 * 5
    }
    for place in crowded.reversed() { scenes.remove(at: place) }
    scenes = scenes.enumerated().sorted {
      (($0.element.start ?? 2000), $0.offset) < (($1.element.start ?? 2000), $1.offset)
    }.map(\.element)
  }

  /// Returns true if a scene's time is fixed, as for meetings and journeys.
  private static func isFixed(_ scene: Scene) -> Bool {
    scene.source == .calendarImport || scene.tags.contains("journey")
  }
}
