package import ArkivedCore
package import ArkivedStore

/// The entries of some days that have coordinates, in chronological order.
package struct MapSpots: Sendable {
  struct Spot: Sendable {
    /// The row number of the entry's document.
    var row: Int64
    var day: Int32
    /// The number of its place's name, 0 for none.
    var place: Int32
    var latitude: Double
    var longitude: Double
  }

  /// A group of entries that are near each other at a zoom level.
  package struct Cluster: Hashable, Sendable {
    package var latitude: Double
    package var longitude: Double
    package var entries: Int
    package var days: Int
    package var first: DayKey
    package var last: DayKey
    /// A place that many of its entries mention; nil if none has a name.
    package var place: String?
    /// True if all of its entries mention this place.
    package var isOnePlace: Bool
    package var photos: Int
    /// The key of the latest photo's attachment.
    package var photo: Int64?
    /// The area that contains its entries.
    package var box: MapBox

    /// Its place, or else its coordinates.
    package var name: String {
      place ?? InsightWork.coordinates(latitude: latitude, longitude: longitude)
    }
  }

  let spots: [Spot]
  private let entries: InsightEntries
  private let names: [String]
  /// The number of entries.
  package var count: Int { spots.count }

  init(_ timeline: TableTimeline, _ span: ClosedRange<DayKey>) {
    let entries = InsightEntries(timeline, span)
    var names = [""]
    var numbers: [String: Int32] = [:]
    var known: [ObjectIdentifier: [Int32]] = [:]
    var runs: [[Spot]] = []
    var last: ObjectIdentifier?
    entries.eachSpot { table, ordinal, latitude, longitude in
      let id = ObjectIdentifier(table)
      if id != last {
        last = id
        runs.append([])
        // Names are numbered across the tables.
        known[id] =
          [0]
          + table.placeNames.map { name in
            if let number = numbers[name] { return number }
            names.append(name)
            numbers[name] = Int32(names.count - 1)
            return Int32(names.count - 1)
          }
      }
      let place = Int(table.places[ordinal])
      runs[runs.count - 1].append(
        Spot(
          row: table.rows[ordinal], day: table.days[ordinal],
          place: known[id]?[checked: place] ?? 0, latitude: latitude, longitude: longitude))
    }
    self.names = names
    self.entries = entries
    spots = runs.dropFirst().reduce(runs.first ?? []) { Self.merged($0, $1) }
  }

  /// Merges two lists that are each sorted by day.
  private static func merged(_ one: [Spot], _ other: [Spot]) -> [Spot] {
    var result: [Spot] = []
    result.reserveCapacity(one.count + other.count)
    var (left, right) = (0, 0)
    while left < one.count || right < other.count {
      if right == other.count || left < one.count && one[left].day <= other[right].day {
        result.append(one[left])
        left += 1
      } else {
        result.append(other[right])
        right += 1
      }
    }
    return result
  }

  /// The area of all entries; nil if there are none.
  ///
  /// It begins after the widest gap between meridians, so places on both sides of 180° are
  /// adjacent; its western edge may then be east of its eastern one.
  package var bounds: MapBox? {
    guard let first = spots.first else { return nil }
    var (south, north) = (first.latitude, first.latitude)
    // The degrees of longitude that have entries, with the outermost entries of each.
    var least = [Double](repeating: .infinity, count: 361)
    var most = [Double](repeating: -.infinity, count: 361)
    for spot in spots {
      south = min(south, spot.latitude)
      north = max(north, spot.latitude)
      let cell = min(360, max(0, Int(spot.longitude + 180)))
      least[cell] = min(least[cell], spot.longitude)
      most[cell] = max(most[cell], spot.longitude)
    }
    let cells = least.indices.filter { least[$0].isFinite }
    guard let start = cells.first, let end = cells.last else { return nil }
    var box = MapBox(west: least[start], south: south, east: most[end], north: north)
    var widest = least[start] + 360 - most[end]
    for (one, next) in zip(cells, cells.dropFirst()) where least[next] - most[one] > widest {
      widest = least[next] - most[one]
      (box.west, box.east) = (least[next], most[one])
    }
    return box
  }

  /// The number of days with entries.
  package var days: Int { Self.days(spots) }

  private static func days(_ spots: [Spot]) -> Int {
    var (count, last) = (0, Int32.min)
    for spot in spots where spot.day != last {
      count += 1
      last = spot.day
    }
    return count
  }

  /// Returns the days with entries in an area, latest first, each with its number of entries.
  package func days(in box: MapBox) -> [(day: DayKey, entries: Int)] {
    var found: [(day: DayKey, entries: Int)] = []
    var last = Int32.min
    for spot in spots where box.contains(latitude: spot.latitude, longitude: spot.longitude) {
      if spot.day != last {
        last = spot.day
        found.append((DayKey(clamping: Int(spot.day)), 0))
      }
      found[found.count - 1].entries += 1
    }
    return found.reversed()
  }

  /// Keeps only the photos of these entries and the lines of the days' entries, with the lines in
  /// chronological order.
  ///
  /// A journey may have a line without coordinates.
  ///
  /// - Returns: the number of photos that remain.
  package func keep(_ photos: inout [Int64: MapPhotos], _ lines: inout [MapFile]) -> Int {
    var count = 0
    if !photos.isEmpty {
      var kept: [Int64: MapPhotos] = [:]
      for spot in spots {
        guard let found = photos[spot.row] else { continue }
        kept[spot.row] = found
        count += found.count
      }
      photos = kept
    }
    lines = lines.compactMap { line in entries.day(ofRow: line.row).map { (line, $0) } }
      .sorted { ($0.1, $0.0.key) < ($1.1, $1.0.key) }.map(\.0)
    return count
  }

  /// Returns the day of one of the days' entries by row number; nil if there is none.
  package func day(ofRow row: Int64) -> DayKey? { entries.day(ofRow: row) }

  // MARK: Clusters

  /// A group while it is being counted.
  fileprivate struct Group {
    var x = 0.0
    var y = 0.0
    var entries = 0
    var days = 0
    var first = Int32.max
    var last = Int32.min
    /// The leading place in a count that goes up for that place and down for others (Boyer and
    /// Moore's majority vote, 1981).
    var place: Int32 = 0
    var lead = 0
    var isOnePlace = true
    var photos = 0
    var photo: Int64?
    var left = Double.infinity
    var right = -Double.infinity
    var top = Double.infinity
    var bottom = -Double.infinity
  }

  /// The side of a group's cell in points, about the size of a fingertip.
  private static let cell = 56.0

  /// Returns the entries in an area as groups, the largest first.
  ///
  /// - Parameters:
  ///   - box: the area.
  ///   - zoom: the level of the map; entries of a group are within a cell of 56 points.
  ///   - limit: the maximum number of groups; cells grow until it is met.
  ///   - photos: the latest photo and the number of photos of each entry, by row number.
  /// - Returns: the groups; empty if no entry is in the area.
  package func clusters(
    in box: MapBox, zoom: Int, limit: Int, photos: [Int64: MapPhotos] = [:]
  ) -> [Cluster] {
    let point = 1 / MapPlane.side(zoom: zoom)
    var cell = Self.cell * point
    var places: [Int64: Int] = [:]
    var groups = groups(in: box, cell: cell, limit: limit, photos, &places)
    while groups == nil {
      cell *= 2
      places = [:]
      groups = self.groups(in: box, cell: cell, limit: limit, photos, &places)
    }
    // Groups on both sides of a cell's edge may be so near that one would cover the other.
    if let found = groups, let joined = Self.joined(found, nearer: Self.gap * point) {
      for (key, place) in places { places[key] = joined[place] }
      groups = self.groups(in: box, cell: cell, limit: limit, photos, &places)
    }
    return (groups ?? []).map(cluster).sorted {
      ($1.entries, $0.latitude, $0.longitude) < ($0.entries, $1.latitude, $1.longitude)
    }
  }

  /// The minimum distance between groups, in points.
  private static let gap = 46.0

  /// Returns the number of the group to which each group belongs after those that are too close
  /// together have been merged; nil if no groups are too close together.
  ///
  /// The centre of a merged group moves, perhaps toward a third one, so groups are merged until all
  /// are far enough apart.
  private static func joined(_ groups: [Group], nearer gap: Double) -> [Int]? {
    var sums = groups.map { (sum: SIMD2($0.x, $0.y), entries: Double($0.entries)) }
    var numbers = Array(groups.indices)
    var isApart = false
    while !isApart {
      let order = sums.indices.sorted { sums[$0].entries > sums[$1].entries }
      var kept: [(sum: SIMD2<Double>, entries: Double)] = []
      var places = [Int](repeating: 0, count: sums.count)
      for index in order {
        let middle = sums[index].sum / sums[index].entries
        let near = kept.firstIndex { other in
          let away = other.sum / other.entries - middle
          return (away * away).sum() < gap * gap
        }
        places[index] = near ?? kept.count
        if let near {
          kept[near].sum += sums[index].sum
          kept[near].entries += sums[index].entries
        } else {
          kept.append(sums[index])
        }
      }
      isApart = kept.count == sums.count
      if !isApart { numbers = numbers.map { places[$0] } }
      sums = isApart ? sums : kept
    }
    return sums.count < groups.count ? numbers : nil
  }

  /// Returns the groups; nil if there are more than allowed.
  ///
  /// `places` contains the groups by cell; new cells get new groups.
  private func groups(
    in box: MapBox, cell: Double, limit: Int, _ photos: [Int64: MapPhotos],
    _ places: inout [Int64: Int]
  ) -> [Group]? {
    var groups = [Group](repeating: Group(), count: (places.values.max() ?? -1) + 1)
    var (lastKey, lastPlace) = (Int64.min, 0)
    let isWorld = box == .world
    for spot in spots
    where isWorld || box.contains(latitude: spot.latitude, longitude: spot.longitude) {
      let (x, y) = (MapPlane.x(spot.longitude), MapPlane.y(spot.latitude))
      let key = Int64(x / cell) << 32 | Int64(y / cell)
      // People mostly stay in one place.
      if key != lastKey {
        lastKey = key
        if let known = places[key] {
          lastPlace = known
        } else {
          guard groups.count < limit else { return nil }
          lastPlace = groups.count
          places[key] = lastPlace
          groups.append(Group())
        }
      }
      groups[lastPlace].add(spot, x, y, photos.isEmpty ? nil : photos[spot.row])
    }
    return groups
  }

  private func cluster(_ group: Group) -> Cluster {
    let count = Double(group.entries)
    return Cluster(
      latitude: MapPlane.latitude(group.y / count), longitude: MapPlane.longitude(group.x / count),
      entries: group.entries, days: group.days, first: DayKey(clamping: Int(group.first)),
      last: DayKey(clamping: Int(group.last)),
      place: group.place > 0 ? names[Int(group.place)] : nil,
      isOnePlace: group.isOnePlace && group.place > 0, photos: group.photos, photo: group.photo,
      box: MapBox(
        west: group.left, south: group.top, east: group.right, north: group.bottom))
  }
}

extension MapSpots.Group {
  fileprivate mutating func add(
    _ spot: MapSpots.Spot, _ x: Double, _ y: Double, _ photos: MapPhotos?
  ) {
    self.x += x
    self.y += y
    if spot.day != last { days += 1 }
    if entries == 0 { first = spot.day } else if spot.place != place { isOnePlace = false }
    last = spot.day
    entries += 1
    if lead == 0 || place == 0 && spot.place != 0 {
      (place, lead) = (spot.place, 1)
    } else if spot.place != 0 {
      lead += spot.place == place ? 1 : -1
    }
    left = min(left, spot.longitude)
    right = max(right, spot.longitude)
    top = min(top, spot.latitude)
    bottom = max(bottom, spot.latitude)
    guard let photos else { return }
    self.photos += photos.count
    photo = photos.latest
  }
}

/// The photos of an entry on the map.
package struct MapPhotos: Hashable, Sendable {
  package var count: Int
  /// The key of the latest one's attachment.
  package var latest: Int64

  package init(count: Int, latest: Int64) { (self.count, self.latest) = (count, latest) }
}

extension InsightQuestion {
  /// The days of its span.
  package var days: ClosedRange<DayKey> { span.range(today: today) }
}

extension InsightEngine {
  /// Returns the entries on the question's days that have coordinates.
  package func spots(_ question: InsightQuestion) throws -> MapSpots {
    let timeline = try timelines.timeline()
    return MapSpots(timeline.table, question.days)
  }

  /// Returns the days to choose from for a map.
  package func spans(_ question: InsightQuestion) throws -> InsightChoice {
    InsightWork(try timelines.timeline().table, question).spanChoice
  }
}
