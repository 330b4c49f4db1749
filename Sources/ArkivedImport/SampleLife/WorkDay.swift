import ArkivedCore

extension DayPlanner {
  private var office: String { frame.flags.contains(.newjob) ? "newoffice" : "office" }
  private var atHome: Bool { frame.flags.contains(.lockdown) }

  /// Plans meetings, the work between them, and lunch.
  func planWork() {
    let phase = frame.project?.phase(frame.course) ?? "between"
    let week = (frame.number + 3) / 7
    if !atHome, roll(0x111) < 0.07, !frame.flags.contains(.cycling) { add("commute", at: 515) }
    if frame.weekday != .friday, roll(0x112) < 0.86 {
      addMeeting("meet.standup", at: 555, attendees: 4, place: frame.number)
    }
    if frame.course == frame.project?.launchDay {
      addMeeting("meet.launch", at: 600, attendees: 5, place: frame.number)
    }
    switch frame.weekday {
    case .monday where roll(0x113) < 0.85:
      addMeeting("meet.planning", at: 600, attendees: 4, place: week)
    case .tuesday where week % 2 == 0:
      let boss = person(frame.flags.contains(.newjob) ? "agnes" : "henning")
      addMeeting("meet.boss", at: 660, who: boss, attendees: 0, place: week)
    case .tuesday where roll(0x114) < 0.5:
      addMeeting(
        "meet.mentee", at: 660, who: somebody(office, purpose: 0x115), attendees: 0,
        place: week)
    case .wednesday where roll(0x116) < 0.8:
      addMeeting("meet.review", at: 840, attendees: 3, place: week)
    case .thursday where roll(0x117) < 0.7:
      let client = frame.project.flatMap { person($0.client) }
      addMeeting(
        client == nil ? "meet.team" : "meet.client", at: 660, who: client, attendees: 2,
        place: week)
    case .friday where week % 2 == 1:
      addMeeting("meet.retro", at: 870, attendees: 5, place: week)
    default: break
    }
    if roll(0x118) < 0.24 {
      addMeeting(
        "meet.other", at: frame.weekday == .friday ? 960 : 915,
        who: somebody(office, purpose: 0x119), attendees: 1,
        place: frame.number)
    }
    if roll(0x11A) < 0.74 { add("work." + phase, at: 625, place: frame.number) }
    if roll(0x11B) < 0.46 { add("work.small", at: 930) }
    addLunch()
    if !atHome, roll(0x11C) < 0.16 {
      add("office", at: 915, who: somebody(office, purpose: 0x11D))
    }
  }

  private func addLunch() {
    guard roll(0x121) < 0.72 else { return }
    if atHome {
      add("lunch.home", at: 755, who: person("jonas"))
    } else if roll(0x122) < 0.66 {
      add("lunch.with", at: 755, who: somebody(office, purpose: 0x123))
    } else {
      add("lunch.alone", at: 755)
    }
  }

  private func addMeeting(
    _ key: String, at start: Int, who: Int? = nil, attendees count: Int, place: Int
  ) {
    var others: [Int] = []
    for turn in 0..<count {
      guard
        let candidates = material.cast.byRole[office]?.filter({
          material.cast.members[$0].years.contains(frame.courseYear)
        }), !candidates.isEmpty
      else { break }
      // The team of a project stays the same for its duration.
      let team = frame.project?.start ?? frame.number / 60
      let size = min(6, candidates.count)
      let pick = candidates[
        random.card(candidates.count, 0x131, at: team * size + (turn + place) % size)]
      if !others.contains(pick), pick != who { others.append(pick) }
    }
    add(key, at: start, who: who, others: others, place: place)
  }
}
