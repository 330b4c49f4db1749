import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Immutable bytes at a fixed address: a file mapped for reading, or a copy in memory.
final class TimelineBytes: Sendable {
  let count: Int
  private let isMapped: Bool
  /// The first byte.
  ///
  /// Raw pointers aren't Sendable, but this one is safe: nobody writes to the memory, and `deinit`,
  /// which runs after the last reader is gone, releases it.
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

  /// Maps a file; nil if it can't be read.
  ///
  /// The file is only ever replaced by another one under a different name, never truncated.
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

  /// Releases the memory used by reading all bytes; pages are reloaded from the file when needed.
  func letGo() {
    if isMapped { madvise(UnsafeMutableRawPointer(mutating: base), count, MADV_DONTNEED) }
  }

  /// Returns a part of the bytes; nil if it is out of bounds.
  func part(_ offset: Int, _ length: Int) -> UnsafeRawBufferPointer? {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
    return UnsafeRawBufferPointer(start: base + offset, count: length)
  }
}

/// Consecutive numbers of one type.
///
/// Values out of bounds are 0, so a damaged file can't crash a reader.
struct TimelineColumn<Value: BitwiseCopyable & Sendable & ExpressibleByIntegerLiteral>: Sendable {
  let count: Int
  private let owner: TimelineBytes
  /// The first value.
  ///
  /// Unsafe pointers aren't Sendable, but this one is safe: it points into `owner`, whose bytes
  /// never change and which this value retains. Accesses bypass `owner`, because answers read
  /// millions of values.
  private nonisolated(unsafe) let start: UnsafePointer<Value>?

  /// Opens a part of the bytes as a column.
  ///
  /// - Returns: nil if the part isn't a whole number of values, or is out of bounds.
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

/// Consecutive texts.
struct TimelineTexts: Sendable {
  /// The start of each text, followed by the end of the last.
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

  /// Calls a closure with the bytes of a text, which are empty if there is no such text.
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

  /// Returns the index of a text among texts sorted by their bytes; nil if it is missing.
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

  /// Returns the texts with a prefix, among texts sorted by their bytes.
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
