package import ArkivedCore
package import ArkivedSearch

/// A source of passages that uses the archive's own search.
package struct SearchRetriever: Retriever {
  private let search: HybridSearch

  package init(_ search: HybridSearch) { self.search = search }

  package func passages(
    about subject: String, before day: DayKey, limit: Int
  ) throws -> [SearchHit] {
    // The words of a title must not act as filters.
    let words = subject.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }
    guard !words.isEmpty else { return [] }
    let request = SearchRequest(
      query: words.joined(separator: " "), to: .day(day), limit: limit)
    return try search.search(request).hits
  }
}
