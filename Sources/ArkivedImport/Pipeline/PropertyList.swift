import ArkivedCore
import Foundation

/// An XML property list as JSON: dictionaries, arrays, strings, numbers, dates and Boolean values.
///
/// Data is left out.
///
/// Source of the format: Apple's PropertyList-1.0.dtd.
final class PropertyList: XMLTextEvents {
  private enum Node {
    case object(JSONObject, key: String?)
    case array([JSON])
  }

  /// The maximum size; programs don't write larger lists.
  private static let sizeLimit = 16 << 20

  private var stack: [Node] = []
  private var words: [UInt8] = []
  private var root: JSON?
  private var loss: (line: Int, reason: String)?

  private init() {}

  /// Returns true if a file begins like an XML property list.
  static func isList(_ head: [UInt8]) -> Bool {
    let text = HeadText.of(head)
    return text.contains("<plist") && text.contains("<dict")
  }

  /// - Throws: `ImportRefusal` with the line at which the file stops being a property list.
  static func read(_ file: ImportFile) throws -> JSON {
    let reader = PropertyList()
    let stream = XMLStream(reader, root: "plist")
    var source = try TextBytes(file.url)
    defer { source.close() }
    var size = 0
    do {
      while var piece = try source.readChunk(), reader.loss == nil {
        size += piece.count
        guard size <= sizeLimit else {
          throw ImportRefusal(place: file.name, message: "the property list is longer than 16 MiB")
        }
        try piece.withUnsafeMutableBufferPointer { try stream.read($0) }
      }
      if reader.loss == nil { try stream.finish() }
    } catch let error as XMLStream.Unreasonable {
      throw ImportRefusal(place: "\(file.name):\(stream.line)", message: error.description)
    }
    if let loss = reader.loss {
      throw ImportRefusal(
        place: "\(file.name):\(loss.line)",
        message: "the property list is damaged or cut off: \(loss.reason)")
    }
    guard let root = reader.root else {
      throw ImportRefusal(place: file.name, message: "not a property list: it’s empty")
    }
    return root
  }

  // MARK: Events

  func begin(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
    words = []
    switch String(cString: name) {
    case "dict": stack.append(.object([:], key: nil))
    case "array": stack.append(.array([]))
    default: break
    }
  }

  func end(_ name: UnsafePointer<CChar>) {
    let text = String(decoding: words, as: UTF8.self)
    words = []
    switch String(cString: name) {
    case "key":
      if case .object(let object, _)? = stack.last {
        stack[stack.count - 1] = .object(object, key: text)
      }
    case "string", "date": put(.string(text))
    case "integer": put(Int64(text).map { .integer($0) } ?? .string(text))
    case "real": put(Double(text).flatMap { $0.isFinite ? .number($0) : nil } ?? .string(text))
    case "true": put(.bool(true))
    case "false": put(.bool(false))
    case "data": put(.null)
    case "dict", "array":
      switch stack.popLast() {
      case .object(let object, _): put(.object(object))
      case .array(let list): put(.array(list))
      case nil: break
      }
    default: break
    }
  }

  func text(_ part: UnsafeBufferPointer<UInt8>) { words.append(contentsOf: part) }

  func lost(line: Int, byte: Int, reason: String) { loss = loss ?? (line, reason) }

  private func put(_ value: JSON) {
    switch stack.last {
    case .object(var object, let key?):
      // A copy on the stack would cause every added member to copy the whole container.
      stack[stack.count - 1] = .array([])
      if object[key] == nil { object[key] = value }
      stack[stack.count - 1] = .object(object, key: nil)
    case .array(var list):
      stack[stack.count - 1] = .array([])
      list.append(value)
      stack[stack.count - 1] = .array(list)
    case .object(_, nil): break
    case nil: root = root ?? value
    }
  }
}
