import Foundation

/// Health's main XML file alone, or in the folder that the export unpacks to.
struct HealthFolder {
  private let file: ImportFile
  private let context: ImportContext
  private let sink: any ImportSink
  private let folder: URL

  init(_ file: ImportFile, context: ImportContext, sink: any ImportSink) {
    self.file = file
    self.context = context
    self.sink = sink
    folder = file.url.deletingLastPathComponent()
  }

  func read() throws {
    let reader = HealthReader(
      name: file.name, context: context, sink: sink, routes: { route(at: $0) })
    let stream = XMLStream(reader, root: "HealthData", records: HealthArchive.elements)
    reader.stream = stream
    var reached = 0
    try Self.forEachPiece(of: file.url) { piece in
      try stream.read(piece)
      reached += piece.count
      sink.reach(reached)
      if sink.isOver { throw AppleHealthImporter.Abandoned() }
    }
    try stream.finish()
    guard stream.isBegun else { throw AppleHealthImporter.refusal(file.name) }
    try reader.finish()
    try readElectrocardiograms(reader)
    tellClinicalRecords()
    HealthArchive.tellEmpty(reader)
  }

  private func names(in folder: String) -> [String] {
    let url = self.folder.appendingPathComponent(folder)
    return ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  private func readElectrocardiograms(_ reader: HealthReader) throws {
    let home = folder.appendingPathComponent(HealthElectrocardiogram.folder)
    for name in names(in: HealthElectrocardiogram.folder) where name.lowercased().hasSuffix(".csv")
    {
      guard let url = regularFile(home.appendingPathComponent(name)),
        let handle = try? FileHandle(forReadingFrom: url)
      else { continue }
      defer { try? handle.close() }
      let head = [UInt8]((try? handle.read(upToCount: 4096)) ?? Data())
      let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
      let place = "\(file.folder)\(HealthElectrocardiogram.folder)/\(name)"
      let isTable = size <= HealthElectrocardiogram.sizeLimit && !name.contains("\\")
      if !isTable {
        sink.diagnose(
          Diagnostic(
            .note, place: place,
            message: "imported without its curve: the file is too large, or its name can’t be kept")
        )
      }
      try HealthElectrocardiogram(head).take(
        into: reader, place: place,
        table: isTable
          ? HealthElectrocardiogram.Table(folder: home, file: name, name: name) : nil)
    }
  }

  private func tellClinicalRecords() {
    for folder in HealthArchive.clinicalFolders.sorted() {
      let count = names(in: folder).count { !$0.hasPrefix(".") }
      guard count > 0 else { continue }
      HealthArchive.tellClinicalRecords(count, at: "\(file.folder)\(folder)/", sink)
    }
  }

  /// Returns the route that a workout refers to, from the folder next to the file.
  private func route(at path: String) -> HealthRoute? {
    let parts = path.split(separator: "/")
    guard parts.count == 2, !parts.contains(".."), let home = parts.first, let name = parts.last,
      let url = regularFile(
        folder.appendingPathComponent(String(home)).appendingPathComponent(String(name)))
    else { return nil }
    let reader = HealthRouteReader()
    let stream = XMLStream(reader, root: "gpx")
    do {
      try Self.forEachPiece(of: url) { try stream.read($0) }
      try stream.finish()
    } catch {
      sink.diagnose(
        Diagnostic(
          .note, place: path, message: "the workout route can’t be read: \(error)",
          mayPass: true))
    }
    return reader.route
  }

  /// Returns the URL if it is a regular file; symbolic links are rejected because they could point
  /// anywhere.
  private func regularFile(_ url: URL) -> URL? {
    let values = try? url.resourceValues(forKeys: [.isRegularFileKey, .isSymbolicLinkKey])
    return values?.isRegularFile == true && values?.isSymbolicLink != true ? url : nil
  }

  private static func forEachPiece(
    of url: URL, _ take: (UnsafeMutableBufferPointer<UInt8>) throws -> Void
  ) throws {
    guard let input = InputStream(url: url) else { throw CocoaError(.fileReadUnknown) }
    input.open()
    defer { input.close() }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 20)
    defer { buffer.deallocate() }
    while let base = buffer.baseAddress {
      let count = input.read(base, maxLength: buffer.count)
      guard count >= 0 else { throw input.streamError ?? CocoaError(.fileReadUnknown) }
      guard count > 0 else { return }
      try take(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
