/// An error that prevented all or part of an address book from being fetched.
///
/// It describes the problem, the place and the remedy, and contains no secret.
package struct AddressBookError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The same error as for a calendar.
  package let cause: CalendarSourceError

  package init(_ cause: CalendarSourceError) { self.cause = cause }

  package var description: String {
    switch cause {
    case .forbidden(let place):
      "\(place): this account isn’t allowed to read the address book (403). Ask the owner to share "
        + "it, or use another account."
    case .notFound(let place):
      "\(place): no address book found (404 or 410). Nothing was removed here. Check the address. "
        + "If the address book was deleted, unlink it."
    case .notACalendar(let place, let came):
      "\(place): not an address book, but \(came). Nothing was changed."
    default: cause.description
    }
  }

  /// Runs a closure and converts the errors of its requests.
  static func converting<Value: Sendable>(
    _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch let error as CalendarSourceError {
      throw AddressBookError(error)
    }
  }
}
