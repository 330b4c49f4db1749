import ArkivedSearch
import CVectorScan
import Testing

@Suite("The inner loops of the vector index", .serialized)
struct VectorScanTests {
  /// Runs something with the portable forms and with the best ones.
  private func both<Result>(_ body: () -> Result) -> (portable: Result, best: Result) {
    vector_scan_use_processor(0)
    let portable = body()
    vector_scan_use_processor(1)
    return (portable, body())
  }

  @Test("Distances count the bits that differ", arguments: [1, 5, 6, 7, 64])
  func distances(words: Int) {
    var random = Splitmix(state: 9)
    let count = 45
    let rows = (0..<count * words).map { _ in random.next() }
    let query = (0..<words).map { _ in random.next() }
    let expected = (0..<count).map { row in
      UInt16((0..<words).reduce(0) { $0 + (rows[row * words + $1] ^ query[$1]).nonzeroBitCount })
    }
    let all = both {
      var distances = [UInt16](repeating: 0, count: count)
      vector_scan_distances(rows, count, words, query, &distances)
      return distances
    }
    #expect(all.portable == expected && all.best == expected)
    let numbers: [UInt16] = [0, 3, 44]
    let some = both {
      var distances = [UInt16](repeating: 0, count: 3)
      vector_scan_distances_of(rows, numbers, 3, words, query, &distances)
      return distances
    }
    #expect(some.portable == numbers.map { expected[Int($0)] })
    #expect(some.best == some.portable)
  }

  @Test("The nearest rows are those within the bound", arguments: [0, 31, 32, 100, 1023])
  func nearest(count: Int) {
    var random = Splitmix(state: 4)
    let distances = (0..<count).map { _ in UInt16.random(in: 0...300, using: &random) }
    let found = both {
      var nearest = [UInt64](repeating: 0, count: count + 1)
      var histogram = [UInt32](repeating: 0, count: 301)
      let found = nearest.withUnsafeMutableBufferPointer { nearest in
        histogram.withUnsafeMutableBufferPointer { histogram in
          distances.withUnsafeBufferPointer { distances in
            var step = vector_scan_step(
              distances: distances.baseAddress, count: count, numbers: nil, first_row: 7000,
              bound: 60, histogram: histogram.baseAddress, nearest: nearest.baseAddress)
            return vector_scan_nearest(&step)
          }
        }
      }
      #expect(histogram.reduce(0, +) == UInt32(found))
      return Array(nearest[..<found])
    }
    let expected = distances.enumerated().filter { $0.element <= 60 }.map {
      UInt64($0.element) << 32 | UInt64(7000 + $0.offset)
    }
    #expect(found.portable == expected && found.best == expected)
  }

  @Test("A place passes when its day and its document do", arguments: [1, 63, 64, 65, 700])
  func passing(count: Int) {
    var random = Splitmix(state: 3)
    let documents = (0..<count).map { _ in Int64.random(in: -3...300, using: &random) }
    let days = (0..<count).map { _ in Int32.random(in: -9...9, using: &random) }
    let words = (count + 63) / 64
    let before = (0..<words).map { _ in random.next() }
    let allowed = (0..<3).map { _ in random.next() }
    let excluded = (0..<4).map { _ in random.next() }
    func has(_ set: [UInt64], _ number: Int64) -> Bool {
      number >= 0 && number < set.count * 64
        && set[Int(number) / 64] >> UInt64(number % 64) & 1 == 1
    }
    for (first, last, isLimited) in [
      (-3, 4, true), (-3, 4, false), (.min, .max, true), (.min, -1, false), (2, .max, false),
    ] as [(Int32, Int32, Bool)] {
      let found = both {
        var bits = before
        allowed.withUnsafeBufferPointer { allowed in
          excluded.withUnsafeBufferPointer { excluded in
            var filter = vector_scan_filter(
              first_day: first, last_day: last, is_limited: isLimited,
              allowed: allowed.baseAddress, excluded: excluded.baseAddress,
              allowed_words: allowed.count, excluded_words: excluded.count)
            vector_scan_passing(documents, days, count, &filter, &bits)
          }
        }
        return bits
      }
      for bits in [found.portable, found.best] {
        #expect(
          (0..<count).allSatisfy { place in
            let passes =
              days[place] >= first && days[place] <= last
              && (!isLimited || has(allowed, documents[place])) && !has(excluded, documents[place])
            let bit = UInt64(1) << UInt64(place % 64)
            return bits[place / 64] & bit == (passes ? before[place / 64] & bit : 0)
          })
      }
    }
  }

  @Test("The texts of places are marked, and the places of texts found", arguments: [1, 64, 777])
  func texts(count: Int) {
    var random = Splitmix(state: 8)
    let limit = 500
    let texts = (0..<count).map { _ in UInt32.random(in: 0..<500, using: &random) }
    let passing = (0..<(count + 63) / 64).map { _ in random.next() }
    let last = count % 64 == 0 ? ~UInt64(0) : (1 << UInt64(count % 64)) - 1
    let some = Array(passing.dropLast()) + [(passing.last ?? 0) & last]
    func passes(_ place: Int) -> Bool { some[place / 64] >> UInt64(place % 64) & 1 == 1 }
    var marked = [UInt64](repeating: 0, count: 8)
    #expect(vector_scan_mark(texts, some, count, limit, &marked))
    #expect(
      (0..<limit).allSatisfy { text in
        (marked[text / 64] >> UInt64(text % 64) & 1 == 1)
          == (0..<count).contains { passes($0) && Int(texts[$0]) == text }
      })
    let chosen = (0..<8).map { _ in random.next() }
    func isChosen(_ place: Int) -> Bool {
      chosen[Int(texts[place]) / 64] >> UInt64(texts[place] % 64) & 1 == 1
    }
    // All texts are below 1,024, so that folding changes nothing; more bits in it must not matter.
    let folded = [chosen[0] | 0xff] + chosen.dropFirst() + [UInt64](repeating: 0, count: 8)
    for bits in [some, nil] {
      let found = both { () -> [UInt16] in
        var numbers = [UInt16](repeating: 0, count: count)
        let found = vector_scan_places_of(texts, bits, count, chosen, folded, limit, &numbers)
        return Array(numbers.prefix(found))
      }
      let expected = (0..<count).filter { isChosen($0) && (bits == nil || passes($0)) }
      #expect(found.portable == expected.map { UInt16($0) } && found.best == found.portable)
    }
    var numbers = [UInt16](repeating: 0, count: some.count * 64)
    let ones = vector_scan_numbers(some, some.count, &numbers)
    #expect(numbers.prefix(ones).map { Int($0) } == (0..<count).filter(passes))
  }

  @Test("A number of a text that there is none of is noticed and not looked up")
  func badText() {
    var texts = [UInt32](repeating: 0, count: 130)
    let folded = [UInt64](repeating: ~0, count: 16)
    for place in [0, 70, 129] {
      texts[place] = .max
      let all = [UInt64](repeating: ~0, count: 2) + [3]
      var marked: [UInt64] = [0]
      #expect(!vector_scan_mark(texts, all, 130, 64, &marked))
      let found = both {
        var numbers = [UInt16](repeating: 0, count: 130)
        return vector_scan_places_of(texts, nil, 130, [1], folded, 64, &numbers)
      }
      #expect(found.portable == 131 && found.best == 131)
      texts[place] = 0
    }
  }

  @Test("Halves are rounded to the nearest, ties to even")
  func halves() {
    let values: [Float] = [
      0, -0.0, 1, -1, 0.1, 0.33333, 65504, 65520, 1e-7, 5.96e-8, 2.98e-8, 6.1e-5, 1.00048828125,
      1.00146484375, -0.051234, .infinity,
    ]
    let bits = both {
      var halves = [UInt16](repeating: 0, count: values.count)
      vector_scan_to_half(values, values.count, &halves)
      return halves
    }
    #expect(bits.portable == bits.best)
    #expect(Array(bits.best[2...3]) == [0x3c00, 0xbc00])
    #expect(Array(bits.best[12...13]) == [0x3c00, 0x3c02])
    var back = [Float](repeating: 0, count: values.count)
    vector_scan_from_half(bits.best, values.count, &back)
    #expect(
      zip(values, back).allSatisfy { abs($0 - $1) <= max(abs($0) / 2000, 3.1e-8) || $0 > 65504 })
  }

  @Test("Products with signs and with halves are those of the numbers", arguments: [64, 384])
  func products(dimensions: Int) {
    var random = Splitmix(state: 5)
    let query = (0..<dimensions).map { _ in Float.random(in: -1...1, using: &random) }
    let row = (0..<dimensions).map { _ in Float.random(in: -1...1, using: &random) }
    var halves = [UInt16](repeating: 0, count: dimensions)
    vector_scan_to_half(row, dimensions, &halves)
    let exact = zip(query, row).reduce(Float(0)) { $0 + $1.0 * $1.1 }
    let product = both { vector_scan_half_product(halves, query, dimensions) }
    #expect(abs(product.portable - exact) < 0.02 && abs(product.best - exact) < 0.02)
    let signs = (0..<dimensions / 64).map { _ in random.next() }
    let sum = query.enumerated().reduce(Float(0)) { sum, next in
      signs[next.offset / 64] >> UInt64(next.offset % 64) & 1 == 1 ? sum + next.element : sum
    }
    let sums = both {
      signs.withUnsafeBufferPointer { signs -> Float in
        var sum: Float = 0
        vector_scan_sign_sums([signs.baseAddress], 1, dimensions / 64, query, &sum)
        return sum
      }
    }
    #expect(abs(sums.portable - sum) < 0.001 && abs(sums.best - sum) < 0.001)
  }

  @Test("The checksum is CRC-32C, in one go or in pieces")
  func checksum() {
    let bytes = Array("123456789".utf8)
    let whole = both { vector_scan_crc32c(0, bytes, 9) }
    #expect(whole.portable == 0xe306_9283 && whole.best == 0xe306_9283)
    let first = vector_scan_crc32c(0, bytes, 4)
    #expect(vector_scan_crc32c(first, Array(bytes[4...]), 5) == 0xe306_9283)
  }
}
