package import ArkivedCore
import ArkivedImport
import ArkivedStore
package import Foundation

extension ImportJob {
  /// Forecasts a path if one of its formats drops coordinates unless the owner chooses to keep
  /// them.
  package func forecastUnanswered(_ path: URL) throws -> [ImportForecast] {
    let scratch = ScratchFolder()
    defer { scratch.remove() }
    // A pipe can be read only once.
    let values = try path.resourceValues(forKeys: [.isRegularFileKey, .isDirectoryKey])
    guard values.isRegularFile == true || values.isDirectory == true else { return [] }
    let reader = ReaderProcess(readers, in: scratch)
    defer { reader.end() }
    let (groups, _) = try reader.find(path, importers, look: watch.look)
    guard groups.contains(where: { places(of: $0.0) != .keep || $0.0 is any MappedImporter }) else {
      return []
    }
    return try forecast(path).runs
  }

  /// Determines what importing a path would do.
  ///
  /// Every entry is decided as in an import, and nothing is saved.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - earlier: the runs of paths that would be imported before, to which this one's are added.
  /// - Returns: a forecast for each run that the import would make, and diagnostics about files
  ///   that it would skip.
  /// - Throws: as `run`.
  package func forecast(
    _ path: URL, after earlier: EarlierRuns = EarlierRuns()
  ) throws -> (runs: [ImportForecast], notes: [ImportRun.Warning]) {
    let scratch = ScratchFolder()
    defer { scratch.remove() }
    let reader = ReaderProcess(readers, in: scratch)
    defer { reader.end() }
    let source = try PipedInput.file(path, in: scratch, watch)
    let (groups, notes) = try reader.find(source, importers, look: watch.look)
    var forecasts: [ImportForecast] = []
    var refusals: [ImportRefusal] = []
    let attached = ClaimedFiles()
    for (importer, found) in ClaimedFiles.ordered(groups) {
      let files = attached.rest(of: found, for: importer)
      guard !files.isEmpty else { continue }
      do {
        forecasts.append(
          try forecast(importer, files, reader, scratch, attached, after: earlier))
      } catch let refusal as ImportRefusal {
        refusals.append(refusal)
      }
    }
    if forecasts.isEmpty, let first = refusals.first { throw first }
    return (
      forecasts,
      notes.map { .init(place: $0.place, message: $0.message) }
        + refusals.map { .init(place: $0.place, message: $0.message) }
    )
  }

  private func forecast(
    _ importer: any Importer, _ files: [ImportFile], _ reader: ReaderProcess,
    _ outer: ScratchFolder, _ attached: ClaimedFiles, after earlier: EarlierRuns
  ) throws -> ImportForecast {
    var files = files
    var losses: [ImportRefusal] = []
    while true {
      let scratch = ScratchFolder(in: outer)
      defer { scratch.remove() }
      do {
        return try forecast(importer, files, reader, scratch, losses, attached, after: earlier)
      } catch let lost as ReaderProcess.Lost {
        files = try ReaderProcess.rest(of: files, without: lost, after: losses.count)
        losses.append(lost.refusal)
        watch.beginAgain()
      }
    }
  }

  private func forecast(
    _ importer: any Importer, _ files: [ImportFile], _ reader: ReaderProcess,
    _ scratch: ScratchFolder, _ losses: [ImportRefusal], _ attached: ClaimedFiles,
    after earlier: EarlierRuns
  ) throws -> ImportForecast {
    let confined = reader.confined(importer, isOneOfMany: true)
    let context = ImportContext(
      now: archive.clock.now, homeZone: homeZone, identities: archive.identities,
      files: files, placeNames: placeNames, formerZones: try formerZones(of: importer),
      cameInAtHome: try cameInAtHome(importer),
      scratchFolder: { try scratch.make() })
    let rehearsal = RehearsedImport(
      archive, after: earlier, overridesOwner: overridesOwner, places: places(of: importer),
      watch: watch, mayRepeatDays: files.count > 1 || earlier.isShared)
    for loss in losses { rehearsal.diagnose(ReaderProcess.note(on: loss)) }
    watch.begin(files.map(\.byteCount))
    var refusals: [ImportRefusal] = []
    for file in files {
      do {
        try rehearsal.take { [isAlone = files.count == 1] sink in
          try confined.read(file, context: context, isAlone: isAlone, into: sink)
        }
      } catch let refusal as ImportRefusal {
        guard files.count > 1 else { throw refusal }
        refusals.append(refusal)
        rehearsal.dropFile()
        rehearsal.diagnose(Diagnostic(.skipped, place: refusal.place, message: refusal.message))
      }
    }
    if let first = refusals.first, refusals.count == files.count { throw first }
    try rehearsal.conclude()
    if !(importer is PhotosImporter) { attached.add(rehearsal.attachedPaths) }
    var forecast = rehearsal.forecast(importer.format, files.map(\.name))
    if let table = (importer as? any MappedImporter)?.table, let file = files.first {
      forecast.table = try table.reading(file)
    }
    return forecast
  }
}
