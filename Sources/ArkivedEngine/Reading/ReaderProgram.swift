import ArkivedImport

/// The program that reads files in a separate process, and the maximum time its caller waits for
/// it.
package struct ReaderProgram: Hashable, Sendable {
  /// The path, started with `ReaderChild.argument`; nil if files are read in this process.
  package var path: String?
  /// The time in seconds without any sign of work after which the process is ended: no entry, no
  /// message, nothing read from or written to a disk.
  package var patience: Double

  package init(path: String?, patience: Double = 300) {
    self.path = path
    self.patience = patience
  }

  /// This program, if it is Arkived itself and not another one that uses its modules.
  package static var own: ReaderProgram { ReaderProgram(path: ImageReader.registered) }
}
