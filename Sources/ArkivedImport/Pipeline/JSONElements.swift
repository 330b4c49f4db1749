import Foundation

/// Returns the elements of an array in a large JSON document, unparsed and one at a time, in memory
/// bounded by the largest: `{"metadata": …, "entries": [ELEMENT, ELEMENT, …], …}`.
///
/// It only matches brackets and quotes and leaves validation of the elements to their parser. If
/// the array itself is broken, reading continues at the next object, and `damage` describes the
/// problem.
struct JSONElements {
  enum Item {
    /// The bytes of an element, and its offset in the file.
    case element([UInt8], offset: Int)
    /// An element longer than the limit, which was skipped.
    case tooLong(offset: Int)
  }

  /// A fault in the document around its elements.
  struct Damage: Hashable {
    /// The offset in bytes from the start of the file, from 0.
    var offset: Int
    var message: String
  }

  /// The maximum size of an element; 64 MiB is enough for a long note.
  static let lengthLimit = 64 << 20

  /// True if the array was found.
  private(set) var isArrayFound = false
  /// The first fault in the document around the elements.
  private(set) var damage: Damage?

  private enum State { case start, root, array, end }

  private let handle: FileHandle
  private let key: [UInt8]
  private var state = State.start
  private var buffer: [UInt8] = []
  private var position = 0
  /// The offset of the buffer in the file.
  private var base = 0

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - key: the member of the document's object that contains the array.
  /// - Throws: an error if the file can't be read or has no such array.
  init(_ url: URL, arrayNamed key: String) throws {
    handle = try FileHandle(forReadingFrom: url)
    self.key = Array("\"\(key)\"".utf8)
  }

  func close() { try? handle.close() }

  /// Reads the next element; returns nil at the end of the document.
  mutating func next() throws -> Item? {
    while true {
      switch state {
      case .start: try start()
      case .root: try member()
      case .array:
        if let item = try element() { return item }
      case .end: return nil
      }
    }
  }

  // MARK: The document

  private mutating func start() throws {
    for byte in [0xEF, 0xBB, 0xBF] as [UInt8] where try peek() == byte { position += 1 }
    guard try skipSpace() == UInt8(ascii: "{") else {
      return fail("a JSON object is expected here")
    }
    position += 1
    state = .root
  }

  private mutating func member() throws {
    switch try skipSpace() {
    case UInt8(ascii: "\""):
      guard case .element(let name, _)? = try value() else {
        return fail("the document ends inside a key")
      }
      guard try skipSpace() == UInt8(ascii: ":") else {
        return fail("a colon is expected here")
      }
      position += 1
      if name == key, try skipSpace() == UInt8(ascii: "[") {
        position += 1
        isArrayFound = true
        state = .array
      } else {
        _ = try skipSpace()
        guard try value(isKept: false) != nil else {
          return fail("the document ends inside a value")
        }
      }
    case UInt8(ascii: ","): position += 1
    case UInt8(ascii: "}"): state = .end
    case nil: fail("the document ends before its closing brace")
    default: fail("a key in quotes is expected here")
    }
  }

  private mutating func element() throws -> Item? {
    guard let byte = try skipSpace() else {
      fail("the document ends inside the list")
      return nil
    }
    switch byte {
    case UInt8(ascii: "]"):
      position += 1
      state = .root
    case UInt8(ascii: ","): position += 1
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"), 0x30...0x39,
      UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      if let item = try value() { return item }
      fail("the document ends inside an element")
    default:
      note("an element is expected here")
      while let byte = try peek(), byte != UInt8(ascii: "{"), byte != UInt8(ascii: "]") {
        position += 1
      }
    }
    return nil
  }

  private mutating func fail(_ message: String) {
    note(message)
    state = .end
  }

  private mutating func note(_ message: String) {
    damage = damage ?? Damage(offset: base + position, message: message)
  }

  // MARK: Bytes

  /// Returns the next byte, or nil at the end of the file.
  private mutating func peek() throws -> UInt8? {
    if position == buffer.count {
      base += buffer.count
      position = 0
      buffer = try handle.readPiece(upTo: 1 << 20)
      if buffer.isEmpty { return nil }
    }
    return buffer[position]
  }

  private mutating func skipSpace() throws -> UInt8? {
    while let byte = try peek() {
      guard byte == 0x20 || (0x09...0x0D).contains(byte) else { return byte }
      position += 1
    }
    return nil
  }

  /// Reads the value that begins here to its end; returns nil if the file ends inside it.
  private mutating func value(isKept: Bool = true) throws -> Item? {
    let offset = base + position
    var content: [UInt8] = []
    var length = 0
    var end = ValueEnd()
    while try peek() != nil {
      let start = position
      position = end.find(in: buffer, from: position)
      length += position - start
      if isKept, length <= Self.lengthLimit {
        content.append(contentsOf: buffer[start..<position])
      } else {
        content = []
      }
      guard !end.isFound else {
        return isKept && length > Self.lengthLimit
          ? .tooLong(offset: offset) : .element(content, offset: offset)
      }
    }
    // A number or word may be the last item in a file.
    return nil
  }
}

/// Finds the end of a JSON value in pieces of a text.
struct ValueEnd {
  private(set) var isFound = false
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var isBare = false
  private var hasBegun = false

  /// Returns the position after the value, or the end of the bytes if it continues beyond them.
  mutating func find(in bytes: [UInt8], from start: Int) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var position = start
      if !hasBegun {
        hasBegun = true
        isBare =
          ![UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(bytes[position])
      }
      while position < bytes.count {
        let byte = bytes[position]
        if isInString {
          if isEscaped {
            isEscaped = false
          } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
          } else if byte == UInt8(ascii: "\"") {
            isInString = false
            isFound = depth == 0
          }
        } else {
          switch byte {
          case UInt8(ascii: "\""): isInString = true
          case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
          case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if isBare {
              isFound = true
              return position
            }
            depth -= 1
            isFound = depth <= 0
          case UInt8(ascii: ","), 0x20, 0x09...0x0D:
            if isBare {
              isFound = true
              return position
            }
          default: break
          }
        }
        position += 1
        if isFound { return position }
      }
      return position
    }
  }
}
