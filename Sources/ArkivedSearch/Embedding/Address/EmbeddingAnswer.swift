import ArkivedCore
import Foundation

/// Parses the answer of an OpenAI-compatible server: `{"data":[{"index":0,"embedding":[…]},…]}`.
enum EmbeddingAnswer {
  /// The problem with an answer, as the rest of a sentence about the address.
  struct Problem: Error {
    var text: String
  }

  /// Returns the vectors in the order of the texts, padded and with length 1.
  ///
  /// - Parameters:
  ///   - body: the answer.
  ///   - count: the number of texts sent.
  ///   - width: the required number of dimensions, or nil to accept any the first time.
  /// - Returns: the vectors, and how many dimensions the server sent.
  /// - Throws: `Problem` if the answer isn't one vector of that length for each text.
  static func vectors(
    in body: some Collection<UInt8>, count: Int, width: Int?
  ) throws -> (width: Int, vectors: EmbeddedTexts) {
    let json: JSON
    do {
      json = try JSON(parsing: body)
    } catch {
      throw Problem(text: "didn’t respond with valid JSON (\(error)): \(shown(body))")
    }
    guard let data = json["data"]?.array else {
      throw Problem(
        text:
          """
          sent a response without the field “data”. Is this the right address for embeddings? The \
          response was: \(shown(body))
          """
      )
    }
    guard data.count == count else {
      throw Problem(
        text: "returned the wrong number of vectors: \(data.count) instead of "
          + "\(count)")
    }
    var rows = [[Float]?](repeating: nil, count: count)
    var width = width
    for (place, element) in data.enumerated() {
      // Some servers omit the index; then the order is that of the texts.
      let index = element["index"].map { $0.int ?? -1 } ?? place
      guard rows.indices.contains(index), rows[index] == nil else {
        throw Problem(text: "returned an index that is wrong or appears twice")
      }
      let row = try row(element["embedding"])
      if let width, row.count != width {
        throw Problem(
          text:
            "returned a vector of \(row.count) numbers, not \(width). If the model has changed, run arkived "
            + "index --use again")
      }
      guard VectorWidth.range.contains(row.count) else {
        throw Problem(
          text: "returned a vector of \(row.count) numbers, but only 1 to "
            + "\(VectorWidth.range.upperBound) can be stored. Try --dimensions")
      }
      width = row.count
      rows[index] = row
    }
    let found = width ?? 0
    let padded = VectorWidth.padded(found)
    var values: [Float] = []
    values.reserveCapacity(padded * count)
    for row in rows {
      guard let row, let unit = try? UnitVector.of(row, dimensions: found) else {
        throw Problem(text: "returned a zero vector")
      }
      values += unit
      values += repeatElement(0, count: padded - found)
    }
    return (found, EmbeddedTexts(dimensions: padded, values: values))
  }

  private static func row(_ json: JSON?) throws -> [Float] {
    guard let numbers = json?.array else {
      throw Problem(text: "returned an “embedding” that isn’t a list of numbers")
    }
    return try numbers.map { number in
      guard let value = number.double.map({ Float($0) }), value.isFinite else {
        throw Problem(
          text: "returned a vector whose values aren’t all finite numbers")
      }
      return value
    }
  }

  /// Returns the beginning of an answer on one line.
  static func shown(_ body: some Collection<UInt8>) -> String {
    let text = String(decoding: body.prefix(600), as: UTF8.self)
    let words = text.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 } }
    let line = words.joined(separator: " ")
    guard !line.isEmpty else { return "nothing" }
    return "“\(line.prefix(200))\(line.count > 200 ? "…" : "")”"
  }
}
