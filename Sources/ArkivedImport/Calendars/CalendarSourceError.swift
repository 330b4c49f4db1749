/// Why nothing, or not everything, could be had from a calendar's place. Each says what, where and
/// what to do; none holds a secret.
package enum CalendarSourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// 401, or a secret that must not be sent.
  case unauthorised(place: String, reason: String)
  case forbidden(place: String)
  case notFound(place: String)
  /// - Parameter came: what was there in its stead, as the rest of “it is …”.
  case notACalendar(place: String, came: String)
  case unreachable(place: String, reason: String)
  case timedOut(place: String, seconds: Int)
  case tooLarge(place: String, megabytes: Int)
  case tooManyRedirects(place: String)
  case redirectLoop(place: String)
  /// - Parameter address: where it leads, so that the owner can give it if it is right.
  case redirectedElsewhere(place: String, host: String, address: String, reason: String)
  case serverError(place: String, status: Int, retryAfter: Duration?)
  case unusableAnswer(place: String, reason: String)
  case unusableAddress(place: String, reason: String)
  case missing(path: String)
  /// A folder without events that held some.
  case emptied(path: String)
  case unreadable(path: String, reason: String)
  /// A file that is being written, or was left half written.
  case incomplete(path: String)

  package var description: String {
    switch self {
    case .unauthorised(let place, let reason): "\(place): \(reason)"
    case .forbidden(let place):
      "\(place): this account may not read it (403). Ask its owner to share it, or give another "
        + "account."
    case .notFound(let place):
      "\(place): there is no calendar (404 or 410). Nothing was removed here. Look whether the "
        + "address is right; if the calendar was deleted, unlink it."
    case .notACalendar(let place, let came):
      "\(place): this is no calendar, it is \(came). Nothing was changed."
    case .unreachable(let place, let reason):
      "\(place) cannot be reached: \(reason). It is tried again later."
    case .timedOut(let place, let seconds):
      "\(place) gave no whole answer within \(seconds) s. It is tried again later."
    case .tooLarge(let place, let megabytes):
      "\(place): this is larger than \(megabytes) MB, which is the most that is taken."
    case .tooManyRedirects(let place):
      "\(place): the server leads on too often. Open the address in a browser and give the one at "
        + "the end."
    case .redirectLoop(let place):
      "\(place): the server leads in a circle. Look whether the address is right."
    case .redirectedElsewhere(let place, let host, let address, let reason):
      "\(place): the server leads to \(host), \(reason). If that is right, give this address: "
        + address
    case .serverError(let place, let status, _):
      "\(place): the server cannot answer now (\(status)). It is tried again later."
    case .unusableAnswer(let place, let reason):
      "\(place): the server's answer cannot be used: \(reason). Nothing was removed."
    case .unusableAddress(let place, let reason): "\(place): this address \(reason)."
    case .missing(let path):
      "\(path) is not there. Nothing was removed. Mount its disk or put it back; if it is gone for "
        + "good, unlink it."
    case .emptied(let path):
      "\(path) holds no calendar file any more. Nothing was removed. Mount its disk or put the "
        + "files back; if they are gone for good, unlink the folder."
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
    case .incomplete(let path):
      "\(path) ends in the middle of an event or is being written. Nothing of it was taken; let "
        + "the program that makes it finish, or make it again."
    }
  }

  /// Whether the same may go well later without anybody doing something.
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

  /// How long the server asked to be left alone.
  package var retryAfter: Duration? {
    if case .serverError(_, _, let wait) = self { wait } else { nil }
  }
}
