@_exported public import ArkivedCore
import ArkivedAssistant
import ArkivedSearch
import ArkivedStore
public import Foundation
import Synchronization

/// One archive of a person's life: opened, read and written by an app.
///
/// A library may be used from any task at the same time. Every write is one change that is on the disk
/// before the call returns, and that ``undo(_:)`` takes back. Other programs may work on the same folder
/// meanwhile: the command line, the web app, another app.
///
/// ```swift
/// let library = try await Library.open(at: folder)
/// try await library.add("lunch with Sam at Joe's 12:30-13:15 #friends")
/// ```
public final class Library: Sendable {
  /// The folder of the archive; nil for one in memory.
  public let folder: URL?
  /// The owner's time zone, in which days begin and typed times are read.
  public let zone: Zone
  /// The language in which lines and questions are typed, and answers and errors are worded.
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
      archive: archive, zone: zone, timelines: ArchiveTimelines(archive),
      typed: language.language)
  }

  // MARK: Opening

  /// Opens the archive in a folder, and makes one if there never was one.
  ///
  /// An archive of an earlier version is brought up to date first, after a copy of its database was put
  /// aside. The folder is made private to its user.
  ///
  /// - Parameters:
  ///   - folder: the archive's own folder; it holds nothing else.
  ///   - zone: the owner's time zone; the system's by default.
  ///   - language: the language in which the owner types and is answered.
  ///   - clock: the present; tests and previews may hold it still with `FixedClock`.
  /// - Throws: ``LibraryError`` with the code ``LibraryError/Code/cannotOpen``,
  ///   ``LibraryError/Code/damaged`` or ``LibraryError/Code/newerArchive``. Nothing was changed then.
  public static func open(
    at folder: URL, zone: Zone = .system, language: SpokenLanguage = .english,
    clock: any ArchiveClock = SystemClock()
  ) async throws(LibraryError) -> Library {
    try await open(
      at: folder, zone: zone, language: language, clock: clock, identities: RandomIdentities())
  }

  /// As the public one, with the source of new identities.
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

  /// Makes an empty archive that is gone with the process, for previews and tests.
  ///
  /// It keeps no attachments, and takes no backup.
  ///
  /// - Throws: ``LibraryError`` if the system's SQLite can't be used.
  public static func inMemory(
    zone: Zone = .system, language: SpokenLanguage = .english,
    clock: any ArchiveClock = SystemClock()
  ) throws(LibraryError) -> Library {
    do {
      return Library(try Archive(at: .memory, clock: clock), zone: zone, language: language)
    } catch {
      throw LibraryError(error)
    }
  }

  /// Closes the connections to the archive's file. Later calls throw; open the folder again.
  ///
  /// Call it before the folder is moved, and when a mobile app is about to be suspended.
  public func close() { archive.closeConnections() }

  // MARK: Time

  /// The present, by the library's clock.
  public var now: Instant { archive.clock.now }

  /// The day that it is in the owner's zone.
  public var today: DayKey { zone.dayKey(at: now) }

  // MARK: Waiting

  /// Does work that may wait for the disk on a thread of its own, in the library's language.
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

  /// As `waiting`, for work that looks several times a second at whether the task was cancelled.
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

/// A mark that a task's work is no longer wanted.
private final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}

/// A language that Arkived reads and speaks.
public struct SpokenLanguage: Hashable, Sendable {
  let language: Language

  /// English.
  public static let english = SpokenLanguage(.english)
  /// German; questions and lines may be English too.
  public static let german = SpokenLanguage(.german)
  /// Every language that Arkived reads and speaks.
  public static let all = Language.all.map(SpokenLanguage.init)

  private init(_ language: Language) { self.language = language }

  /// Makes the language of an ISO 639-1 code such as `de`, or nil if Arkived doesn't speak it.
  public init?(code: String) {
    guard let found = Self.all.first(where: { $0.code == code }) else { return nil }
    self = found
  }

  /// The ISO 639-1 code, such as `de`.
  public var code: String { language.code }
}
