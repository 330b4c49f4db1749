import ArkivedCore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The bytes of a timeline: a file mapped for reading, or a copy in memory.
struct TimelineBytes: Sendable {
  fileprivate let memory: FixedMemory

  var count: Int { memory.count }

  /// Copies bytes into memory.
  init(copying bytes: [UInt8]) { memory = FixedMemory(copying: bytes) }

  /// Maps a file; nil if it can't be read.
  ///
  /// The file is only ever replaced by another one under a different name, never truncated.
  init?(mapping file: URL) {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0,
      let memory = FixedMemory(mapping: descriptor, count: Int(status.st_size))
    else { return nil }
    self.memory = memory
  }

  /// Releases the memory used by reading all bytes; pages are reloaded from the file when needed.
  func letGo() { memory.letGo() }

  /// Returns a part of the bytes; nil if it is out of bounds.
  func part(_ offset: Int, _ length: Int) -> UnsafeRawBufferPointer? {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
    return UnsafeRawBufferPointer(start: memory.base + offset, count: length)
  }
}

/// Consecutive numbers of one type.
///
/// Values out of bounds are 0, so a damaged file can't crash a reader.
struct TimelineColumn<Value: BitwiseCopyable & Sendable & ExpressibleByIntegerLiteral>: Sendable {
  let count: Int
  private let memory: FixedMemory
  private let offset: Int

  /// Opens a part of the bytes as a column.
  ///
  /// - Returns: nil if the part isn't a whole number of values, or is out of bounds.
  init?(_ owner: TimelineBytes, _ place: TimelineLayout.Place) {
    guard owner.part(place.offset, place.length) != nil,
      place.length % MemoryLayout<Value>.stride == 0,
      place.offset % TimelineLayout.alignment == 0
    else { return nil }
    memory = owner.memory
    offset = place.offset
    count = place.length / MemoryLayout<Value>.stride
  }

  subscript(_ index: Int) -> Value {
    guard index >= 0, index < count else { return 0 }
    return memory.base.load(
      fromByteOffset: offset + index * MemoryLayout<Value>.stride, as: Value.self)
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

  /// Calls a closure with the bytes of a text, which are empty if the text doesn't exist.
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
