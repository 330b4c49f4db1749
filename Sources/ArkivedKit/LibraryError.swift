import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
public import Foundation

/// The reason that a library didn't carry out a request, with a sentence for its owner.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs.
  ///
  /// Later versions may add others.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    private init(_ description: String) { self.description = description }

    /// A value is invalid: ``LibraryError/field`` contains the name of its field.
    public static let invalidValue = Code("invalidValue")
    /// The item doesn't exist in the archive, or the file doesn't exist.
    public static let notFound = Code("notFound")
    /// The item has been changed since it was read.
    ///
    /// Read it again.
    public static let conflict = Code("conflict")
    /// The folder or file can't be opened or created.
    public static let cannotOpen = Code("cannotOpen")
    /// The archive's file is missing, truncated or damaged.
    public static let damaged = Code("damaged")
    /// A newer version of Arkived wrote the archive.
    public static let newerArchive = Code("newerArchive")
    /// Another program is using a required resource.
    ///
    /// Try again later.
    public static let busy = Code("busy")
    /// The request isn't allowed, such as an attachment in an archive in memory.
    public static let refused = Code("refused")
    /// A file can't be imported.
    public static let unreadableFile = Code("unreadableFile")
    /// A file isn't a complete backup, or the passphrase is wrong.
    public static let unusableBackup = Code("unusableBackup")
    /// The disk is full or failed.
    public static let storage = Code("storage")
    /// The task was cancelled.
    ///
    /// Nothing was changed, unless the message says that a part of an import is kept.
    public static let cancelled = Code("cancelled")
    /// Any other reason.
    public static let other = Code("other")
  }

  /// The kind of error.
  public let code: Code
  /// A sentence that says what happened and what to do.
  public let message: String
  /// The field with the invalid value, such as `mood`; nil for other errors.
  public let field: String?

  init(_ code: Code, _ message: String, field: String? = nil) {
    self.code = code
    self.message = saidAgain(message)
    self.field = field
  }

  /// The message.
  public var description: String { message }

  init(_ error: any Error) {
    switch error {
    case let error as LibraryError: self = error
    case let error as FieldError:
      self.init(.invalidValue, error.description + ".", field: error.field)
    case let error as QuickAddError: self.init(.invalidValue, error.description, field: "line")
    case let error as ArchiveError: self.init(Self.code(of: error), error.description)
    case let error as ImportRefusal: self.init(.unreadableFile, error.description + ".")
    case let error as ImportInterruption:
      let cause = LibraryError(error.cause)
      let reason =
        error.cause is ImportCancelled ? said("The import was cancelled.") : cause.message
      let rest = said("Only part of it was imported.")
      self.init(cause.code, "\(reason) \(rest)", field: cause.field)
    case is ImportCancelled, is BackupCancelled: self.init(.cancelled, "\(error)")
    case is CancellationError: self.init(.cancelled, BackupCancelled().description)
    case is BackupFailure, is AgeFailure: self.init(.unusableBackup, "\(error)")
    default:
      if let trouble = StorageTrouble(error) {
        self.init(trouble == .busy ? .busy : .storage, trouble.sentence)
      } else if let error = error as? CocoaError {
        let isMissing = error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile
        self.init(isMissing ? .notFound : .storage, error.localizedDescription)
      } else {
        self.init(.other, "\(error)")
      }
    }
  }

  private static func code(of error: ArchiveError) -> Code {
    switch error {
    case .notFound: .notFound
    case .ambiguous: .invalidValue
    case .conflict: .conflict
    case .newerArchive: .newerArchive
    case .cannotOpen: .cannotOpen
    case .damaged, .missing, .otherArchive, .torn: .damaged
    case .displaced: .storage
    case .notEmpty, .refused: .refused
    case .busy: .busy
    }
  }
}

extension LibraryError: LocalizedError {
  /// The message, for alerts.
  public var errorDescription: String? { message }
}
