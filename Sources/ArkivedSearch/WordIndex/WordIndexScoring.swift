import Foundation

/// The scoring of occurrences: BM25 over weighted fields.
///
/// Robertson, Zaragoza and Taylor, “Simple BM25 Extension to Multiple Weighted Fields” (2004): the
/// occurrences of a term in each field are divided by the field's relative length and multiplied by
/// its weight *before* they saturate, so a word in title and body is not counted as two words.
package struct WordIndexScoring: Sendable, Hashable {
  /// The parameters of one column of the full-text table.
  package struct Column: Sendable, Hashable {
    /// The number of occurrences in the body that one occurrence in this column is worth.
    package var weight: Double
    /// 0 if the column's length does not matter; 1 if occurrences count by their share of it.
    package var lengthInfluence: Double

    package init(weight: Double, lengthInfluence: Double) {
      self.weight = weight
      self.lengthInfluence = lengthInfluence
    }
  }

  /// The occurrence weight at which half of the maximum is reached.
  package var saturation: Double
  package var columns: [Column]

  package init(saturation: Double, columns: [Column]) {
    self.saturation = saturation
    self.columns = columns
  }

  /// The parameters for title, body and names.
  package static let standard = WordIndexScoring(
    saturation: 1.2,
    columns: [
      Column(weight: 4, lengthInfluence: 0.5), Column(weight: 1, lengthInfluence: 0.75),
      Column(weight: 2, lengthInfluence: 0.3),
    ])

  /// The largest number of columns in an index.
  static let columnLimit = 16

  /// True if the parameters are valid: all finite, with weights and saturation above zero.
  var isValid: Bool {
    saturation.isFinite && saturation > 0 && (1...Self.columnLimit).contains(columns.count)
      && columns.allSatisfy {
        $0.weight.isFinite && $0.weight >= 0 && (0...1).contains($0.lengthInfluence)
      } && columns.contains { $0.weight > 0 }
  }

  /// Returns the saturated weight of a term in a document, from 1 to 255 parts of its maximum.
  ///
  /// - Parameters:
  ///   - occurrences: the number of occurrences of the term, by column.
  ///   - lengths: the number of tokens in the document's columns.
  ///   - averages: the mean lengths of the columns with any contents.
  /// - Returns: the weight.
  package func impact(
    occurrences: some Collection<UInt32>, lengths: some Collection<UInt32>, averages: [Double]
  ) -> UInt8 {
    var weight = 0.0
    for (index, (count, length)) in zip(occurrences, lengths).enumerated() where count > 0 {
      let column = columns[index]
      let relative = averages[index] > 0 ? Double(length) / averages[index] : 1
      let norm = 1 - column.lengthInfluence + column.lengthInfluence * relative
      weight += column.weight * Double(count) / max(norm, 1e-6)
    }
    return UInt8(min(255, max(1, (255 * weight / (saturation + weight)).rounded())))
  }

  /// Returns the information in a word that occurs in this many of all documents; above zero.
  package static func rarity(frequency: Int, documents: Int) -> Double {
    let (found, all) = (Double(min(frequency, documents)), Double(documents))
    return log(1 + (all - found + 0.5) / (found + 0.5))
  }
}
