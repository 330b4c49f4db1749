/// A message from an importer about its input.
package struct Diagnostic: Hashable, Sendable {
  package enum Severity: String, Sendable {
    /// A remark about an entry that was imported.
    case note
    /// A part of the input that was skipped; the rest was imported.
    case skipped
  }

  package var severity: Severity
  /// The place in the input: `calendar.ics:12`, `life.jsonl:7 field "mood"`.
  package var place: String
  /// The problem and its remedy, as a sentence.
  package var message: String
  /// True if the rest of the affected content is missing from the import but still exists in the
  /// source.
  package var isCut: Bool
  /// True if the result may differ next time for the same input: there was not enough space, no
  /// permission to read, or the time is still in the future.
  package var mayPass: Bool

  package init(
    _ severity: Severity, place: String, message: String, isCut: Bool = false,
    mayPass: Bool = false
  ) {
    self.severity = severity
    self.place = place
    self.message = message
    self.isCut = isCut
    self.mayPass = mayPass
  }
}

/// An error that refuses the whole input; nothing of it is imported.
package struct ImportRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  package var place: String
  package var message: String
  /// True if the cause lies outside the input, so that the same input may be read another time.
  package var mayPass: Bool

  package init(place: String, message: String, mayPass: Bool = false) {
    self.place = place
    self.message = message
    self.mayPass = mayPass
  }

  package var description: String { "\(place): \(message)" }
}
