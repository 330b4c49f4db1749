import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// A failure with a description for people and a status for programs.
struct WebFailure: Error {
  let status: HTTPResponse.Status
  let title: String
  let detail: String
  /// The field or argument concerned.
  var field: String?
  /// The methods that the address supports.
  var allow: String?
  /// The time in seconds after which to try again.
  var retryAfter: Int?
  /// The link on its page, or nil for today.
  var way: Way?

  struct Way: Hashable {
    var href: String
    var label: String
  }

  init(_ status: HTTPResponse.Status, _ title: String, _ detail: String, field: String? = nil) {
    self.status = status
    self.title = title
    self.detail = detail
    self.field = field
  }

  /// Converts any error to its HTTP equivalent; the text of unknown errors is not exposed.
  init(_ error: any Error) {
    switch error {
    case let failure as WebFailure: self = failure
    case let error as QuickAddError:
      self.init(.unprocessableContent, "Entry not added", error.description, field: "line")
    case let error as FieldError:
      self.init(
        .unprocessableContent, "Invalid value", error.description + ".",
        field: error.field)
    case is RequestKeyTaken:
      self.init(
        .unprocessableContent, "Key already used",
        "This Idempotency-Key was already used for another request. Use a new one.",
        field: "Idempotency-Key")
    case let error as CalendarSourceError: self.init(calendar: error)
    case let error as LinkedServiceFailure: self.init(service: error)
    case let error as AddressBookError: self.init(addressBook: error)
    case let error as ImportRefusal:
      self.init(.unprocessableContent, "Not imported", error.description + ".")
    case let deletion as LargeDeletion:
      self.init(
        .conflict, "Many deletions",
        deletion.description + " To continue, set allowDeletions to true.", field: "allowDeletions"
      )
    case let error as ArchiveError:
      switch error {
      case .notFound: self.init(.notFound, "Not found", error.description)
      case .ambiguous: self.init(.badRequest, "Ambiguous", error.description)
      case .conflict: self.init(.conflict, "Changed elsewhere", error.description)
      case .busy: self.init(.serviceUnavailable, "Busy", error.description)
      case .refused, .notEmpty: self.init(.forbidden, "Not allowed", error.description)
      case .displaced:
        self.init(
          .internalServerError, "The archive’s files are missing",
          "The archive’s files were moved, replaced or removed while it was open. Nothing was "
            + "written. Put them back, or restart Arkived.")
      case .newerArchive, .cannotOpen, .damaged, .missing, .otherArchive, .torn:
        self.init(
          .internalServerError, "The archive can’t be used",
          "The archive can’t be opened in its current state. Run arkived doctor.")
      }
    case let error as any HTTPResponseError:
      let (title, detail) =
        switch error.status.code {
        case 404: ("Not found", "This page doesn’t exist.")
        case 405: ("Method not allowed", "This address doesn’t accept that method.")
        case 413: ("Too large", "The request is too large.")
        default: (error.status.reasonPhrase, "The request couldn’t be read.")
        }
      self.init(error.status, title, detail)
    default:
      if let trouble = StorageTrouble(error) {
        self.init(Self.status(of: trouble), "Problem with the archive", trouble.sentence)
      } else {
        self.init(
          .internalServerError, "Something went wrong",
          "This shouldn’t have happened. Nothing was changed.")
      }
    }
    if status == .internalServerError, FileDescriptorLimit.explains(error) {
      self = .tooManyOpenFiles
    }
  }

  /// The answer if no further file can be opened.
  static var tooManyOpenFiles: WebFailure {
    var failure = WebFailure(
      .serviceUnavailable, "Too many open files",
      "Too many files are open on this computer. Nothing was changed. Try again in a moment.")
    failure.retryAfter = 2
    return failure
  }

  static func status(of trouble: StorageTrouble) -> HTTPResponse.Status {
    switch trouble {
    case .busy: .serviceUnavailable
    case .full: insufficientStorage
    case .readOnly, .damaged, .inputOutput, .other: .internalServerError
    }
  }

  /// Status 507 (RFC 4918 §11.5).
  static let insufficientStorage = HTTPResponse.Status(
    code: 507, reasonPhrase: "Insufficient Storage")

  /// Status 424 (RFC 4918 §11.4).
  private static let failedDependency = HTTPResponse.Status(
    code: 424, reasonPhrase: "Failed Dependency")

  /// Converts an error of reading a calendar's source, whose cause is at the source and not in this
  /// server.
  private init(calendar error: CalendarSourceError) {
    switch error {
    case .unauthorised, .forbidden:
      self.init(Self.failedDependency, "Access denied", error.description)
    case .notFound, .missing, .emptied, .unreadable, .incomplete:
      self.init(Self.failedDependency, "Couldn’t read the calendar", error.description)
    case .unusableAddress:
      self.init(.unprocessableContent, "Invalid value", error.description, field: "address")
    case .timedOut: self.init(.gatewayTimeout, "No answer", error.description)
    default: self.init(.badGateway, "Couldn’t read the calendar", error.description)
    }
    retryAfter = error.retryAfter.map { Int($0.components.seconds) }
  }

  /// Converts an error of reading a linked service in the same way.
  private init(service error: LinkedServiceFailure) {
    switch error {
    case .unencrypted:
      self.init(.unprocessableContent, "Invalid value", error.description, field: "address")
    case .wrongKey, .forbidden:
      self.init(Self.failedDependency, "Access denied", error.description)
    case .transfer(.unusableAddress):
      self.init(.unprocessableContent, "Invalid value", error.description, field: "address")
    case .transfer(.timedOut): self.init(.gatewayTimeout, "No answer", error.description)
    default: self.init(.badGateway, "Couldn’t read from the server", error.description)
    }
    retryAfter = error.retryAfter.map { Int($0.components.seconds) }
  }

  /// Converts an error of reading an address book in the same way.
  private init(addressBook error: AddressBookError) {
    switch error.cause {
    case .notFound, .missing, .emptied, .unreadable, .incomplete:
      self.init(Self.failedDependency, "Couldn’t read the address book", error.description)
    case .unauthorised, .forbidden:
      self.init(Self.failedDependency, "Access denied", error.description)
    case .unusableAddress:
      self.init(.unprocessableContent, "Invalid value", error.description, field: "address")
    case .timedOut: self.init(.gatewayTimeout, "No answer", error.description)
    default: self.init(.badGateway, "Couldn’t read the address book", error.description)
    }
    retryAfter = error.cause.retryAfter.map { Int($0.components.seconds) }
  }

  /// The failure in the format of RFC 9457.
  var problem: JSON {
    [
      "type": "about:blank", "title": .string(title), "status": .integer(Int64(status.code)),
      "detail": .string(detail), "field": JSON(field),
    ]
  }
}
