import ArkivedImport

/// Which program reads files in a process of its own, and how patient its asker is.
package struct ReaderProgram: Hashable, Sendable {
  /// Started with `ReaderChild.argument`; nil where files are read in this process.
  package var path: String?
  /// Seconds without any sign of work after which the process is ended: no entry, nothing told, nothing
  /// read from a disk or written to one.
  package var patience: Double

  package init(path: String?, patience: Double = 300) {
    self.path = path
    self.patience = patience
  }

  /// This program, if it is the program itself and not another one that uses its parts.
  package static var own: ReaderProgram { ReaderProgram(path: ImageReader.registered) }
}
