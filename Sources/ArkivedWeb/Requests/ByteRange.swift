/// One range of bytes that a request asks for (RFC 9110 §14.2).
enum ByteRange: Hashable, Sendable {
  /// No range, or one that may be answered with the whole.
  case whole
  case part(ClosedRange<Int>)
  /// It lies behind the end.
  case outside

  /// - Parameters:
  ///   - header: the `Range` header, nil where there is none.
  ///   - size: how many bytes there are.
  init(_ header: String?, size: Int) {
    self = .whole
    guard let header, header.hasPrefix("bytes=") else { return }
    let bounds = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    // Several ranges may be answered with the whole.
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
