import CExpat
import Foundation

/// The attributes of an element in the parser's memory, valid only during the call that passes
/// them.
struct XMLAttributes {
  private let pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?

  init(_ pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?) { self.pairs = pairs }

  /// Passes each name and value to a closure.
  func forEach(_ body: (_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>) -> Void) {
    guard let pairs else { return }
    var index = 0
    while let name = pairs[index], let value = pairs[index + 1] {
      body(name, value)
      index += 2
    }
  }

  /// Returns the value for a name, or nil if it is missing or empty.
  subscript(_ wanted: StaticString) -> String? {
    guard let pairs else { return nil }
    var index = 0
    while let name = pairs[index], let value = pairs[index + 1] {
      if strcmp(name, wanted.cString) == 0 {
        return value.pointee == 0 ? nil : String(cString: value)
      }
      index += 2
    }
    return nil
  }
}

extension StaticString {
  /// The string's bytes, NUL-terminated.
  var cString: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

/// Receives the events of an `XMLStream` in order; an error thrown by it ends the stream.
protocol XMLEvents: AnyObject {
  func begin(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws
  func end(_ name: UnsafePointer<CChar>) throws
  /// Reports an unreadable part; open elements don't end, and the next element is a child of the
  /// root.
  func lost(line: Int, byte: Int, reason: String)
}

/// Receives the text between elements as well.
protocol XMLTextEvents: XMLEvents {
  /// Receives a part of the text in the current element.
  func text(_ part: UnsafeBufferPointer<UInt8>)
}

/// Reads an XML document of any size in pieces, using expat.
///
/// Everything before the root is skipped, including the document type, so no entity is ever
/// declared or expanded, and nothing outside the document is requested. (Some releases of iOS write
/// a document type that no parser accepts.) Control characters that XML doesn't allow count as
/// spaces. After an unreadable part, the stream continues at the next child of the root that has
/// one of the given names.
final class XMLStream {
  /// An error for a document with deeper nesting or a longer tag than its format ever has.
  struct Unreasonable: Error, CustomStringConvertible {
    let description: String
  }

  private static let depthLimit = 100
  private static let tagLimit = 8 << 20
  private static let prologLimit = 4 << 20

  /// True if the root was found.
  private(set) var isBegun = false

  private let root: [UInt8]
  private let records: [[UInt8]]
  private unowned let events: any XMLEvents
  /// The same receiver, if it accepts text.
  private unowned let texts: (any XMLTextEvents)?
  private var parser: XML_Parser?
  private var failure: (any Error)?
  private var depth = 0
  private var isLost = false
  private var prolog: [UInt8] = []
  /// The offset of the current piece in the document.
  private var offset = 0
  /// The difference between the parser's positions and those in the document.
  private var byteBase = 0
  private var lineBase = 0

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - events: receives the results.
  ///   - root: the name of the document's root element.
  ///   - records: the names of its children at which reading can resume.
  init(_ events: any XMLEvents, root: String, records: [String] = []) {
    self.events = events
    texts = events as? any XMLTextEvents
    self.root = Array("<\(root)".utf8)
    self.records = records.map { Array($0.utf8) }
  }

  deinit { if let parser { XML_ParserFree(parser) } }

  /// The line of the current event, from 1.
  var line: Int { lineBase + (parser.map { Int(XML_GetCurrentLineNumber($0)) } ?? 1) }

  // MARK: Reading

  /// Reads the next piece of the document, overwriting anything in it that XML doesn't allow.
  ///
  /// - Throws: `Unreasonable`, and any error that the events throw.
  func read(_ piece: UnsafeMutableBufferPointer<UInt8>) throws {
    guard !isBegun else { return try take(piece) }
    let looked = max(0, prolog.count - root.count)
    prolog.append(contentsOf: piece)
    guard let start = prolog[looked...].firstRange(of: root)?.lowerBound else {
      guard prolog.count <= Self.prologLimit else {
        throw Unreasonable(description: "its first \(Self.prologLimit >> 20) MiB contain no data")
      }
      return
    }
    isBegun = true
    offset = start
    begin(atByte: start, line: prolog[..<start].count { $0 == 0x0A } + 1, prefix: [])
    var rest = Array(prolog[start...])
    prolog = []
    try rest.withUnsafeMutableBufferPointer { try take($0) }
  }

  /// Reads the document's end.
  ///
  /// - Throws: Any error that the events throw.
  func finish() throws {
    guard let parser, !isLost else { return }
    let status = XML_Parse(parser, nil, 0, 1)
    if let failure { throw failure }
    if status.rawValue == 0 {
      events.lost(line: line, byte: offset, reason: "the file ends in the middle of its data")
    }
  }

  private func take(_ piece: UnsafeMutableBufferPointer<UInt8>) throws {
    Self.clean(piece)
    defer { offset += piece.count }
    var start = 0
    while start < piece.count, let base = piece.baseAddress {
      if isLost {
        guard let next = next(in: piece, from: start) else { return countLines(piece, start) }
        countLines(UnsafeMutableBufferPointer(rebasing: piece[..<next]), start)
        begin(atByte: offset + next, line: lineBase, prefix: root + [UInt8(ascii: ">")])
        isLost = false
        start = next
      }
      guard let parser else { return }
      let status = (base + start).withMemoryRebound(to: CChar.self, capacity: piece.count - start) {
        XML_Parse(parser, $0, Int32(piece.count - start), 0)
      }
      if let failure { throw failure }
      let reached = Int(XML_GetCurrentByteIndex(parser)) + byteBase
      guard status.rawValue == 0 else {
        guard offset + piece.count - reached <= Self.tagLimit else {
          throw Unreasonable(
            description: "it contains an XML tag longer than \(Self.tagLimit >> 20) MiB")
        }
        return
      }
      lose(parser, at: reached)
      guard !records.isEmpty else { return }
      start = max(start, reached - offset + 1)
    }
  }

  private func lose(_ parser: XML_Parser, at byte: Int) {
    let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
    let line = line
    events.lost(line: line, byte: byte, reason: "not valid XML: \(reason ?? "no reason given")")
    isLost = true
    lineBase = line
  }

  /// Counts the lines of a skipped part.
  private func countLines(_ piece: UnsafeMutableBufferPointer<UInt8>, _ start: Int) {
    guard start < piece.count else { return }
    lineBase += piece[start...].count { $0 == 0x0A }
  }

  /// Returns the start of the next child of the root.
  private func next(in piece: UnsafeMutableBufferPointer<UInt8>, from start: Int) -> Int? {
    let bytes = UnsafeBufferPointer(piece)
    var position = start
    while let open = bytes.next(UInt8(ascii: "<"), from: position) {
      for name in records {
        let end = open + 1 + name.count
        if end < bytes.count, bytes[end] <= 0x20 || bytes[end] == UInt8(ascii: ">"),
          bytes[(open + 1)..<end].elementsEqual(name)
        {
          return open
        }
      }
      position = open + 1
    }
    return nil
  }

  // MARK: The parser

  private func begin(atByte byte: Int, line: Int, prefix: [UInt8]) {
    if let parser { XML_ParserFree(parser) }
    byteBase = byte - prefix.count
    lineBase = line - 1
    depth = 0
    // The bytes are UTF-8, regardless of any declaration.
    guard let parser = XML_ParserCreate("UTF-8") else { return }
    self.parser = parser
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { data, name, attributes in
        guard let data, let name else { return }
        let stream = Unmanaged<XMLStream>.fromOpaque(data).takeUnretainedValue()
        stream.begins(name, XMLAttributes(attributes))
      },
      { data, name in
        guard let data, let name else { return }
        Unmanaged<XMLStream>.fromOpaque(data).takeUnretainedValue().ends(name)
      })
    if texts != nil {
      XML_SetCharacterDataHandler(
        parser,
        { data, part, count in
          guard let data, let part else { return }
          Unmanaged<XMLStream>.fromOpaque(data).takeUnretainedValue().says(part, Int(count))
        })
    }
    guard !prefix.isEmpty else { return }
    prefix.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        _ = XML_Parse(parser, text.baseAddress, Int32(text.count), 0)
      }
    }
  }

  private func begins(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
    guard failure == nil else { return }
    depth += 1
    guard depth <= Self.depthLimit else {
      return fail(
        Unreasonable(
          description: "its elements are nested more than \(Self.depthLimit) levels deep"))
    }
    do { try events.begin(name, attributes) } catch { fail(error) }
  }

  private func ends(_ name: UnsafePointer<CChar>) {
    guard failure == nil else { return }
    depth -= 1
    do { try events.end(name) } catch { fail(error) }
  }

  private func says(_ part: UnsafePointer<CChar>, _ count: Int) {
    guard failure == nil else { return }
    part.withMemoryRebound(to: UInt8.self, capacity: count) {
      texts?.text(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  private func fail(_ error: any Error) {
    failure = error
    if let parser { _ = XML_StopParser(parser, 0) }
  }

  // MARK: Bytes

  /// Replaces control characters, and references to them, with spaces.
  private static func clean(_ piece: UnsafeMutableBufferPointer<UInt8>) {
    for index in piece.indices {
      let byte = piece[index]
      if byte < 0x20 {
        if byte != 0x0A, byte != 0x0D, byte != 0x09 { piece[index] = 0x20 }
      } else if byte == UInt8(ascii: "&") {
        cleanReference(piece, at: index)
      }
    }
  }

  /// Replaces references such as `&#11;` and `&#x0B;`, which are just as invalid as the characters
  /// themselves.
  private static func cleanReference(_ piece: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
    guard start + 3 < piece.count, piece[start + 1] == UInt8(ascii: "#"),
      let end = piece[start...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
    else { return }
    let digits = String(decoding: piece[(start + 2)..<end], as: UTF8.self)
    let code =
      digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    guard let code, code < 0x20, ![0x09, 0x0A, 0x0D].contains(code) else { return }
    for index in start...end { piece[index] = 0x20 }
  }
}
