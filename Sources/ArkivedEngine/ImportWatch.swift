package import ArkivedCore
import Foundation

/// The progress of an import.
package struct ImportProgress: Sendable {
  /// The number of entries read so far.
  package var entries: Int
  /// The share of the input that was read, from 0 to 1.
  package var fraction: Double
  package var seconds: Double
  package var isFinished: Bool

  package init(entries: Int, fraction: Double, seconds: Double, isFinished: Bool) {
    self.entries = entries
    self.fraction = fraction
    self.seconds = seconds
    self.isFinished = isFinished
  }

  package var entriesPerSecond: Double { seconds > 0 ? Double(entries) / seconds : 0 }

  /// The estimated remaining time at the current rate; nil if too little has been read.
  package var secondsLeft: Double? {
    guard !isFinished, fraction > 0.005, seconds > 0.5 else { return nil }
    return seconds * (1 - fraction) / fraction
  }
}

/// An error that reports that the owner cancelled the import.
///
/// Nothing was imported.
package struct ImportCancelled: Error, CustomStringConvertible {
  package init() {}
  package var description: String { "The import was cancelled. Nothing was imported." }
}

/// An error that ended an import early after some runs of the same path had completed; these runs
/// are kept.
package struct ImportInterruption: Error, CustomStringConvertible {
  package let published: [ImportRun]
  package let cause: any Error

  package var description: String { "\(cause)" }
}

/// An observer of a run for its caller: it counts, reports progress, and asks whether to continue.
package final class ImportWatch {
  /// The time to wait for another import to end.
  let waitsSeconds: Double
  private let isCancelled: @Sendable () -> Bool
  private let progress: @Sendable (ImportProgress) -> Void
  private let start = ContinuousClock.now
  private var entries = 0
  private var sizes: [Int] = []
  private var fileIndex = 0
  private var reached = 0
  private var nextLook = ContinuousClock.now

  private static let lookSeconds = 0.2

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - waitsSeconds: the time to wait for another import to end.
  ///   - isCancelled: called several times a second.
  ///   - progress: called several times a second.
  package init(
    waitsSeconds: Double = 0, isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) {
    self.waitsSeconds = waitsSeconds
    self.isCancelled = isCancelled
    self.progress = progress
  }

  /// Sets the sizes of the files that will be read, in bytes.
  func begin(_ sizes: [Int]) {
    self.sizes = sizes
    (fileIndex, reached) = (0, 0)
  }

  /// Resets the count because the files are read again.
  func beginAgain() { entries = 0 }

  func count() { entries += 1 }

  func reach(_ offset: Int) { reached = offset }

  func finishFile() {
    fileIndex += 1
    reached = 0
  }

  /// Reports progress if that is due, and returns true if the import is to stop.
  func isToStop() -> Bool {
    let now = ContinuousClock.now
    guard now >= nextLook else { return false }
    nextLook = now.advanced(by: .seconds(Self.lookSeconds))
    progress(state(isFinished: false))
    return isCancelled()
  }

  /// Reports progress if that is due.
  ///
  /// - Throws: `ImportCancelled` if the import is to stop.
  func look() throws {
    guard !isCancelled() else { throw ImportCancelled() }
    progress(state(isFinished: false))
  }

  func finish() { progress(state(isFinished: true)) }

  private func state(isFinished: Bool) -> ImportProgress {
    let total = max(1, sizes.reduce(0, +))
    let done = sizes.prefix(fileIndex).reduce(0, +) + reached
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    return ImportProgress(
      entries: entries, fraction: isFinished ? 1 : min(1, Double(done) / Double(total)),
      seconds: seconds, isFinished: isFinished)
  }
}
