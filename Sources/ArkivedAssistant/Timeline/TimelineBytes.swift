import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Bytes that stay where they are and never change: a file mapped for reading, or a copy in memory.
final class TimelineBytes: Sendable {
  let count: Int
  private let isMapped: Bool
  /// The first byte. Swift holds no pointer for Sendable; this one is: nobody writes there, and
  /// `deinit`, which no reader outlives, gives the memory back.
  private nonisolated(unsafe) let base: UnsafeRawPointer

  /// Copies bytes into memory.
  init(copying bytes: [UInt8]) {
    count = bytes.count
    isMapped = false
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 64)
    bytes.withUnsafeBytes { source in
      if let start = source.baseAddress, !source.isEmpty {
        memory.copyMemory(from: start, byteCount: source.count)
      }
    }
    base = UnsafeRawPointer(memory)
  }

  /// Maps a file; nil where it cannot be read. It is replaced by another one under another name,
  /// never cut.
  init?(mapping file: URL) {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0,
      let memory = mmap(nil, Int(status.st_size), PROT_READ, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { return nil }
    count = Int(status.st_size)
    isMapped = true
    base = UnsafeRawPointer(memory)
  }

  deinit {
    if isMapped {
      munmap(UnsafeMutableRawPointer(mutating: base), count)
    } else {
      base.deallocate()
    }
  }

  /// Lets the memory go that reading all of them took; what is read again comes back from the file.
  func letGo() {
    if isMapped { madvise(UnsafeMutableRawPointer(mutating: base), count, MADV_DONTNEED) }
  }

  /// A part of the bytes; nil where it does not lie within them.
  func part(_ offset: Int, _ length: Int) -> UnsafeRawBufferPointer? {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
    return UnsafeRawBufferPointer(start: base + offset, count: length)
  }
}

/// Numbers of one type, one after the other. What lies outside is 0, so that a damaged file makes no
/// reader crash.
struct TimelineColumn<Value: BitwiseCopyable & Sendable & ExpressibleByIntegerLiteral>: Sendable {
  let count: Int
  private let owner: TimelineBytes
  /// The first value. Swift holds no pointer for Sendable; this one is: it lies in `owner`, whose bytes
  /// never change and which this value keeps. An access goes without asking `owner` again, since
  /// answers read millions of them.
  private nonisolated(unsafe) let start: UnsafePointer<Value>?

  /// - Returns: nil where the part is no whole number of values, or lies outside.
  init?(_ owner: TimelineBytes, _ place: TimelineLayout.Place) {
    guard let part = owner.part(place.offset, place.length),
      place.length % MemoryLayout<Value>.stride == 0,
      place.offset % TimelineLayout.alignment == 0
    else { return nil }
    self.owner = owner
    count = place.length / MemoryLayout<Value>.stride
    start = part.baseAddress?.assumingMemoryBound(to: Value.self)
  }

  subscript(_ index: Int) -> Value {
    guard index >= 0, index < count, let start else { return 0 }
    return start[index]
  }
}

/// Texts one after the other.
struct TimelineTexts: Sendable {
  /// Where each begins, and behind the last where that ends.
  private let starts: TimelineColumn<UInt64>
  private let owner: TimelineBytes
  private let place: TimelineLayout.Place

  init?(_ owner: TimelineBytes, starts: TimelineLayout.Place, bytes: TimelineLayout.Place) {
    guard let column = TimelineColumn<UInt64>(owner, starts),
      owner.part(bytes.offset, bytes.length) != nil
    else { return nil }
    self.starts = column
    self.owner = owner
    place = bytes
  }

  var count: Int { max(0, starts.count - 1) }

  /// The bytes of a text; none where there is no such text.
  func withBytes<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let first = Int(clamping: starts[index])
    let end = index + 1 < starts.count ? Int(clamping: starts[index + 1]) : first
    guard first <= end, end <= place.length,
      let part = owner.part(place.offset + first, end - first)
    else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return body(part)
  }

  subscript(_ index: Int) -> String { withBytes(index) { String(decoding: $0, as: UTF8.self) } }

  var all: [String] { (0..<count).map { self[$0] } }

  /// Where a text stands among texts in the order of their bytes; nil where it is none of them.
  func index(of text: String) -> Int? {
    var low = 0
    var high = count
    let wanted = Array(text.utf8)
    while low < high {
      let middle = (low + high) / 2
      let isLess = withBytes(middle) { $0.lexicographicallyPrecedes(wanted) }
      if isLess { low = middle + 1 } else { high = middle }
    }
    return low < count && withBytes(low) { $0.elementsEqual(wanted) } ? low : nil
  }

  /// Those that begin with some bytes, among texts in the order of their bytes.
  func range(startingWith prefix: [UInt8]) -> Range<Int> {
    func bound(_ isAfter: (UnsafeRawBufferPointer) -> Bool) -> Int {
      var low = 0
      var high = count
      while low < high {
        let middle = (low + high) / 2
        if withBytes(middle, isAfter) { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let first = bound { !$0.lexicographicallyPrecedes(prefix) }
    let end = bound { text in
      !text.starts(with: prefix) && !text.lexicographicallyPrecedes(prefix)
    }
    return first..<max(first, end)
  }
}
