@_exported public import ArkivedCore
import ArkivedAssistant
import ArkivedSearch
import ArkivedStore
public import Foundation
import Synchronization

/// The archive of a person's life, opened, read and written by an app.
///
/// A library may be used from any number of tasks at the same time. Every write is one change that
/// is on disk before the call returns and that ``undo(_:)`` can revert. Other programs may work on
/// the same folder at the same time: the command line, the web app, another app.
///
/// ```swift
/// let library = try await Library.open(at: folder)
/// try await library.add("lunch with Sam at Joe's 12:30-13:15 #friends")
/// ```
public final class Library: Sendable {
  /// The folder of the archive; nil for an archive in memory.
  public let folder: URL?
  /// The owner's time zone, used for the beginning of days and for typed times.
  public let zone: Zone
  /// The language of typed lines and questions, and of answers and errors.
  public let language: SpokenLanguage

  let archive: Archive
  let indexes: SearchIndexes
  let questions: AskEngine

  private init(_ archive: Archive, zone: Zone, language: SpokenLanguage) {
    folder = if case .folder(let folder) = archive.location { folder } else { nil }
    self.archive = archive
    self.zone = zone
    self.language = language
    indexes = SearchIndexes(archive)
    questions = AskEngine(
      archive: archive, zone: zone, timelines: ArchiveTimelines(archive, indexes: indexes),
      typed: language.language)
  }

  // MARK: Opening

  /// Opens the archive in a folder, and creates one if none ever existed there.
  ///
  /// An archive of an earlier version is migrated first, after its database has been copied. The
  /// folder is made private to its user.
  ///
  /// - Parameters:
  ///   - folder: the archive's own folder, which contains nothing else.
  ///   - zone: the owner's time zone; the system's by default.
  ///   - language: the language of the owner's input and of the answers.
  ///   - clock: the source of the current time; tests and previews may fix it with `FixedClock`.
  /// - Returns: the archive.
  /// - Throws: ``LibraryError`` with the code ``LibraryError/Code/cannotOpen``,
  ///   ``LibraryError/Code/damaged`` or ``LibraryError/Code/newerArchive``. In each case, nothing
  ///   was changed.
  public static func open(
    at folder: URL, zone: Zone = .system, language: SpokenLanguage = .english,
    clock: any ArchiveClock = SystemClock()
  ) async throws(LibraryError) -> Library {
    try await open(
      at: folder, zone: zone, language: language, clock: clock, identities: RandomIdentities())
  }

  /// Opens the archive like the public method, with a source of new IDs.
  package static func open(
    at folder: URL, zone: Zone, language: SpokenLanguage = .english, clock: any ArchiveClock,
    identities: any IdentitySource
  ) async throws(LibraryError) -> Library {
    try await waiting(in: language) {
      let archive = try Archive(
        at: .folder(folder.standardizedFileURL), clock: clock, identities: identities)
      try archive.prepareToWrite()
      return Library(archive, zone: zone, language: language)
    }
  }

  /// Creates an empty archive that exists only as long as the process, for previews and tests.
  ///
  /// It stores no attachments, and can't be backed up.
  ///
  /// - Throws: ``LibraryError`` if the system's SQLite can't be used.
  public static func inMemory(
    zone: Zone = .system, language: SpokenLanguage = .english,
    clock: any ArchiveClock = SystemClock()
  ) throws(LibraryError) -> Library {
    do {
      return Library(try Archive(at: .memory, clock: clock), zone: zone, language: language)
    } catch {
      throw worded(error, in: language)
    }
  }

  /// Closes the connections to the archive's file.
  ///
  /// Later calls throw; open the folder again to continue.
  ///
  /// Call it before the folder is moved, and when a mobile app is about to be suspended.
  public func close() { archive.closeConnections() }

  // MARK: Time

  /// The current time, by the library's clock.
  public var now: Instant { archive.clock.now }

  /// The current day in the owner's zone.
  public var today: DayKey { zone.dayKey(at: now) }

  // MARK: Waiting

  /// Runs work that may block on the disk on a separate thread, in the library's language.
  func waiting<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws(LibraryError) -> Value {
    try await Self.waiting(in: language, work)
  }

  private static func waiting<Value: Sendable>(
    in language: SpokenLanguage, _ work: @escaping @Sendable () throws -> Value
  ) async throws(LibraryError) -> Value {
    do {
      return try await onOwnThread {
        try ShownDates.speaking(language.language) {
          do { return try work() } catch { throw LibraryError(error) }
        }
      }
    } catch {
      throw LibraryError(error)
    }
  }

  /// Returns an error in a language.
  static func worded(_ error: any Error, in language: SpokenLanguage) -> LibraryError {
    ShownDates.speaking(language.language) { LibraryError(error) }
  }

  /// Runs blocking work like `waiting`, for work that checks several times a second whether the
  /// task was cancelled.
  func cancellable<Value: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
  ) async throws(LibraryError) -> Value {
    let flag = CancellationFlag()
    let result: Result<Value, LibraryError> = await withTaskCancellationHandler {
      do throws(LibraryError) {
        return .success(try await waiting { try work { flag.isSet } })
      } catch {
        return .failure(error)
      }
    } onCancel: {
      flag.set()
    }
    return try result.get()
  }
}

/// A flag for cancelled work.
final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}

/// A language that Arkived understands and uses.
public struct SpokenLanguage: Hashable, Sendable {
  let language: Language

  /// English.
  public static let english = SpokenLanguage(.english)
  /// German; questions and lines may also be in English.
  public static let german = SpokenLanguage(.german)
  /// All languages that Arkived understands and uses.
  public static let all = Language.all.map(SpokenLanguage.init)

  private init(_ language: Language) { self.language = language }

  /// Creates the language for an ISO 639-1 code such as `de`, or nil if Arkived doesn't support it.
  public init?(code: String) {
    guard let found = Self.all.first(where: { $0.code == code }) else { return nil }
    self = found
  }

  /// The ISO 639-1 code, such as `de`.
  public var code: String { language.code }
}
