import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import Foundation

/// Progress at the terminal, and Ctrl-C, for long work.
struct LongWork {
  private let line: ProgressLine
  let watch: ImportWatch

  init(_ context: Context) {
    let line = ProgressLine(isShown: !context.output.isJSON && isatty(2) == 1)
    self.line = line
    watch = ImportWatch(isCancelled: { Interrupt.hasCome }, progress: line.show)
  }

  /// Runs work that reports how many of a total number of bytes are done.
  func follow(_ total: Int, _ body: ((Int) throws -> Void) throws -> Void) throws {
    let start = ContinuousClock.now
    var next = start
    try body { done in
      guard ContinuousClock.now >= next else { return }
      guard !Interrupt.hasCome else { throw BackupCancelled() }
      next = ContinuousClock.now.advanced(by: .milliseconds(200))
      line.show(
        ImportProgress(
          entries: 0, fraction: Double(done) / Double(max(1, total)),
          seconds: (ContinuousClock.now - start) / .seconds(1), isFinished: false))
    }
  }

  func clear() { line.clear() }
}

/// Wording for backups.
enum BackupText {
  /// Formats a size: "1.2 GB", "340 MB", "12 kB".
  static func size(_ bytes: Int) -> String {
    for (name, unit) in [("GB", 1_000_000_000), ("MB", 1_000_000)] where bytes >= unit {
      let tenths = (Double(bytes) / Double(unit) * 10).rounded() / 10
      let number = Language.current == .english ? "\(tenths)" : AmountText.shown(tenths)
      return "\(number) \(name)"
    }
    return "\((bytes + 999) / 1_000) kB"
  }

  /// Returns how many entries and files a backup has: "1 entry", "3 files".
  static func counts(_ manifest: BackupManifest) -> (entries: String, files: String) {
    let files = manifest.members.count
    return (
      ItemCount.text(manifest.entries, of: "activity"),
      said(files, one: "\(files) file", other: "\(files) files")
    )
  }
}
