import ArkivedCore
import ArkivedImport

extension Importer {
  /// Reads a file, and refuses one that yields nothing although something in it was skipped: it is
  /// truncated, damaged, or unusable.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - context: the information about the import.
  ///   - isAlone: true if the run has no other files; otherwise each file reports its own problems.
  ///   - sink: takes the records.
  /// - Throws: `ImportRefusal` with the first thing that was skipped, and errors from reading.
  func read(
    _ file: ImportFile, context: ImportContext, isAlone: Bool, into sink: any ImportSink
  ) throws {
    guard isAlone else { return try read(file, context: context, into: sink) }
    let use = ImportUse(sink)
    try read(file, context: context, into: use)
    guard !use.isUseful, let problem = use.problem else { return }
    throw ImportRefusal(
      place: problem.place, message: "\(problem.message) (nothing in the file could be imported)")
  }
}

/// A sink that passes on the records of an importer, and remembers if there were any.
private final class ImportUse: ImportSink {
  private let sink: any ImportSink
  private(set) var isUseful = false
  /// The first thing that was skipped.
  private(set) var problem: Diagnostic?

  init(_ sink: any ImportSink) { self.sink = sink }

  func take(_ record: ImportedRecord) throws {
    isUseful = true
    try sink.take(record)
  }

  func diagnose(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .skipped { problem = problem ?? diagnostic }
    sink.diagnose(diagnostic)
  }

  func reach(_ offset: Int) { sink.reach(offset) }
  func goOn() { sink.goOn() }
  var isOver: Bool { sink.isOver }
}
