import CExpat
import Foundation

/// An element of an XML answer, with its contents.
struct DAVElement {
  /// The namespace and name: `DAV:href`.
  let name: String
  var attributes: [String: String] = [:]
  /// The text in UTF-8, truncated if it is too long.
  var bytes: [UInt8] = []
  var isCut = false
  var children: [DAVElement] = []

  static let dav = "DAV:"
  static let calDAV = "urn:ietf:params:xml:ns:caldav"
  static let cardDAV = "urn:ietf:params:xml:ns:carddav"
  static let server = "http://calendarserver.org/ns/"
  static let apple = "http://apple.com/ns/ical/"

  init(name: String) { self.name = name }

  var text: String {
    String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func child(_ name: String) -> DAVElement? { children.first { $0.name == name } }
  func all(_ name: String) -> [DAVElement] { children.filter { $0.name == name } }

  /// The `href` that it contains.
  var href: String? {
    guard let text = child("DAV:href")?.text, !text.isEmpty else { return nil }
    return text
  }

  /// Reads a document and passes on each child of its root as it ends, so only one is in memory.
  ///
  /// A document type is refused, with any entities it defines.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - textLimit: the maximum size of text that an element keeps, in bytes.
  ///   - take: receives the element and the name of the root.
  /// - Throws: `Problem`, and any error that `take` throws.
  static func read(
    _ bytes: [UInt8], textLimit: Int, _ take: (DAVElement, _ root: String) throws -> Void
  ) throws {
    guard beginsWithAnElement(bytes) else { throw Problem(line: 1) }
    try withoutActuallyEscaping(take) { take in
      let builder = try Builder(textLimit: textLimit, take: take)
      try builder.read(bytes)
    }
  }

  /// Returns true if only a declaration and comments precede the root.
  ///
  /// A document that isn't in an ASCII-compatible encoding begins with something else.
  private static func beginsWithAnElement(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while true {
      rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
      guard rest.first == UInt8(ascii: "<"), let next = rest.dropFirst().first else { return false }
      let end: String
      if next == UInt8(ascii: "?") {
        end = "?>"
      } else if rest.starts(with: Array("<!--".utf8)) {
        end = "-->"
      } else {
        return next != UInt8(ascii: "!") && next != 0
      }
      guard let found = rest.firstRange(of: Array(end.utf8)) else { return false }
      rest = rest[found.upperBound...]
    }
  }

  /// An error for content that isn't XML or is incomplete.
  struct Problem: Error {
    var line: Int
  }

  /// Builds elements from expat's events.
  private final class Builder {
    private static let deepest = 40
    /// The maximum number of elements within a child of the root.
    private static let most = 20_000
    /// The maximum number of attributes of an element, and of namespaces in use.
    private static let mostNames = 100
    /// The maximum length of a namespace, in bytes.
    ///
    /// Every name in it repeats it: expat, which would expand names itself, needs gigabytes for a
    /// megabyte of attributes.
    private static let longestSpace = 1_000
    /// The maximum length of a tag, in bytes, and the size of the pieces that are read.
    private static let longestTag = 1 << 16
    private static let ownSpaces = ["xml": "http://www.w3.org/XML/1998/namespace"]

    private let textLimit: Int
    private let take: (DAVElement, String) throws -> Void
    private let parser: XML_Parser
    private var open: [DAVElement] = []
    /// The namespaces by prefix, outside of the root and in each open element; the prefix of the
    /// default one is empty.
    private var scopes = [Builder.ownSpaces]
    private var count = 0
    private var hasEnded = false
    private var failure: (any Error)?

    init(textLimit: Int, take: @escaping (DAVElement, String) throws -> Void) throws {
      guard let parser = XML_ParserCreate(nil) else { throw Problem(line: 1) }
      self.parser = parser
      self.textLimit = textLimit
      self.take = take
      XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
      XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
        Builder.of(data)?.fail(nil)
      }
      XML_SetElementHandler(
        parser,
        { data, name, attributes in
          guard let name else { return }
          Builder.of(data)?.begins(name, XMLAttributes(attributes))
        },
        { data, _ in Builder.of(data)?.ends() })
      XML_SetCharacterDataHandler(parser) { data, part, count in
        guard let part else { return }
        let bytes = UnsafeRawBufferPointer(start: part, count: Int(count))
        Builder.of(data)?.add(bytes)
      }
    }

    deinit { XML_ParserFree(parser) }

    private static func of(_ data: UnsafeMutableRawPointer?) -> Builder? {
      data.map { Unmanaged<Builder>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Reads a whole document.
    ///
    /// - Throws: `Problem`, and any error that `take` throws.
    func read(_ bytes: [UInt8]) throws {
      try bytes.withUnsafeBytes { bytes in
        var start = 0
        while true {
          let piece = UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(Self.longestTag))
          start += piece.count
          let isLast = start == bytes.count
          let status = XML_Parse(
            parser, piece.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(piece.count),
            isLast ? 1 : 0)
          if let failure { throw failure }
          guard status.rawValue != 0 else { throw problem }
          if isLast { break }
          // The rest of the piece is an incomplete tag.
          let reached = Int(XML_GetCurrentByteIndex(parser))
          guard reached < 0 || start - reached <= Self.longestTag else { throw problem }
        }
      }
      guard hasEnded else { throw problem }
    }

    private var problem: Problem { Problem(line: Int(XML_GetCurrentLineNumber(parser))) }

    /// Ends the reading; without an error, the parser's current state is the reason.
    private func fail(_ error: (any Error)?) {
      guard failure == nil else { return }
      failure = error ?? problem
      _ = XML_StopParser(parser, 0)
    }

    private func begins(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
      guard failure == nil else { return }
      count += 1
      guard open.count < Self.deepest, count < Self.most else { return fail(nil) }
      var spaces = scopes[scopes.count - 1]
      var given: [(name: String, value: String)] = []
      var number = 0
      var isValid = true
      attributes.forEach { name, value in
        number += 1
        guard number <= Self.mostNames else { return }
        let key = String(cString: name)
        let text = String(cString: value)
        guard key == "xmlns" || key.hasPrefix("xmlns:") else {
          given.append((name: key, value: text))
          return
        }
        let prefix = String(key.dropFirst("xmlns:".count))
        if text.utf8.count > Self.longestSpace || (text.isEmpty && !prefix.isEmpty) {
          isValid = false
        }
        spaces[prefix] = text
      }
      guard isValid, number <= Self.mostNames, spaces.count <= Self.mostNames,
        let full = Self.name(String(cString: name), in: spaces, isElement: true)
      else { return fail(nil) }
      var element = DAVElement(name: full)
      for attribute in given {
        guard let full = Self.name(attribute.name, in: spaces, isElement: false) else {
          return fail(nil)
        }
        element.attributes[full] = attribute.value
      }
      open.append(element)
      scopes.append(spaces)
    }

    /// Returns the namespace and name, joined by a colon unless the namespace ends in one.
    ///
    /// - Returns: nil for a prefix without a namespace.
    private static func name(
      _ text: String, in spaces: [String: String], isElement: Bool
    ) -> String? {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let prefix = parts.count > 1 ? String(parts[0]) : ""
      // The default namespace is only for elements.
      if prefix.isEmpty, !isElement || (spaces[""] ?? "").isEmpty { return text }
      guard let space = spaces[prefix], let name = parts.last else { return nil }
      let gap = space.hasSuffix(":") || space.hasSuffix("/") ? "" : ":"
      return "\(space)\(gap)\(name)"
    }

    private func ends() {
      guard failure == nil, let element = open.popLast() else { return }
      scopes.removeLast()
      switch open.count {
      case 0: hasEnded = true
      case 1:
        count = 0
        do { try take(element, open[0].name) } catch { fail(error) }
      default: open[open.count - 1].children.append(element)
      }
    }

    private func add(_ bytes: UnsafeRawBufferPointer) {
      guard failure == nil, open.count > 1 else { return }
      let last = open.count - 1
      let room = textLimit - open[last].bytes.count
      if bytes.count > room { open[last].isCut = true }
      open[last].bytes += bytes.prefix(max(0, room))
    }
  }
}

/// A server's description of a resource.
struct DAVResponse {
  var hrefs: [String] = []
  /// The status of the resource as a whole; nil if each property has its own.
  var status: Int?
  /// The properties that exist.
  var found: [DAVElement] = []
  /// The statuses of the missing properties.
  var refused: [Int] = []

  init(_ element: DAVElement) {
    hrefs = element.all("DAV:href").map(\.text).filter { !$0.isEmpty }
    status = element.child("DAV:status").flatMap(Self.status)
    for part in element.all("DAV:propstat") {
      let status = part.child("DAV:status").flatMap(Self.status) ?? 200
      if (200..<300).contains(status) {
        found += part.child("DAV:prop")?.children ?? []
      } else {
        refused.append(status)
      }
    }
  }

  func property(_ name: String) -> DAVElement? { found.first { $0.name == name } }

  /// Returns true if a name such as `DAV:collection` is among its types.
  func isOfType(_ name: String) -> Bool { property("DAV:resourcetype")?.child(name) != nil }

  /// Returns the status in a line such as `HTTP/1.1 404 Not Found`.
  private static func status(_ element: DAVElement) -> Int? {
    let parts = element.text.split(separator: " ")
    return parts.count > 1 ? Int(parts[1]) : nil
  }
}
