import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation

/// The exit status of a command, with the numbers of BSD's sysexits.
enum ExitStatus: Int32, Sendable {
  case done = 0
  case failed = 1
  case usage = 64
  case badInput = 65
  case noInput = 66
  case unavailable = 69
  case cannotCreate = 73
  case inputOutput = 74
  case busy = 75
  case refused = 77
  /// Ctrl-C, as shells report it.
  case interrupted = 130
}

/// A command's failure, worded for its user.
struct CommandFailure: Error {
  let status: ExitStatus
  let message: String
  /// True if the command's own JSON document already reports it.
  let isInDocument: Bool

  init(_ status: ExitStatus, _ message: String, isInDocument: Bool = false) {
    self.status = status
    self.message = message
    self.isInDocument = isInDocument
  }

  var json: JSON {
    ["code": .integer(Int64(status.rawValue)), "message": .string(message)]
  }

  /// Converts any error to a failure for the command line.
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as QuickAddError: self.init(.badInput, error.description)
    case let error as FieldError: self.init(.badInput, error.description + ".")
    case let refusal as ImportRefusal:
      let isMissing = refusal.message.hasPrefix("no such ")
      self.init(isMissing ? .noInput : .badInput, refusal.description + ".")
    case let deletion as LargeDeletion:
      self.init(
        .refused,
        deletion.sentence + " " + said("To continue: `arkived sync --allow-deletions`"))
    case let error as CalendarSourceError: self.init(Self.status(of: error), error.description)
    case let error as AddressBookError:
      self.init(Self.status(of: error.cause), error.description)
    case LinkedServiceFailure.transfer(let error): self = CommandFailure(error)
    case let failure as LinkedServiceFailure:
      let status: ExitStatus =
        switch failure {
        case .unencrypted, .wrongKey, .forbidden: .refused
        case .notTheService, .endless, .transfer: .badInput
        }
      self.init(status, failure.description)
    case let failure as AgeFailure:
      let status: ExitStatus =
        switch failure {
        case .noMatch: .refused
        case .key: .usage
        case .header, .armor, .hmac, .payload: .badInput
        }
      self.init(status, saidAgain("\(failure)") + " " + said("Nothing was changed."))
    case let failure as BackupFailure:
      let status: ExitStatus =
        switch failure {
        case .needsPassphrase, .needsKey: .usage
        case .newer: .refused
        case .isMissingItsReader: .unavailable
        case .cannotPack: .inputOutput
        case .notABackup, .damaged, .hostile: .badInput
        }
      self.init(status, saidAgain("\(failure)") + " " + said("Nothing was changed."))
    case let failure as ServiceFailure:
      self.init(failure.isUnavailable ? .unavailable : .failed, failure.description)
    case let cancelled as BackupCancelled: self.init(.failed, cancelled.description)
    case let cancelled as ImportCancelled: self.init(.failed, cancelled.description)
    case let error as ArchiveError:
      let status: ExitStatus =
        switch error {
        case .notFound, .missing, .otherArchive: .noInput
        case .ambiguous: .usage
        case .conflict: .failed
        case .busy: .busy
        case .newerArchive, .refused, .notEmpty: .refused
        case .cannotOpen: .cannotCreate
        case .displaced: .inputOutput
        case .damaged, .torn: .badInput
        }
      self.init(status, error.description + KnownCopies.advice(for: error))
    case let failure as WebDAVFailure: self.init(.unavailable, failure.sentence)
    case let failure as POSIXFailure where ![ENOSPC, EDQUOT, EIO].contains(failure.code):
      self.init(.cannotCreate, saidAgain("\(failure).") + " " + said("Nothing was changed."))
    default:
      if let trouble = StorageTrouble(error) {
        let status: ExitStatus =
          switch trouble {
          case .busy: .busy
          case .readOnly: .cannotCreate
          case .full, .inputOutput: .inputOutput
          case .damaged: .badInput
          case .other: .failed
          }
        self.init(status, trouble.sentence)
      } else if let error = error as? CocoaError {
        self.init(
          error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile
            ? .noInput : .inputOutput, error.localizedDescription)
      } else {
        self.init(.failed, "\(error)")
      }
    }
  }

  /// Returns the exit code for a calendar or address book that can't be read.
  private static func status(of error: CalendarSourceError) -> ExitStatus {
    switch error {
    case .unauthorised, .forbidden, .redirectedElsewhere, .tooManyRedirects, .redirectLoop:
      .refused
    case .notFound, .missing, .emptied: .noInput
    case .unreachable, .timedOut, .serverError: .unavailable
    case .notACalendar, .tooLarge, .unusableAnswer, .unusableAddress, .incomplete: .badInput
    case .unreadable: .inputOutput
    }
  }
}
