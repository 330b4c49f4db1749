import ArkivedCore
import Foundation

/// Named arrays of 32-bit floats in a file, mapped into memory and checked before use.
///
/// The format is Hugging Face's safetensors: eight bytes with the header's length, little-endian; a
/// JSON object with each tensor's dtype, shape and position; then the tensors' bytes, without gaps
/// or overlaps.
struct SafetensorsFile: Sendable {
  /// The position of a tensor in the file.
  struct Tensor: Sendable, Hashable {
    let shape: [Int]
    /// The byte offset from the start of the file; a multiple of 4.
    let offset: Int
    var count: Int { shape.reduce(1, *) }
  }

  /// The whole file, mapped.
  ///
  /// To replace the file, write a new one next to it and rename it: a file that shrinks while it is
  /// mapped crashes its readers.
  let bytes: Data
  /// The file's name in errors.
  private let name: String
  private let tensors: [String: Tensor]

  private static let largestHeader = 4 << 20

  /// Opens a file and checks its header and length.
  /// - Throws: `EmbeddingError` if the model or the server fails.
  init(_ file: URL) throws {
    name = file.lastPathComponent
    do {
      bytes = try Data(contentsOf: file, options: .alwaysMapped)
    } catch {
      throw EmbeddingError.noModel(
        path: file.path, reason: "the file can’t be read (\(error.localizedDescription))")
    }
    tensors = try SafetensorsFile.header(of: bytes, name: name)
  }

  /// Returns a tensor of 32-bit floats with exactly this shape.
  ///
  /// - Throws: `EmbeddingError.damagedModel` with the name of the tensor.
  func tensor(_ key: String, shape: [Int]) throws -> Tensor {
    guard let tensor = tensors[key] else {
      throw damaged("tensor \(key)", "is missing or doesn’t contain 32-bit floats")
    }
    guard tensor.shape == shape else {
      throw damaged("tensor \(key)", "has the shape \(tensor.shape), not \(shape)")
    }
    return tensor
  }

  private func damaged(_ place: String, _ reason: String) -> EmbeddingError {
    .damagedModel(file: name, place: place, reason: reason)
  }

  private static func header(of bytes: Data, name: String) throws -> [String: Tensor] {
    func damaged(_ place: String, _ reason: String) -> EmbeddingError {
      .damagedModel(file: name, place: place, reason: reason)
    }
    guard bytes.count >= 8 else {
      throw damaged(
        "header length",
        "the file ends before this "
          + "point")
    }
    let length = bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self))
    }
    guard length <= UInt64(min(bytes.count - 8, largestHeader)) else {
      throw damaged(
        "header length", "is \(length) bytes, more than the file or a header can hold")
    }
    let start = 8 + Int(length)
    let parsed: JSON
    do {
      parsed = try JSON(parsing: bytes[8..<start])
    } catch {
      throw damaged("header", "isn’t valid JSON: \(error)")
    }
    guard let object = parsed.object else { throw damaged("header", "isn’t an object") }
    var tensors: [String: Tensor] = [:]
    var stretches: [(range: Range<Int>, key: String)] = []
    for (key, value) in object.members where key != "__metadata__" {
      let place = "tensor \(FieldError.shown(key))"
      guard let dtype = value["dtype"]?.string else { throw damaged(place, "has no dtype") }
      guard let offsets = value["data_offsets"]?.array, offsets.count == 2,
        let from = offsets[0].int, let to = offsets[1].int
      else { throw damaged(place, "data_offsets aren’t two whole numbers") }
      guard 0 <= from, from <= to, to <= bytes.count - start else {
        throw damaged(
          place,
          "data_offsets \(from) to \(to) reach beyond the \(bytes.count - start) bytes there")
      }
      stretches.append((from..<to, key))
      guard dtype == "F32" else { continue }
      guard let shape = value["shape"]?.array?.map(\.int) as? [Int] else {
        throw damaged(place, "shape isn’t a list of whole numbers")
      }
      guard floats(in: shape) == (to - from) / 4, (to - from) % 4 == 0 else {
        throw damaged(place, "the shape \(shape) doesn’t match its \(to - from) bytes")
      }
      guard (start + from) % 4 == 0 else {
        throw damaged(place, "doesn’t start at a multiple of four bytes")
      }
      tensors[key] = Tensor(shape: shape, offset: start + from)
    }
    stretches.sort { left, right in
      (left.range.lowerBound, left.range.upperBound)
        < (right.range.lowerBound, right.range.upperBound)
    }
    var end = 0
    for (range, key) in stretches {
      guard range.lowerBound == end else {
        throw damaged(
          "tensor \(FieldError.shown(key))",
          "starts at byte \(range.lowerBound) of the data, not at \(end) where the one before ends")
      }
      end = range.upperBound
    }
    guard end == bytes.count - start else {
      throw damaged("data", "is \(bytes.count - start) bytes long, not \(end)")
    }
    return tensors
  }

  /// Returns the number of floats in a tensor of this shape, or nil for negative dimensions and
  /// impossible sizes.
  private static func floats(in shape: [Int]) -> Int? {
    var count = 1
    for side in shape {
      let (product, overflows) = count.multipliedReportingOverflow(by: side)
      guard side >= 0, !overflows else { return nil }
      count = product
    }
    return count
  }
}
