/// The buffers of one query, which are freed together with it.
final class SearchMemory {
  private var numbers: [UnsafeMutablePointer<UInt32>] = []
  private var bytes: [UnsafeMutableRawPointer] = []
  private var cursors: [UnsafeMutableBufferPointer<PostingCursor>] = []
  /// A flag set by cursors that find invalid data, so their inner loops don't have to throw.
  let damage: UnsafeMutablePointer<Bool>

  init() {
    damage = .allocate(capacity: 1)
    damage.initialize(to: false)
  }

  deinit {
    damage.deallocate()
    for list in cursors {
      list.deinitialize()
      list.deallocate()
    }
    numbers.forEach { $0.deallocate() }
    bytes.forEach { $0.deallocate() }
  }

  /// Checks for damage.
  ///
  /// - Throws: `WordIndexDamage` if a cursor found invalid data.
  func checkDamage() throws {
    if damage.pointee { throw WordIndexDamage("postings") }
  }

  func makeNumbers(_ count: Int) -> UnsafeMutablePointer<UInt32> {
    let buffer = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    buffer.initialize(repeating: 0, count: count)
    numbers.append(buffer)
    return buffer
  }

  /// Allocates integers initialised with `values`.
  func makeIntegers(_ values: [Int]) -> UnsafeMutablePointer<Int> {
    let buffer = UnsafeMutableRawPointer(makeBytes(max(1, values.count) * MemoryLayout<Int>.stride))
      .bindMemory(to: Int.self, capacity: max(1, values.count))
    buffer.update(from: values, count: values.count)
    return buffer
  }

  func makeBytes(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
    bytes.append(buffer)
    return buffer.initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }

  func makeCursors(_ list: [PostingCursor]) -> UnsafeMutableBufferPointer<PostingCursor> {
    let buffer = UnsafeMutableBufferPointer<PostingCursor>.allocate(capacity: list.count)
    _ = buffer.initialize(from: list)
    cursors.append(buffer)
    return buffer
  }
}
