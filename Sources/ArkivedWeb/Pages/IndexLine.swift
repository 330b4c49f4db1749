import ArkivedCore
import ArkivedEngine

/// The line below the search about the progress of the indexes, shown while it matters to the user.
struct IndexLine {
  private let state: IndexStatus.State

  init(_ state: IndexStatus.State) { self.state = state }

  /// The duration below which work is not mentioned.
  private static let leastSeconds = 1.0

  var context: [String: Any] {
    [
      "indexSentence": sentence ?? "", "hasIndexSentence": sentence != nil,
      "isIndexing": state.progress != nil || state.isBusyElsewhere,
      "indexShare": "\(share ?? 0)", "hasIndexShare": share != nil,
    ]
  }

  private var shown: IndexProgress? {
    state.progress.flatMap { $0.seconds >= Self.leastSeconds ? $0 : nil }
  }

  /// The progress in per cent.
  private var share: Int? {
    shown.flatMap { $0.total > 0 ? min(100, $0.done * 100 / $0.total) : nil }
  }

  private var sentence: String? {
    if let progress = shown {
      var parts =
        progress.stage == .words
        ? [said("Indexing the words in your entries")]
        : [said("Indexing the meaning of your entries: \(progress.done) of \(progress.total)")]
      if let left = progress.secondsLeft { parts.append(said("\(Self.duration(left)) left")) }
      return said("\(parts.joined(separator: " · ")). You can keep searching.")
    }
    if state.isBusyElsewhere { return said("Another program is indexing this archive.") }
    return (state.problem ?? state.absence).map(saidAgain)
  }

  private static func duration(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 1e7).rounded(.up))
    guard whole >= 90 else { return said("\(whole) seconds") }
    return said("\((whole + 59) / 60) minutes")
  }
}
