/// Something an importer has to tell about its input.
package struct Diagnostic: Hashable, Sendable {
  package enum Severity: String, Sendable {
    /// The entry came in, with something about it worth knowing.
    case note
    /// This part of the input was left out; the rest came in.
    case skipped
  }

  package var severity: Severity
  /// Where: `calendar.ics:12`, `life.jsonl:7 field "mood"`.
  package var place: String
  /// What is wrong and what to do, as a sentence.
  package var message: String
  /// Whether the rest of what it tells of is missing without being gone.
  package var isCut: Bool
  /// Whether it may be otherwise another time though the input is the same: there was no room, no
  /// right to read, or the time has not come.
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

/// The whole input is refused: nothing of it came in.
package struct ImportRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  package var place: String
  package var message: String

  package init(place: String, message: String) {
    self.place = place
    self.message = message
  }

  package var description: String { "\(place): \(message)" }
}
