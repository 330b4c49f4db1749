/// An error that prevented all or part of a calendar from being fetched.
///
/// Each describes the problem, the place and the remedy; none contains a secret.
package enum CalendarSourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Status 401, or a secret that must not be sent.
  case unauthorised(place: String, reason: String)
  case forbidden(place: String)
  case notFound(place: String)
  /// Content that isn't a calendar.
  ///
  /// - Parameter came: a description of the actual content, as the rest of “it is …”.
  case notACalendar(place: String, came: String)
  case unreachable(place: String, reason: String)
  case timedOut(place: String, seconds: Int)
  case tooLarge(place: String, megabytes: Int)
  case tooManyRedirects(place: String)
  case redirectLoop(place: String)
  /// A redirect to another host.
  ///
  /// - Parameter address: the target, so the owner can enter it if it is right.
  case redirectedElsewhere(place: String, host: String, address: String, reason: String)
  case serverError(place: String, status: Int, retryAfter: Duration?)
  case unusableAnswer(place: String, reason: String)
  case unusableAddress(place: String, reason: String)
  case missing(path: String)
  /// A folder that used to contain events and no longer does.
  case emptied(path: String)
  case unreadable(path: String, reason: String)
  /// A file that is being written or was left incomplete.
  case incomplete(path: String)

  package var description: String {
    switch self {
    case .unauthorised(let place, let reason): "\(place): \(reason)"
    case .forbidden(let place):
      "\(place): this account isn’t allowed to read the calendar (403). Ask the owner to share "
        + "it, or use another account."
    case .notFound(let place):
      "\(place): no calendar found (404 or 410). Nothing was removed here. Check the address. If "
        + "the calendar was deleted, unlink it."
    case .notACalendar(let place, let came):
      "\(place): not a calendar, but \(came). Nothing was changed."
    case .unreachable(let place, let reason):
      "\(place) can’t be reached: \(reason). Arkived will try again later."
    case .timedOut(let place, let seconds):
      "\(place) didn’t send a complete response within \(seconds) s. Arkived will try again later."
    case .tooLarge(let place, let megabytes):
      "\(place): larger than the limit of \(megabytes) MB."
    case .tooManyRedirects(let place):
      "\(place): the server redirects too often. Open the address in a browser and use the one "
        + "you end up at."
    case .redirectLoop(let place):
      "\(place): the server redirects in a loop. Check the address."
    case .redirectedElsewhere(let place, let host, let address, let reason):
      "\(place): the server redirects to \(host) (\(reason)). If that’s right, use this address: "
        + address
    case .serverError(let place, let status, _):
      "\(place): the server can’t respond right now (\(status)). Arkived will try again later."
    case .unusableAnswer(let place, let reason):
      "\(place): the server’s response can’t be used: \(reason). Nothing was removed."
    case .unusableAddress(let place, let reason): "\(place): this address \(reason)."
    case .missing(let path):
      "\(path) is missing. Nothing was removed. Connect its disk or put it back. If it’s gone for "
        + "good, unlink it."
    case .emptied(let path):
      "\(path) no longer contains any calendar files. Nothing was removed. Connect its disk or "
        + "put the files back. If they’re gone for good, unlink the folder."
    case .unreadable(let path, let reason): "\(path) can’t be read: \(reason)."
    case .incomplete(let path):
      "\(path) ends in the middle of an event or is still being written. Nothing was imported "
        + "from it. Let the program that creates it finish, or create it again."
    }
  }

  /// True if the same fetch may succeed later without anyone's action.
  package var isPassing: Bool {
    switch self {
    case .unreachable, .timedOut, .serverError, .unusableAnswer, .missing, .emptied, .unreadable,
      .incomplete, .notACalendar:
      true
    case .unauthorised, .forbidden, .notFound, .tooLarge, .tooManyRedirects, .redirectLoop,
      .redirectedElsewhere, .unusableAddress:
      false
    }
  }

  /// The delay that the server asked for.
  package var retryAfter: Duration? {
    if case .serverError(_, _, let wait) = self { wait } else { nil }
  }
}
