#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension UnsafeBufferPointer<UInt8> {
  /// Returns the pieces between separators, without empty ones.
  func pieces(between separator: UInt8) -> [UnsafeBufferPointer<UInt8>] {
    var pieces: [UnsafeBufferPointer<UInt8>] = []
    guard var start = baseAddress else { return pieces }
    let end = start + count
    while start < end {
      let found = memchr(start, Int32(separator), end - start)
      let stop = found.map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) } ?? end
      if stop > start { pieces.append(UnsafeBufferPointer(start: start, count: stop - start)) }
      start = stop + 1
    }
    return pieces
  }
}
