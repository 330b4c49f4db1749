/// The neighbours of documents in time.
extension WordIndex {
  /// A document near another one on the same day.
  struct Neighbour: Hashable {
    var document: Int64
    /// The distance, 1 for the document right before or after it.
    var distance: Int
  }

  /// The number of documents of a day that are searched for its page.
  private static let pageLimit = 200

  /// Returns the neighbours of some documents on their days, by document, skipping documents that
  /// are not in the index.
  ///
  /// - Parameters:
  ///   - documents: row numbers.
  ///   - reach: the largest distance.
  ///   - isPage: returns true for a day's own page, which counts as near all other documents of its
  ///     day.
  /// - Returns: the neighbours.
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  func neighbours(
    of documents: some Sequence<Int64>, within reach: Int, isPage: (Int64) -> Bool
  ) throws -> [Int64: [Neighbour]] {
    try withView { view in
      var found: [Int64: [Neighbour]] = [:]
      var pages: [Int: Int64?] = [:]
      for document in documents {
        guard let ordinal = try view.ordinal(of: document) else { continue }
        let day = view.ordinalsOfDay(of: ordinal)
        var near: [Neighbour] = []
        for distance in 1...max(1, reach) {
          // The previous one in time has the higher ordinal.
          for other in [ordinal + distance, ordinal - distance] where day.contains(other) {
            near.append(Neighbour(document: view.row(other), distance: distance))
          }
        }
        let page = pages[day.lowerBound] ?? Self.page(of: day, view, isPage)
        pages.updateValue(page, forKey: day.lowerBound)
        if let page, page != document, !near.contains(where: { $0.document == page }) {
          near.append(Neighbour(document: page, distance: reach))
        }
        found[document] = near
      }
      return found
    }
  }

  private static func page(
    of day: Range<Int>, _ view: WordIndexView, _ isPage: (Int64) -> Bool
  ) -> Int64? {
    // A day with more documents comes from an import.
    for ordinal in day.prefix(pageLimit) where isPage(view.row(ordinal)) {
      return view.row(ordinal)
    }
    return nil
  }
}
