/// The range of bytes requested (RFC 9110 §14.2).
enum ByteRange: Hashable, Sendable {
  /// No range, or one that may be answered with the whole content.
  case whole
  case part(ClosedRange<Int>)
  /// The range is beyond the end.
  case outside

  /// Parses a range.
  ///
  /// - Parameters:
  ///   - header: the `Range` header, or nil if there is none.
  ///   - size: the number of bytes available.
  init(_ header: String?, size: Int) {
    self = .whole
    guard let header, header.hasPrefix("bytes=") else { return }
    let bounds = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    // Several ranges may be answered with the whole content.
    guard bounds.count == 2, !header.contains(",") else { return }
    func number(_ text: Substring) -> Int? {
      text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
    if bounds[0].isEmpty {
      guard let count = number(bounds[1]) else { return }
      self = count == 0 || size == 0 ? .outside : .part(max(0, size - count)...(size - 1))
      return
    }
    guard let first = number(bounds[0]) else { return }
    guard first < size else {
      self = .outside
      return
    }
    if bounds[1].isEmpty {
      self = .part(first...(size - 1))
    } else if let last = number(bounds[1]), last >= first {
      self = .part(first...min(last, size - 1))
    }
  }
}
