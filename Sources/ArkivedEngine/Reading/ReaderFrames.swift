import ArkivedCore
import ArkivedImport
import Foundation

/// A request to a process that reads files.
enum ReaderQuestion: UInt8 {
  /// The formats of a path's files.
  case find = 1
  /// The importer and its context for the following files.
  case context
  /// One file's entries.
  case read
}

/// A part of the answer: any number of pieces, then the result.
enum ReaderAnswer: UInt8 {
  case record = 1
  case diagnostic, reach, goOn
  /// Files of one format.
  case group
  /// The file being examined.
  case at
  /// A sign that work continues.
  case beat
  case done, refusal, failure
}

/// The parameters of a search for files.
struct FindQuestion {
  var importers: [JSON]
  var path: URL
  /// The folder for unpacked files.
  var scratch: URL
  /// The names of files to skip.
  var besides: [String]

  func write(into frames: inout FrameWriter) -> Bool {
    frames.frame(ReaderQuestion.find.rawValue) { frame in
      frame.list(importers) { $0.put($1) }
      frame.put(path)
      frame.put(scratch)
      frame.put(besides)
    }
  }

  init(importers: [JSON], path: URL, scratch: URL, besides: [String]) {
    (self.importers, self.path, self.scratch) = (importers, path, scratch)
    self.besides = besides
  }

  init(_ frame: inout FrameReader) throws {
    importers = try frame.list { try $0.json() }
    path = try frame.url()
    scratch = try frame.url()
    besides = try frame.strings()
    try frame.end()
  }
}

/// The parameters for reading files: everything of an `ImportContext` that is sent to another
/// process.
struct ContextQuestion {
  let importer: JSON
  let context: ImportContext

  init(importer: JSON, context: ImportContext) {
    (self.importer, self.context) = (importer, context)
  }

  func write(into frames: inout FrameWriter) throws -> Bool {
    let scratch = try context.scratchFolder()
    return frames.frame(ReaderQuestion.context.rawValue) { frame in
      frame.put(importer)
      frame.put(context.now)
      frame.put(context.homeZone.identifier)
      frame.put(context.linkID)
      frame.put(context.firstDay)
      frame.put(context.daysAhead)
      frame.put(context.occurrenceLimit)
      frame.put(context.expansionSeconds)
      frame.list(context.files) { $0.put($1) }
      frame.put(context.placeNames?.path)
      frame.list(context.zones.spans) { frame, span in
        frame.put(span.start)
        frame.put(span.end)
        frame.put(span.zone.identifier)
      }
      frame.put(context.cameInAtHome)
      frame.put(scratch)
    }
  }

  init(_ frame: inout FrameReader) throws {
    importer = try frame.json()
    let now = try frame.instant()
    let zone = Zone(try frame.string()) ?? .utc
    let linkID = try frame.optional { try $0.uuid() }
    let firstDay = try frame.optional { try $0.day() }
    let daysAhead = try frame.int()
    let occurrenceLimit = try frame.int()
    let expansionSeconds = try frame.double()
    let files = try frame.list { try $0.importFile() }
    let places = try frame.optional { try $0.string() }
    let zones = try frame.list { frame in
      HomeZones.Span(
        start: try frame.instant(), end: try frame.instant(),
        zone: Zone(try frame.string()) ?? .utc)
    }
    let cameInAtHome = try frame.bool()
    let scratch = try frame.url()
    try frame.end()
    context = ImportContext(
      now: now, homeZone: zone, identities: RandomIdentities(), linkID: linkID,
      firstDay: firstDay, daysAhead: daysAhead, occurrenceLimit: occurrenceLimit,
      expansionSeconds: expansionSeconds, files: files,
      placeNames: places.flatMap { PlaceNames(at: URL(fileURLWithPath: $0)) },
      formerZones: zones, cameInAtHome: cameInAtHome,
      scratchFolder: { scratch })
  }
}

extension FrameWriter {
  mutating func put(_ file: ImportFile) {
    put(file.url)
    put(file.name)
  }
}

extension FrameReader {
  mutating func importFile() throws -> ImportFile {
    ImportFile(url: try url(), name: try string())
  }
}

/// Encodes importers for another process.
enum ImporterForm {
  /// Returns an importer as JSON.
  ///
  /// - Returns: nil for one that only this process knows.
  static func json(_ importer: any Importer) -> JSON? {
    var form: JSONObject = ["format": .string(importer.format)]
    switch importer {
    case let pages as MarkdownFolderImporter:
      form["takesPages"] = .bool(pages.takesPages)
      form["takesTimedLines"] = .bool(pages.takesTimedLines)
    case let photos as PhotosImporter:
      form["leavesFiles"] = .bool(photos.leavesFiles)
      form["takesFileTimes"] = .bool(photos.takesFileTimes)
    case let mapped as any MappedImporter:
      form["profiles"] = .array(mapped.table.profiles.map(\.json))
      form["map"] = JSON(mapped.table.map)
      form["profile"] = JSON(mapped.table.profile)
    default:
      let own = ObjectIdentifier(type(of: importer))
      guard ImportJob.formats.contains(where: { ObjectIdentifier(type(of: $0)) == own }) else {
        return nil
      }
    }
    return .object(form)
  }

  static func importer(_ form: JSON) -> (any Importer)? {
    let format = form["format"]?.string
    func bool(_ key: String) -> Bool { form[key]?.bool ?? false }
    switch ImportJob.formats.first(where: { $0.format == format }) {
    case is MarkdownFolderImporter:
      return MarkdownFolderImporter(
        takesPages: bool("takesPages"), takesTimedLines: bool("takesTimedLines"))
    case is PhotosImporter:
      return PhotosImporter(
        leavesFiles: bool("leavesFiles"), takesFileTimes: bool("takesFileTimes"))
    case let mapped as any MappedImporter:
      let table = TableImporter(
        profiles: (form["profiles"]?.array ?? []).compactMap { TableProfile($0) },
        map: form["map"]?.string, profile: form["profile"]?.string)
      return mapped is TablePoints ? TablePoints(table) : table
    case let other: return other
    }
  }
}
