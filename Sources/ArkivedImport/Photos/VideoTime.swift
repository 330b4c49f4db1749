import ArkivedCore
import Foundation

/// The creation time of a video, from the header of its container.
///
/// Source: ISO/IEC 14496-12 §8.2.2 (`moov/mvhd`, seconds since 1904 in UTC), which MP4 and
/// QuickTime share. We use our own parser because it reads just two boxes with a length and a name,
/// within the file's bounds, whereas video libraries are large.
enum VideoTime {
  /// Seconds from 1904 to 1970.
  private static let epoch: Int64 = 2_082_844_800
  /// The maximum number of boxes examined before the one being looked for.
  private static let boxLimit = 10_000

  /// Reads the creation time.
  ///
  /// - Parameter content: a whole file, mapped.
  /// - Returns: nil if the header has none, or one from before such files existed.
  static func instant(_ content: Data) -> Instant? {
    guard let film = box("moov", in: content[...]), let head = box("mvhd", in: film) else {
      return nil
    }
    let isLong = head.first == 1
    guard let seconds = number(head.dropFirst(4), bytes: isLong ? 8 : 4) else { return nil }
    guard seconds > epoch, seconds < epoch + 100_000_000_000 else { return nil }
    return Instant(milliseconds: (seconds - epoch) * 1000)
  }

  /// Returns the content of the first box with a given name.
  private static func box(_ name: String, in bytes: Data) -> Data? {
    var rest = bytes
    for _ in 0..<boxLimit {
      guard let short = number(rest, bytes: 4), rest.count >= 8 else { return nil }
      var (length, head) = (short, 8)
      if short == 1 {
        guard let long = number(rest.dropFirst(8), bytes: 8) else { return nil }
        (length, head) = (long, 16)
      }
      // 0 means that the box extends to the end.
      if short == 0 { length = Int64(rest.count) }
      guard length >= Int64(head), length <= Int64(rest.count) else { return nil }
      if rest.dropFirst(4).prefix(4).elementsEqual(name.utf8) {
        return rest.prefix(Int(length)).dropFirst(head)
      }
      rest = rest.dropFirst(Int(length))
    }
    return nil
  }

  /// Reads a big-endian number of some bytes; returns nil beyond the end or above `Int64.max`.
  private static func number(_ bytes: Data, bytes count: Int) -> Int64? {
    guard bytes.count >= count else { return nil }
    return Int64(exactly: bytes.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
