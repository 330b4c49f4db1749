/// A mode of transport, as named by location services.
enum TravelMode: UInt8, Sendable, CaseIterable {
  case walk, hike, run, cycle, drive, motorcycle, bus, train, underground, tram, ferry, boat, sail
  case fly, taxi, cableCar, ski, skate, row, kayak, swim, ride, wheelchair

  /// The verb, as in "Walked" or "Took the train".
  var verb: String {
    switch self {
    case .walk: "Walked"
    case .hike: "Hiked"
    case .run: "Ran"
    case .cycle: "Cycled"
    case .drive: "Drove"
    case .motorcycle: "Rode a motorcycle"
    case .bus: "Took the bus"
    case .train: "Took the train"
    case .underground: "Took the underground"
    case .tram: "Took the tram"
    case .ferry: "Took the ferry"
    case .boat: "Went by boat"
    case .sail: "Sailed"
    case .fly: "Flew"
    case .taxi: "Took a taxi"
    case .cableCar: "Took the cable car"
    case .ski: "Skied"
    case .skate: "Skated"
    case .row: "Rowed"
    case .kayak: "Kayaked"
    case .swim: "Swam"
    case .ride: "Rode a horse"
    case .wheelchair: "Went by wheelchair"
    }
  }

  /// True if it is done for its own sake and counts as exercise when recorded.
  var isSport: Bool {
    switch self {
    case .walk, .hike, .run, .cycle, .ski, .skate, .row, .kayak, .swim, .ride: true
    default: false
    }
  }

  /// Parses a mode's name in any spelling: `IN_PASSENGER_VEHICLE`, `in passenger vehicle`,
  /// `Cycling`.
  init?(_ name: String) {
    var key = name.lowercased().map { $0.isLetter || $0.isNumber ? String($0) : " " }.joined()
      .split(separator: " ").joined(separator: " ")
    if let mode = Self.names[key] {
      self = mode
      return
    }
    if key.hasPrefix("in ") || key.hasPrefix("on ") { key.removeFirst(3) }
    guard let mode = Self.names[key] else { return nil }
    self = mode
  }

  /// The names in Google's services and in GPX files from watches, and Strava's numbers.
  private static let names: [String: TravelMode] = [
    "walking": .walk, "foot": .walk, "walk": .walk, "walking nordic": .walk, "10": .walk,
    "hiking": .hike, "hike": .hike, "trekking": .hike, "mountaineering": .hike, "4": .hike,
    "running": .run, "run": .run, "trail running": .run, "jogging": .run, "9": .run,
    "cycling": .cycle, "bicycle": .cycle, "biking": .cycle, "ride": .cycle, "bike": .cycle,
    "mountain biking": .cycle, "road biking": .cycle, "virtualride": .cycle, "1": .cycle,
    "passenger vehicle": .drive, "vehicle": .drive, "road vehicle": .drive, "car": .drive,
    "driving": .drive, "four wheeler vehicle": .drive, "two wheeler vehicle": .motorcycle,
    "motorcycling": .motorcycle, "motorcycle": .motorcycle, "bus": .bus, "train": .train,
    "rail vehicle": .train, "subway": .underground, "tram": .tram, "ferry": .ferry,
    "boating": .boat, "boat": .boat, "sailing": .sail, "flying": .fly, "flight": .fly,
    "airplane": .fly, "taxi": .taxi, "cablecar": .cableCar, "cable car": .cableCar,
    "gondola lift": .cableCar, "funicular": .cableCar, "skiing": .ski, "snowboarding": .ski,
    "cross country skiing": .ski, "downhill skiing": .ski, "skating": .skate,
    "inline skating": .skate, "rowing": .row, "kayaking": .kayak, "paddling": .kayak,
    "swimming": .swim,
    "open water swimming": .swim, "horseback riding": .ride, "horseback": .ride,
    "wheelchair": .wheelchair, "drive": .drive, "plane": .fly, "metro": .underground,
    "horse": .ride, "sail": .sail, "fly": .fly, "swim": .swim, "ski": .ski, "row": .row,
    "kayak": .kayak, "hiker": .hike, "bicycling": .cycle, "e biking": .cycle,
    "gravel cycling": .cycle, "indoor cycling": .cycle, "alpine skiing": .ski,
    "backcountry skiing": .ski, "ice skating": .skate, "indoor running": .run,
    "treadmill running": .run, "indoor walking": .walk, "indoor rowing": .row,
    "lap swimming": .swim, "open water": .swim, "mountain hiking": .hike, "on a tram": .tram,
    "on a bus": .bus, "on a train": .train, "on the subway": .underground, "on a ferry": .ferry,
    "on a motorcycle": .motorcycle, "wheelchair push walk": .wheelchair,
    "wheelchair push run": .wheelchair,
  ]

  /// Returns true if a name means that the mode is unknown or that there was no movement.
  static func isUnknown(_ name: String) -> Bool {
    [
      "", "unknown", "still", "tilting", "unknown activity type", "moving", "exiting vehicle",
      "other", "in transit", "transit",
    ].contains(name.lowercased().replacing("_", with: " "))
  }

  /// Returns text such as "Walked 2.3 km"; the mode is left open if it is unknown.
  static func text(_ mode: TravelMode?, metres: Double?) -> String {
    let verb = mode?.verb ?? "Moved"
    guard let metres, metres >= 1, let whole = Int(exactly: metres.rounded()),
      let tenths = Int(exactly: (metres / 100).rounded())
    else { return mode == nil ? "On the way" : verb }
    guard metres >= 1_000 else { return "\(verb) \(whole) m" }
    let separator = mode?.takesComma == true ? ", " : " "
    return tenths >= 1_000 || tenths.isMultiple(of: 10)
      ? "\(verb)\(separator)\((tenths + 5) / 10) km"
      : "\(verb)\(separator)\(tenths / 10).\(tenths % 10) km"
  }

  /// True for a comma before the distance, as in "Took the train, 54 km".
  private var takesComma: Bool { verb.contains(" ") }
}
