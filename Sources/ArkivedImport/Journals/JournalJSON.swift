import ArkivedCore
import Foundation

/// Reads the JSON of journals: a file that is one entry, or a list of entries of any length.
enum JournalJSON {
  /// The number of bytes that are searched if a file's beginning doesn't identify it.
  private static let lookLimit = 1 << 20

  /// Returns the keys at the beginning of a file's entries, even if a long text comes first.
  ///
  /// - Throws: errors from reading.
  static func head(of file: ImportFile, head: [UInt8]) throws -> JSONHead {
    let first = JSONHead(head)
    guard first.isCut, file.name.lowercased().hasSuffix(".json") else { return first }
    return JSONHead(try ZipMembers.head(of: file, count: lookLimit))
  }

  /// Passes on the entries of a file.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - list: the member that contains the entries, if the document is an object with a list.
  ///   - isScript: true if the document may be assigned to a variable of a script.
  ///   - sink: takes the records.
  ///   - body: receives an entry and its position.
  /// - Throws: `ImportRefusal` if nothing can be read, and errors from `body`.
  static func forEach(
    in file: ImportFile, list: Set<String> = [], isScript: Bool = false,
    into sink: any ImportSink,
    _ body: (JSON, String) throws -> Void
  ) throws {
    var stream = try JSONStream(file.url)
    defer { stream.close() }
    var count = 0
    func take(_ stream: inout JSONStream, _ place: String) throws {
      guard let bytes = try stream.bytes() else {
        return skip(place, "it is longer than 64 MiB", sink)
      }
      count += 1
      do {
        let json = try JSON(parsing: bytes)
        guard json.object != nil else {
          return skip(place, "it must be an object, not \(json.typeName)", sink)
        }
        try body(json, place)
      } catch let error as JSONSyntaxError {
        skip(place, "not valid JSON: \(error)", sink)
      }
    }
    func elements(_ stream: inout JSONStream) throws {
      var number = 0
      try stream.elements { stream in
        number += 1
        sink.reach(stream.offset)
        try take(&stream, "\(file.name) entry \(number)")
      }
    }
    do {
      if isScript { try stream.skipAssignment() }
      if try stream.kind() == .array {
        try elements(&stream)
      } else if !list.isEmpty {
        var isFound = false
        try stream.members { key, stream in
          guard list.contains(key), try stream.kind() == .array else { return try stream.skip() }
          isFound = true
          try elements(&stream)
        }
        guard isFound else {
          throw ImportRefusal(
            place: file.name,
            message: "the list “\(list.sorted().joined())” is missing from the file")
        }
      } else {
        try take(&stream, file.name)
      }
    } catch let error as JSONStreamError {
      let message = "\(error.message); the file is damaged or cut off. Export it again"
      let place = "\(file.name) byte \(error.offset)"
      guard count > 0 else { throw ImportRefusal(place: place, message: message) }
      sink.diagnose(Diagnostic(.skipped, place: place, message: message, isCut: true))
    }
  }

  private static func skip(_ place: String, _ message: String, _ sink: any ImportSink) {
    sink.diagnose(Diagnostic(.skipped, place: place, message: "skipped: \(message)"))
  }

  /// Reports the fields of an entry that aren't imported, once per run and field.
  ///
  /// - Parameters:
  ///   - json: the JSON.
  ///   - known: fields that are read, or that say nothing about the entry itself.
  ///   - format: the name of the format.
  ///   - place: the entry's position in its source.
  ///   - context: the information about the import.
  ///   - sink: takes the records.
  static func tellUnread(
    _ json: JSON, known: Set<String>, format: String, at place: String, _ context: ImportContext,
    into sink: any ImportSink
  ) {
    for (key, value) in json.object?.members ?? [] where !known.contains(key) {
      let isEmpty = value == .null || value.array?.isEmpty == true || value.string?.isEmpty == true
      guard !isEmpty, context.notes.isFirst("\(format) field \(key)") else { continue }
      sink.diagnose(
        Diagnostic(
          .note, place: "\(place) field \(FieldError.shown(key))",
          message: "this field was skipped here and in other entries"))
    }
  }
}
