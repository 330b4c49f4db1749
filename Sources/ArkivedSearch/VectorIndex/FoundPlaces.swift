import CVectorScan

/// The best place of each document that contains some texts.
struct FoundPlaces {
  struct Found {
    let document: Int64
    let score: Float
    let place: Int
  }

  /// The places, nearest first; equally near ones are ordered by document, highest number first,
  /// and within a document in the order they were added.
  private(set) var found: [Found] = []

  /// Looks up texts in the places.
  ///
  /// - Parameters:
  ///   - texts: the texts, nearest first.
  ///   - limit: the largest number of documents.
  ///   - passing: the places that count.
  ///   - snapshot: the index.
  /// - Throws: `VectorIndexError.unusable` if the file is damaged.
  init(
    of texts: [(text: Int, score: Float)], limit: Int, among passing: PassingPlaces,
    in snapshot: VectorSnapshot
  ) throws {
    let placesOfTexts = try PlacesOfTexts(texts.map(\.text), among: passing, in: snapshot)
    var seen: Set<Int64> = []
    var start = 0
    while start < texts.count, found.count < limit {
      let score = texts[start].score
      var places: [Int] = []
      while start < texts.count, texts[start].score == score {
        places += placesOfTexts[start]
        start += 1
      }
      for (document, place) in highest(places, limit: limit - found.count, seen, snapshot) {
        seen.insert(document)
        found.append(Found(document: document, score: score, place: place))
      }
    }
  }

  /// Returns the documents with the highest numbers, each with the first of its places.
  private func highest(
    _ places: [Int], limit: Int, _ seen: Set<Int64>, _ snapshot: VectorSnapshot
  ) -> [(document: Int64, place: Int)] {
    var all = places.map { (document: snapshot.document(of: $0), place: $0) }
    if !seen.isEmpty { all.removeAll { seen.contains($0.document) } }
    var looked = limit
    while true {
      var some = all
      // Sorting thousands to use a few is slow.
      if looked < all.count / 2 {
        var documents = all.map(\.document)
        let least = Self.select(all.count - looked, of: &documents)
        some.removeAll { $0.document < least }
      }
      some.sort { $0.document != $1.document ? $0.document > $1.document : $0.place < $1.place }
      var result: [(document: Int64, place: Int)] = []
      for next in some where next.document != result.last?.document && result.count < limit {
        result.append(next)
      }
      // Documents that contain the text many times displace others.
      if result.count == limit || some.count == all.count { return result }
      looked = looked >= all.count / 4 ? all.count : looked * 4
    }
  }

  /// Returns the number at an index in sorted order; the numbers are reordered.
  private static func select(_ index: Int, of numbers: inout [Int64]) -> Int64 {
    var low = 0
    var high = numbers.count - 1
    while low < high {
      let pivot = numbers[low + (high - low) / 2]
      var left = low
      var right = high
      while left <= right {
        while numbers[left] < pivot { left += 1 }
        while numbers[right] > pivot { right -= 1 }
        if left <= right {
          numbers.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if index <= right {
        high = right
      } else if index >= left {
        low = left
      } else {
        break
      }
    }
    return numbers[index]
  }
}

/// A set of texts; see `vector_scan_places_of`.
private struct ChosenTexts {
  private(set) var bits: [UInt64]
  private(set) var folded = [UInt64](repeating: 0, count: 16)

  init(_ texts: [Int], of count: Int) {
    bits = [UInt64](repeating: 0, count: (count + 63) / 64)
    for text in texts {
      bits[text / 64] |= 1 << UInt64(text % 64)
      folded[text / 64 % 16] |= 1 << UInt64(text % 64)
    }
  }
}

/// The places of some texts.
struct PlacesOfTexts {
  /// The places, grouped by text.
  private var places: [Int]
  /// The start of each text's places, followed by the end of the last.
  private var starts: [Int]

  private static let step = 4096

  /// Finds the places of texts.
  ///
  /// - Throws: `VectorIndexError.unusable` if a place refers to a text that doesn't exist.
  init(_ texts: [Int], among passing: PassingPlaces, in snapshot: VectorSnapshot) throws {
    let chosen = ChosenTexts(texts, of: snapshot.texts)
    // Each text's number is paired with its index for lookup.
    let sorted = texts.enumerated().map { (text: $0.element, index: $0.offset) }
      .sorted { $0.text < $1.text }
    var found: [(place: Int, index: Int)] = []
    var counts = [Int](repeating: 0, count: texts.count)
    try withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Self.step) { numbers in
      for run in snapshot.runs(of: .places) {
        for start in stride(from: run.lowerBound, to: run.upperBound, by: Self.step) {
          let count = min(Self.step, run.upperBound - start)
          let column = snapshot.values(of: .texts, from: start, as: UInt32.self)
          let hits = Self.hits(column, start, count, chosen, passing, snapshot, numbers)
          guard hits <= count else {
            throw snapshot.mapping.damaged("the texts of places \(start)..<\(start + count)")
          }
          for number in numbers.prefix(hits) {
            let index = Self.index(of: Int(column[Int(number)]), in: sorted)
            found.append((start + Int(number), index))
            counts[index] += 1
          }
        }
      }
    }
    starts = [0]
    for count in counts { starts.append((starts.last ?? 0) + count) }
    places = [Int](repeating: 0, count: found.count)
    var next = starts
    for (place, index) in found {
      places[next[index]] = place
      next[index] += 1
    }
  }

  /// The places of the text at an index, in ascending order.
  subscript(index: Int) -> ArraySlice<Int> { places[starts[index]..<starts[index + 1]] }

  private static func hits(
    _ column: UnsafePointer<UInt32>, _ start: Int, _ count: Int, _ chosen: ChosenTexts,
    _ passing: PassingPlaces, _ snapshot: VectorSnapshot,
    _ numbers: UnsafeMutableBufferPointer<UInt16>
  ) -> Int {
    guard let room = numbers.baseAddress else { return 0 }
    guard let places = passing.places else {
      return vector_scan_places_of(
        column, nil, count, chosen.bits, chosen.folded, snapshot.texts, room)
    }
    return places.withUnsafeBufferPointer {
      vector_scan_places_of(
        column, $0.baseAddress.map { $0 + start / 64 }, count, chosen.bits, chosen.folded,
        snapshot.texts, room)
    }
  }

  /// Returns the index of a text among the sorted ones.
  private static func index(of text: Int, in sorted: [(text: Int, index: Int)]) -> Int {
    var low = 0
    var high = sorted.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if sorted[middle].text <= text { low = middle } else { high = middle }
    }
    return sorted[low].index
  }
}
