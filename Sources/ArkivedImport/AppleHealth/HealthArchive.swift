import Foundation

/// The zip archive of an export, read without being unpacked.
struct HealthArchive {
  /// Elements below the root at which reading can resume after damage.
  static let elements = ["Record", "Workout", "Correlation", "ActivitySummary"]
  /// The size limit in bytes, beyond any one person's data.
  private static let sizeLimit: Int64 = 64 << 30
  /// The maximum compression ratio; XML of this kind shrinks to a thirtieth, and far more than that
  /// suggests a zip bomb.
  private static let growthLimit: Int64 = 250
  private static let routeLimit: Int64 = 256 << 20

  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private let zip: ZipFile

  /// - Throws: `ZipFailure` if the archive can't be read.
  init(_ file: ImportFile, context: ImportContext, sink: any ImportSink) throws {
    self.file = file
    self.context = context
    self.sink = sink
    zip = try ZipFile(file.url)
  }

  func read() throws {
    let found = AppleHealthImporter.main(in: zip)
    guard let main = found ?? AppleHealthImporter.candidates(in: zip).first else {
      throw AppleHealthImporter.refusal(file.name)
    }
    ZipMembers.tellDamage(of: zip, in: file, into: sink)
    let routes = try routes(under: main.folder)
    let reader = HealthReader(
      name: "\(file.name)/\(main.name)", context: context, sink: sink,
      routes: { routes[$0.hasPrefix("/") ? String($0.dropFirst()) : $0] })
    try read(main, reader)
    try reader.finish()
    try readElectrocardiograms(under: main.folder, reader)
    tellClinicalRecords(under: main.folder)
    Self.tellEmpty(reader)
  }

  static func tellEmpty(_ reader: HealthReader) {
    guard reader.count == 0 else { return }
    reader.note("nothing to import: none of its entries can be used")
  }

  private func read(_ main: ZipFile.Entry, _ reader: HealthReader) throws {
    let packed = (try? file.url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
    let limit = min(Self.sizeLimit, max(32 << 20, Int64(packed) * Self.growthLimit))
    let stream = XMLStream(reader, root: "HealthData", records: Self.elements)
    reader.stream = stream
    var read = 0
    let failures = try zip.stream([main.index], sizeLimit: limit) { _, piece in
      try stream.read(piece)
      read += piece.count
      // The size recorded in the archive is used only for progress.
      let share = min(1, Double(read) / Double(max(main.size ?? 1, 1)))
      sink.reach(Int(Double(packed) * share))
      if sink.isOver { throw AppleHealthImporter.Abandoned() }
    }
    let failure = failures[main.index]
    if let failure, case .tooLarge = failure { throw failure }
    try stream.finish()
    if !stream.isBegun, let failure { throw failure }
    guard stream.isBegun else { throw AppleHealthImporter.refusal(reader.name) }
    if let failure {
      reader.skip(reader.name, "the rest, because \(failure). Export it again")
    }
  }

  /// Returns the routes of workouts, keyed by their paths below the export's folder.
  private func routes(under folder: String) throws -> [String: HealthRoute] {
    var names: [Int: String] = [:]
    for entry in zip.entries
    where entry.name.lowercased().hasSuffix(".gpx") && entry.name.hasPrefix(folder)
      && !entry.isHidden
    {
      names[entry.index] = String(entry.name.dropFirst(folder.count))
    }
    guard !names.isEmpty else { return [:] }
    var routes: [String: HealthRoute] = [:]
    var present: (index: Int, reader: HealthRouteReader, stream: XMLStream)?
    let failures = try zip.stream(Set(names.keys), sizeLimit: Self.routeLimit) { index, piece in
      if present?.index != index {
        let reader = HealthRouteReader()
        present = (index, reader, XMLStream(reader, root: "gpx"))
      }
      guard let (_, reader, stream) = present else { return }
      do {
        guard piece.isEmpty else { return try stream.read(piece) }
        try stream.finish()
      } catch is XMLStream.Unreasonable {
        // The route up to this point counts; the rest of the file is skipped.
        guard piece.isEmpty else { return }
      }
      routes[names[index] ?? ""] = reader.route
      present = nil
      if sink.isOver { throw AppleHealthImporter.Abandoned() }
    }
    if let first = failures.min(by: { $0.key < $1.key }) {
      sink.diagnose(
        Diagnostic(
          .note, place: "\(file.name)/\(folder)\(names[first.key] ?? "")",
          message: "\(failures.count) workout routes can’t be read completely: \(first.value)",
          mayPass: true))
    }
    return routes
  }

  private func readElectrocardiograms(under folder: String, _ reader: HealthReader) throws {
    let own = folder + HealthElectrocardiogram.folder + "/"
    let entries = zip.entries.filter {
      $0.folder == own && $0.fileName.lowercased().hasSuffix(".csv") && !$0.isHidden
    }.sorted { $0.name < $1.name }
    guard !entries.isEmpty else { return }
    let heads = zip.heads(of: entries)
    let scratch = try context.scratchFolder().appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let targets = Dictionary(
      uniqueKeysWithValues: entries.map {
        ($0.index, scratch.appendingPathComponent("\($0.index).csv"))
      })
    let failures = try zip.unpack(
      targets, sizeLimit: HealthElectrocardiogram.sizeLimit,
      totalLimit: try ZipMembers.room(for: zip, in: scratch))
    for entry in entries {
      let place = "\(file.name)/\(entry.name)"
      let failure = failures[entry.index]
      guard let head = heads[entry.index] else {
        reader.skip(place, failure?.description ?? "it can’t be read")
        continue
      }
      if let failure {
        sink.diagnose(
          Diagnostic(
            .note, place: place, message: "imported without its ECG curve: \(failure)",
            mayPass: true))
      }
      try HealthElectrocardiogram(head).take(
        into: reader, place: place,
        table: failure == nil
          ? HealthElectrocardiogram.Table(
            folder: scratch, file: "\(entry.index).csv", name: entry.fileName) : nil)
    }
  }

  /// Reports clinical records from hospitals, which use their own format (FHIR) and aren't
  /// imported.
  private func tellClinicalRecords(under folder: String) {
    let records = zip.entries.filter {
      $0.folder.hasPrefix(folder) && Self.isClinical($0.name) && !$0.isHidden
    }
    guard let first = records.first else { return }
    Self.tellClinicalRecords(records.count, at: "\(file.name)/\(first.folder)", sink)
  }

  /// Returns true if a file is a clinical record from a hospital.
  static func isClinical(_ name: String) -> Bool {
    name.split(separator: "/").dropLast().last.map { clinicalFolders.contains(String($0)) } ?? false
  }

  static let clinicalFolders: Set<String> = ["clinical-records", "clinical_records"]

  static func tellClinicalRecords(_ count: Int, at place: String, _ sink: any ImportSink) {
    sink.diagnose(
      Diagnostic(
        .note, place: place,
        message: "skipped clinical records (\(count)). To keep one, attach it to its day"))
  }
}
