import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
public import Foundation

/// The reason why a library didn't do what it was asked, with a sentence for its owner.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A kind of reason, for programs. Later versions may know further ones.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    private init(_ description: String) { self.description = description }

    /// A value can't be taken: ``LibraryError/field`` names where it stands.
    public static let invalidValue = Code("invalidValue")
    /// There is no such thing in the archive, or no such file.
    public static let notFound = Code("notFound")
    /// The thing was changed since it was read. Read it again.
    public static let conflict = Code("conflict")
    /// The folder or file can't be opened or made.
    public static let cannotOpen = Code("cannotOpen")
    /// The archive's file is missing, torn or damaged.
    public static let damaged = Code("damaged")
    /// A newer version of Arkived wrote the archive.
    public static let newerArchive = Code("newerArchive")
    /// Another program holds what is needed. Try again later.
    public static let busy = Code("busy")
    /// Not allowed, such as an attachment in an archive in memory.
    public static let refused = Code("refused")
    /// A file can't be imported.
    public static let unreadableFile = Code("unreadableFile")
    /// A file isn't a whole backup, or doesn't open with that passphrase.
    public static let unusableBackup = Code("unusableBackup")
    /// The disk is full or failed.
    public static let storage = Code("storage")
    /// The task was cancelled. Nothing was changed.
    public static let cancelled = Code("cancelled")
    /// Any other reason.
    public static let other = Code("other")
  }

  /// The kind of reason.
  public let code: Code
  /// A sentence that says what happened and what to do.
  public let message: String
  /// The field whose value can't be taken, such as `mood`; nil for other reasons.
  public let field: String?

  init(_ code: Code, _ message: String, field: String? = nil) {
    self.code = code
    self.message = saidAgain(message)
    self.field = field
  }

  /// The sentence.
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
      self.init(cause.code, cause.message, field: cause.field)
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
  /// The sentence, for alerts.
  public var errorDescription: String? { message }
}
