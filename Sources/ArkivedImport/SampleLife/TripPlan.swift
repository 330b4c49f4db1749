import ArkivedCore

extension DayPlanner {
  /// Plans a day away: travel on the first and last day, sights and meals in between.
  func planTrip() {
    guard let trip = frame.trip else { return }
    let place = trip.destination
    if trip.isFirst {
      add("packing", at: max(400, place.leaves - 150), place: frame.number)
      addJourney(place.outward, trip, start: place.leaves, homeward: false)
      let arrival = arrivalMinute(place, from: place.leaves, homeward: false)
      if let arrival, arrival < 1170 { addSights("e", at: max(arrival + 60, 1140), count: 1) }
      return
    }
    if trip.isLast {
      if place.arrivesNextDay {
        add("landed", at: 640, place: frame.number)
        add("unpacking", at: 960)
        return
      }
      if place.returns > 840 { addSights("m", at: 580, count: 1) }
      addJourney(place.homeward, trip, start: place.returns, homeward: true)
      add("unpacking", at: 1330)
      return
    }
    if place.arrivesNextDay, trip.number == trip.trip.days - 2 {
      addSights("m", at: 590, count: 1)
      addSights("l", at: 765, count: 1)
      addJourney(place.homeward, trip, start: place.returns, homeward: true)
      return
    }
    if DayPlanner.feasts.contains(frame.holiday ?? "") {
      if roll(0x149) < 0.5 { addSights("a", at: 880, count: 1) }
      return
    }
    // A journey of thirteen hours leaves little of the following day.
    let tired = trip.number == 1 && place.minutes > 600
    if !tired, roll(0x141) < 0.86 { addSights("m", at: 585, count: 1) }
    if roll(0x142) < 0.8 { addSights("l", at: 770, count: 1) }
    if roll(0x143) < 0.84 { addSights("a", at: 890, count: 1) }
    if roll(0x144) < 0.88 { addSights("e", at: 1165, count: 1) }
    if roll(0x145) < 0.3 {
      add("read", at: 1320) { scene in
        scene.pages = 12 + random.index(50, 0x146, frame.number)
        scene.minutes = min(scene.pages * 7 / 5 + 8, 80)
        scene.measurements = [("pages", Double(scene.pages))]
        scene.zone = place.zone
      }
    }
    if frame.flags.contains(.watch), roll(0x147) < 0.4 {
      add("trip.walked", at: nil) { scene in
        scene.km = (60 + Double(random.index(110, 0x148, frame.number))) / 10
        scene.measurements = [("km", scene.km)]
        scene.zone = place.zone
      }
    }
  }

  /// Adds sights for one part of the day, dealt out so no stay includes the same one twice.
  private func addSights(_ part: Character, at start: Int, count: Int) {
    guard let trip = frame.trip else { return }
    let flags = frame.flags
    let choices = trip.destination.sights.filter {
      $0.part == part
        && ($0.notes + [$0.text]).allSatisfy {
          $0.needs.isSubset(of: flags) && $0.bars.isDisjoint(with: flags)
        }
    }
    guard !choices.isEmpty else { return }
    // Each stay continues where the previous one could have ended, so return visits see new sights.
    let purpose = purposeNumber(trip.destination.key) ^ UInt64(part.asciiValue ?? 0)
    let stay = frame.number - trip.number
    guard trip.number < choices.count else {
      add("trip." + String(part), at: start) { scene in
        scene.zone = trip.destination.zone
        scene.kind = .travel
      }
      return
    }
    let sight = choices[
      (random.index(choices.count, purpose, stay) + trip.number) % choices.count]
    var scene = Scene()
    scene.kind = trip.destination.key == "england" ? .personal : .travel
    scene.tags = ["trip", trip.destination.key]
    scene.start = start
    scene.minutes =
      part == "m" || part == "a"
      ? 100 + random.index(18, 0x151, frame.number) * 5
      : 60 + random.index(9, 0x152, frame.number) * 5
    scene.venue = sight.venue
    scene.weight = 6
    scene.noteTemplates = sight.notes
    scene.zone = trip.destination.zone
    scene.place = frame.number
    scene.text = writer.render(sight.text, &scene)
    if let companion = person(trip.trip.companion), !scene.named.contains(companion) {
      scene.others = [companion]
    }
    add(scene: scene)
  }

  private func addJourney(_ words: String, _ trip: TripDay, start: Int, homeward: Bool) {
    var scene = Scene()
    scene.kind = .travel
    scene.tags = ["trip", "journey"]
    scene.start = start
    scene.minutes = trip.destination.minutes
    scene.weight = 3
    scene.text = words
    scene.zone = homeward ? trip.destination.zone : "Europe/Berlin"
    scene.place = frame.number
    if let companion = person(trip.trip.companion) { scene.others = [companion] }
    if let number = material.specNumbers[homeward ? "journey.home" : "journey.out"] {
      scene.spec = number
    }
    add(scene: scene)
  }

  /// Returns the local minute at which a journey ends, or nil if that is on another day.
  private func arrivalMinute(_ place: Destination, from start: Int, homeward: Bool) -> Int? {
    guard let home = Zone("Europe/Berlin"), let away = Zone(place.zone) else { return nil }
    let leaves = home.instant(of: WallTime(day: frame.day, secondOfDay: start * 60))
    let arrives = away.wallTime(at: leaves.adding(seconds: place.minutes * 60))
    return arrives.day == frame.day ? arrives.secondOfDay / 60 : nil
  }
}
