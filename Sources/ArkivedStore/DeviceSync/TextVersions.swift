/// The versions of one text, and the result of merging independent ones.
struct TextVersions {
  private let versions: [ReplicaStamp: ReplicaState.TextVersion]

  init(_ versions: [ReplicaStamp: ReplicaState.TextVersion]) { self.versions = versions }

  /// The versions that no other version was made from, earliest first.
  var heads: [ReplicaStamp] {
    var heads = Set(versions.keys)
    for version in versions.values { heads.subtract(version.parents) }
    return heads.sorted()
  }

  /// The merged text, and the versions that were partly replaced by a later one.
  var merged: (text: String?, givenWay: [ReplicaStamp]) {
    let heads = heads
    guard let first = heads.first else { return (nil, []) }
    guard heads.count > 1 else { return (versions[first]?.text, []) }
    var text = versions[first]?.text ?? ""
    var known = ancestors(of: first)
    var givenWay: [ReplicaStamp] = []
    for (place, head) in heads.enumerated().dropFirst() {
      let own = ancestors(of: head)
      let base = own.intersection(known).filter { versions[$0] != nil }.max()
        .map { versions[$0]?.text ?? "" }
      let merge = TextMerge(base: base, earlier: text, later: versions[head]?.text ?? "")
      text = merge.text
      if merge.gaveWay { givenWay.append(heads[place - 1]) }
      known.formUnion(own)
    }
    let isAbsent = text.isEmpty && heads.contains { versions[$0]?.text == nil }
    return (isAbsent ? nil : text, givenWay)
  }

  /// Returns a version and all versions that it was made from.
  private func ancestors(of head: ReplicaStamp) -> Set<ReplicaStamp> {
    var found: Set<ReplicaStamp> = []
    var open = [head]
    while let next = open.popLast() {
      guard found.insert(next).inserted else { continue }
      open += versions[next]?.parents ?? []
    }
    return found
  }
}

/// Merges two versions of a text with the version that both were made from (diff3: Khanna, Kunal
/// and Pierce, 2007): by lines, and by words within lines that both changed.
///
/// Changes made by only one side are adopted. If both add something at the same position, both
/// additions are kept, the earlier one first. If both change the same part, the later change is
/// kept.
struct TextMerge {
  private(set) var text = ""
  /// True if part of the earlier version isn't in the text.
  private(set) var gaveWay = false

  /// The product of two texts' bytes up to which one is searched for in the other.
  private static let searchLimit = 100_000_000

  /// Merges two versions of a text.
  ///
  /// - Parameters:
  ///   - base: the version that both are based on, if any.
  ///   - earlier: the version that was written first.
  ///   - later: the version that was written last.
  init(base: String?, earlier: String, later: String) {
    guard let base else {
      text = Self.united(earlier, later)
      return
    }
    if earlier == later || earlier == base {
      text = later
    } else if later == base {
      text = earlier
    } else {
      merge(Self.lines(base), Self.lines(earlier), Self.lines(later), isWords: false)
    }
  }

  /// Combines two versions without a known common origin: lines that both contain appear once, and
  /// where they differ, the earlier version's lines come first.
  private static func united(_ earlier: String, _ later: String) -> String {
    if contains(later, earlier) { return later }
    if contains(earlier, later) { return earlier }
    let (one, other) = (lines(earlier), lines(later))
    let places = TextAlignment(one, other).places
    let common = one.indices.filter { places[$0] != nil && !one[$0].allSatisfy(\.isWhitespace) }
    guard !common.isEmpty else { return earlier + "\n\n" + later }
    var text = ""
    func append(_ lines: ArraySlice<Substring>) {
      guard !lines.isEmpty else { return }
      if !text.isEmpty, text.last?.isNewline == false { text += "\n" }
      text += lines.joined()
    }
    var (first, second) = (0, 0)
    for place in common {
      guard let match = places[place] else { continue }
      append(one[first..<place])
      append(other[second..<match])
      append(one[place...place])
      (first, second) = (place + 1, match + 1)
    }
    append(one[first...])
    append(other[second...])
    return text
  }

  /// Returns true if a text is part of another one; of long texts, only the beginning and the end
  /// are looked at.
  private static func contains(_ text: String, _ part: String) -> Bool {
    if text.hasPrefix(part) || text.hasSuffix(part) { return true }
    let size = text.utf8.count.multipliedReportingOverflow(by: part.utf8.count)
    return !size.overflow && size.partialValue <= searchLimit && text.contains(part)
  }

  private mutating func merge(
    _ base: [Substring], _ earlier: [Substring], _ later: [Substring], isWords: Bool
  ) {
    let inEarlier = TextAlignment(base, earlier).places
    let inLater = TextAlignment(base, later).places
    var (start, first, second) = (0, 0, 0)
    for place in base.indices {
      guard let one = inEarlier[place], let other = inLater[place] else { continue }
      settle(
        base[start..<place], earlier[first..<one], later[second..<other], isWords: isWords)
      text += base[place]
      (start, first, second) = (place + 1, one + 1, other + 1)
    }
    settle(base[start...], earlier[first...], later[second...], isWords: isWords)
  }

  /// Merges the parts between two positions that all three versions have in common.
  private mutating func settle(
    _ base: ArraySlice<Substring>, _ earlier: ArraySlice<Substring>,
    _ later: ArraySlice<Substring>, isWords: Bool
  ) {
    if earlier == base || earlier == later {
      text += later.joined()
    } else if later == base {
      text += earlier.joined()
    } else if !isWords {
      merge(
        Self.words(base.joined()), Self.words(earlier.joined()), Self.words(later.joined()),
        isWords: true)
    } else if base.isEmpty {
      let (one, other) = (earlier.joined(), later.joined())
      let needsSpace = one.last?.isWhitespace == false && other.first?.isWhitespace == false
      text += one + (needsSpace ? " " : "") + other
    } else {
      text += later.joined()
      gaveWay = true
    }
  }

  /// Lines with their ends.
  private static func lines(_ text: String) -> [Substring] {
    pieces(text) { $0.isNewline }
  }

  /// Splits a text into words and the single spaces between them.
  private static func words(_ text: String) -> [Substring] {
    var pieces: [Substring] = []
    var start = text.startIndex
    for index in text.indices where text[index].isWhitespace {
      if start < index { pieces.append(text[start..<index]) }
      start = text.index(after: index)
      pieces.append(text[index..<start])
    }
    if start < text.endIndex { pieces.append(text[start...]) }
    return pieces
  }

  private static func pieces(_ text: String, _ isEnd: (Character) -> Bool) -> [Substring] {
    var pieces: [Substring] = []
    var start = text.startIndex
    for index in text.indices where isEnd(text[index]) {
      let end = text.index(after: index)
      pieces.append(text[start..<end])
      start = end
    }
    if start < text.endIndex { pieces.append(text[start...]) }
    return pieces
  }
}
