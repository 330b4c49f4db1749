/// The pieces that two versions of a text have in common, in their order.
///
/// First, the common beginning and end are removed. In between, the shortest edit script is searched
/// for (Myers, “An O(ND) Difference Algorithm and Its Variations”, 1986). If it has too many edits,
/// the rest is divided at pieces that occur once in each version. This limits the time; parts that
/// differ too much are treated as having nothing in common.
struct TextAlignment {
  /// The position of each piece of the first version in the second; nil if it isn't there.
  private(set) var places: [Int?]

  private let one: [Int]
  private let other: [Int]
  /// The number of comparisons that are left.
  private var comparisons = 4_000_000
  /// The number of pieces that may still be read to find those that occur once.
  private var readings: Int

  /// The largest number of removed and inserted pieces that is searched for.
  private static let mostChanges = 600

  init(_ one: [Substring], _ other: [Substring]) {
    var numbers: [Substring: Int] = [:]
    func number(_ piece: Substring) -> Int {
      if let known = numbers[piece] { return known }
      numbers[piece] = numbers.count
      return numbers.count - 1
    }
    self.one = one.map(number)
    self.other = other.map(number)
    places = Array(repeating: nil, count: one.count)
    readings = 16 * (one.count + other.count)
    var open = [(one.indices, other.indices)]
    while let (left, right) = open.popLast() { align(left, right, &open) }
  }

  /// Aligns two parts, or divides them into smaller ones.
  private mutating func align(
    _ left: Range<Int>, _ right: Range<Int>, _ open: inout [(Range<Int>, Range<Int>)]
  ) {
    var (start, end) = (left.lowerBound, left.upperBound)
    var (first, last) = (right.lowerBound, right.upperBound)
    while start < end, first < last, one[start] == other[first] {
      places[start] = first
      (start, first) = (start + 1, first + 1)
    }
    while start < end, first < last, one[end - 1] == other[last - 1] {
      (end, last) = (end - 1, last - 1)
      places[end] = last
    }
    guard start < end, first < last else { return }
    guard !alignByFewestChanges(start..<end, first..<last), readings > 0 else { return }
    readings -= end - start + last - first
    let pairs = common(start..<end, first..<last)
    guard !pairs.isEmpty else { return }
    for (place, match) in pairs {
      places[place] = match
      open.append((start..<place, first..<match))
      (start, first) = (place + 1, match + 1)
    }
    open.append((start..<end, first..<last))
  }

  /// Aligns two parts by the fewest changes.
  ///
  /// - Returns: false if these are too many.
  private mutating func alignByFewestChanges(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    let (count, otherCount) = (left.count, right.count)
    let most = min(count + otherCount, Self.mostChanges)
    // How far the paths with the last number of changes reach on each diagonal, and before.
    var reached = [Int](repeating: 0, count: 2 * most + 3)
    var steps: [[Int]] = []
    for changes in 0...most {
      guard comparisons > 0 else { return false }
      comparisons -= changes + 1
      steps.append(Array(reached[(most + 1 - changes)...(most + 1 + changes)]))
      for diagonal in stride(from: -changes, through: changes, by: 2) {
        let place = most + 1 + diagonal
        let isInsertion =
          diagonal == -changes || (diagonal != changes && reached[place - 1] < reached[place + 1])
        var x = isInsertion ? reached[place + 1] : reached[place - 1] + 1
        let begin = x
        while x < count, x - diagonal < otherCount, x - diagonal >= 0,
          one[left.lowerBound + x] == other[right.lowerBound + x - diagonal]
        {
          x += 1
        }
        comparisons -= x - begin
        reached[place] = x
        guard x >= count, x - diagonal >= otherCount else { continue }
        follow(steps, to: changes, left, right)
        return true
      }
    }
    return false
  }

  /// Notes the pieces that are the same on the path to the end.
  private mutating func follow(
    _ steps: [[Int]], to changes: Int, _ left: Range<Int>, _ right: Range<Int>
  ) {
    var (x, y) = (left.count, right.count)
    for step in stride(from: changes, through: 0, by: -1) {
      let diagonal = x - y
      // The position in the middle is that of diagonal 0.
      let reached = steps[step]
      func before(_ diagonal: Int) -> Int { reached[step + diagonal] }
      var (previousX, previousY) = (0, 0)
      if step > 0 {
        let isInsertion =
          diagonal == -step
          || (diagonal != step && before(diagonal - 1) < before(diagonal + 1))
        let previous = isInsertion ? diagonal + 1 : diagonal - 1
        previousX = before(previous)
        previousY = previousX - previous
      }
      while x > previousX, y > previousY {
        (x, y) = (x - 1, y - 1)
        places[left.lowerBound + x] = right.lowerBound + y
      }
      (x, y) = (previousX, previousY)
    }
  }

  /// Returns pieces that occur once in each of two parts and have the same order in both: the
  /// longest such sequence.
  private func common(_ left: Range<Int>, _ right: Range<Int>) -> [(Int, Int)] {
    func single(_ pieces: [Int], _ range: Range<Int>) -> [Int: Int] {
      var found: [Int: Int] = [:]
      for place in range { found[pieces[place]] = found[pieces[place]] == nil ? place : -1 }
      return found.filter { $0.value >= 0 }
    }
    let (ones, others) = (single(one, left), single(other, right))
    let pairs = ones.compactMap { piece, place in others[piece].map { (place, $0) } }
      .sorted { $0.0 < $1.0 }
    // The last pairs of the sequences of each length, and the pair before each (patience sorting).
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if pairs[ends[middle]].1 < pair.1 { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var sequence: [(Int, Int)] = []
    var next = ends.last
    while let index = next {
      sequence.append(pairs[index])
      next = previous[index]
    }
    return sequence.reversed()
  }
}
