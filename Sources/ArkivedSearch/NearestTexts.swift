package import ArkivedCore
package import ArkivedStore
import Foundation

/// The texts of an archive that are nearest in meaning to a question.
package struct NearestTexts: Sendable {
  let archive: Archive
  let indexes: SearchIndexes

  package init(archive: Archive, indexes: SearchIndexes) {
    self.archive = archive
    self.indexes = indexes
  }

  package struct Match: Sendable {
    /// The row number in the full-text table.
    package var document: Int64
    /// The similarity in standard deviations of the question's similarities with the archive's
    /// texts, which makes it comparable across models and questions.
    package var closeness: Double
  }

  /// The number of texts that a question is compared with to estimate the similarity due to chance.
  private static let sampled = 256

  /// Finds the nearest activities and days.
  ///
  /// - Parameters:
  ///   - wordings: several wordings of what is searched for; the mean of their vectors is used.
  ///   - days: the days to search; all if nil.
  ///   - limit: the maximum number of matches.
  /// - Returns: the nearest, in descending order; empty if the archive has no vectors.
  /// - Throws: an error if the indexes can't be read.
  package func find(
    _ wordings: [String], days: ClosedRange<DayKey>?, limit: Int
  ) throws -> [Match] {
    guard let (model, vectors) = try indexes.currentMeaning(), !wordings.isEmpty else { return [] }
    let matches: [VectorMatch]
    let chance: Relevance.Chance
    do {
      var mean = [Float](repeating: 0, count: model.dimensions)
      for wording in wordings {
        for (index, value) in try model.vector(of: wording).enumerated() { mean[index] += value }
      }
      guard mean.contains(where: { $0 != 0 }) else { return [] }
      chance = Relevance.Chance(
        try vectors.index.sample(mean, count: Self.sampled), scale: model.scale)
      matches = try vectors.index.search(
        VectorQuery(
          vector: mean, limit: limit * 2, days: days.map(Self.numbers),
          excluded: vectors.outdated))
    } catch is VectorIndexError {
      // Search reports and repairs unusable vectors.
      return []
    } catch is EmbeddingError {
      return []
    }
    let seen = try archive.passing(
      matches.map(\.document), SearchRequest(query: ""), types: [.activity, .day])
    return matches.filter { seen.contains($0.document) }.prefix(limit).map { match in
      Match(
        document: match.document,
        closeness: (Double(match.score) - chance.mean) / max(chance.spread, 1e-6))
    }
  }

  private static func numbers(_ days: ClosedRange<DayKey>) -> ClosedRange<Int32> {
    func number(_ day: DayKey) -> Int32 { Int32(clamping: day.daysSinceEpoch) }
    return number(days.lowerBound)...number(days.upperBound)
  }
}
