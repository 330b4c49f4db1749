import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// Runs imports while the server runs, one at a time, each on a separate thread.
final class ImportDesk: Sendable {
  /// A source of an import.
  struct Source: Sendable {
    var url: URL
    /// The name in the run's summary; nil to use its path.
    var name: String?
  }

  /// The current import, or the last one.
  struct Job: Sendable, Identifiable {
    let id: UUID
    /// The name that the owner knows.
    let name: String
    let sources: Int
    /// The number of the source being read, from 1.
    var source = 1
    var progress: ImportProgress?
    var isCancelled = false
    var isRunning = true
    /// The completed import runs.
    var runs: [UUID] = []
    /// The errors, one sentence each.
    var problems: [String] = []
    /// True if it was only a preview.
    var isLook = false
    /// The expected results, if it was a preview.
    var forecasts: [ImportForecast] = []
  }

  /// A previewed import that may be carried out.
  private struct Waiting {
    var id: UUID
    var name: String
    var sources: [Source]
    var scratch: URL?
    var places: PlaceChoice?
  }

  private let archive: Archive
  private let zone: Zone
  private let job = Mutex<Job?>(nil)
  private let waiting = Mutex<Waiting?>(nil)

  init(archive: Archive, zone: Zone) {
    self.archive = archive
    self.zone = zone
  }

  /// The current import, or the last one since the server started.
  var current: Job? { job.withLock { $0 } }

  /// Starts an import.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - sources: what to import.
  ///   - scratch: a folder to delete at the end.
  ///   - places: the choice about storing places; nil if none was made.
  ///   - looks: true for a preview, after which `bringIn` performs the import.
  /// - Throws: `ArchiveError.busy` while another one runs.
  func start(
    _ name: String, _ sources: [Source], scratch: URL? = nil, places: PlaceChoice? = nil,
    looks: Bool = false
  ) throws {
    let id = archive.identities.next()
    let other = job.withLock { job -> String? in
      if let job, job.isRunning { return job.name }
      job = Job(id: id, name: name, sources: sources.count, isLook: looks)
      return nil
    }
    if let other {
      throw ArchiveError.busy(
        "“\(other.prefix(80))” is still being imported. Nothing else was started. Try again when "
          + "it’s done.")
    }
    forget()
    let thread = Thread { [self] in
      let earlier = EarlierRuns(isShared: sources.count > 1)
      for (index, source) in sources.enumerated() where !isCancelled(id) {
        change(id) { $0.source = index + 1 }
        if looks { look(source, after: earlier, places, id) } else { take(source, places, id) }
      }
      if looks, current?.forecasts.isEmpty == false {
        let found = Waiting(id: id, name: name, sources: sources, scratch: scratch, places: places)
        waiting.withLock { $0 = found }
      } else if let scratch {
        ScratchFolders.remove(scratch)
      }
      change(id) { $0.isRunning = false }
    }
    thread.qualityOfService = .utility
    thread.start()
  }

  /// Imports the previewed sources.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - places: the choice about storing places; nil for the preview's choice.
  /// - Throws: `ArchiveError.notFound` if the preview no longer exists, and the errors of `start`.
  func bringIn(_ id: UUID, places: PlaceChoice? = nil) throws {
    let found = waiting.withLock { waiting -> Waiting? in
      guard waiting?.id == id else { return nil }
      defer { waiting = nil }
      return waiting
    }
    guard let found else {
      throw ArchiveError.notFound("This preview has expired. Choose the file again.")
    }
    do {
      try start(
        found.name, found.sources, scratch: found.scratch, places: places ?? found.places)
    } catch {
      waiting.withLock { $0 = found }
      throw error
    }
  }

  /// Discards the preview of a job, or any preview.
  private func forget(_ id: UUID? = nil) {
    let scratch = waiting.withLock { waiting -> URL? in
      guard id == nil || waiting?.id == id else { return nil }
      defer { waiting = nil }
      return waiting?.scratch
    }
    if let scratch { ScratchFolders.remove(scratch) }
  }

  /// Asks an import to stop; nothing from the source being read is imported.
  ///
  /// One that has ended isn't marked as cancelled.
  func cancel(_ id: UUID) { change(id) { if $0.isRunning { $0.isCancelled = true } } }

  /// Removes the outcome of a finished import.
  func dismiss(_ id: UUID) {
    forget(id)
    job.withLock { job in
      if job?.id == id, job?.isRunning == false { job = nil }
    }
  }

  private func watch(_ id: UUID) -> ImportWatch {
    ImportWatch(
      isCancelled: { [self] in isCancelled(id) },
      progress: { [self] progress in change(id) { $0.progress = progress } })
  }

  private func importJob(_ id: UUID, _ places: PlaceChoice?) -> ImportJob {
    ImportJob(
      archive: archive, homeZone: zone, watch: watch(id), placeNames: PlaceNames.installed(),
      places: places)
  }

  private func look(
    _ source: Source, after earlier: EarlierRuns, _ places: PlaceChoice?, _ id: UUID
  ) {
    do {
      let (forecasts, _) = try importJob(id, places).forecast(source.url, after: earlier)
      change(id) { $0.forecasts += forecasts }
    } catch {
      let sentence = Self.sentence(error)
      let name = source.name ?? source.url.lastPathComponent
      change(id) { $0.problems.append($0.sources > 1 ? "\(name): \(sentence)" : sentence) }
    }
  }

  private func take(_ source: Source, _ places: PlaceChoice?, _ id: UUID) {
    do {
      let runs = try importJob(id, places).run(source.url, named: source.name)
      change(id) { $0.runs += runs.map(\.id) }
    } catch {
      let interruption = error as? ImportInterruption
      let sentence = Self.sentence(interruption?.cause ?? error)
      let name = source.name ?? source.url.lastPathComponent
      change(id) {
        $0.runs += (interruption?.published ?? []).map(\.id)
        $0.problems.append($0.sources > 1 ? "\(name): \(sentence)" : sentence)
      }
    }
  }

  private func isCancelled(_ id: UUID) -> Bool {
    job.withLock { $0?.id == id && $0?.isCancelled == true }
  }

  private func change(_ id: UUID, _ body: (inout Job) -> Void) {
    job.withLock { job in
      guard var own = job, own.id == id else { return }
      body(&own)
      job = own
    }
  }

  private static func sentence(_ error: any Error) -> String {
    switch error {
    case let cancelled as ImportCancelled: cancelled.description
    case let refusal as ImportRefusal:
      EntryContext.capitalised(refusal.description) + ". Nothing from it was imported."
    case is CocoaError: "It can’t be read. Check that it exists and that you’re allowed to read it."
    default: WebFailure(error).detail
    }
  }
}
