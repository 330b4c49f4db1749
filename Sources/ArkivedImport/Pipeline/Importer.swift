package import ArkivedCore
package import Foundation

/// A source of entries that recognises its format and reads it into values; it never writes.
package protocol Importer: Sendable {
  /// The format's short name, such as `ics` or `jsonl`.
  var format: String { get }

  /// Returns true if a file has this format, judged by its first bytes (up to 4 KiB) before its
  /// name.
  func recognises(head: [UInt8], fileName: String) -> Bool

  /// Returns true if a file has this format if its first bytes don't decide and it must be opened;
  /// the default calls `recognises(head:fileName:)`.
  ///
  /// - Throws: `ImportRefusal` if it seems to have this format but can't be opened.
  func recognises(_ file: ImportFile, head: [UInt8]) throws -> Bool

  /// Returns true if a zip archive has this format, judged by its names and the beginnings of a few
  /// of its files.
  ///
  /// It is called before `recognises(head:fileName:)`; the default returns false.
  func recognises(_ zip: ZipFile, fileName: String) -> Bool

  /// Returns true if everything in a zip archive of this format belongs to it, regardless of its
  /// type, such as files sent in a chat; the default is false.
  func owns(_ zip: ZipFile) -> Bool

  /// Returns true if a file belongs to nearby files of this format, such as a photo in the folder
  /// next to the journal that refers to it.
  ///
  /// Such a file isn't imported by itself, and isn't reported either.
  ///
  /// - Parameters:
  ///   - name: the file's path below the imported folder.
  ///   - folders: the subfolders that contain files of this format, each with a trailing `/`; the
  ///     top level is empty.
  /// - Returns: true if it does.
  func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool

  /// Returns what affects a file's import besides its bytes, as paths below its folder: media,
  /// neighbouring files, a vault's settings.
  ///
  /// The empty path is the whole folder, and the list is empty if the bytes alone decide.
  ///
  /// - Returns: nil if the same files may produce a different result another day, which is the
  ///   default. Such files are read every time.
  func surroundings(of file: ImportFile) -> [String]?

  /// The owner's settings for this importer, as text that changes when they do.
  var settings: String { get }

  /// True if entries include the paths of their files, which makes moved files different input.
  var namesPaths: Bool { get }

  /// Returns true if a file's name affects its import, for example because it is the day of a page;
  /// the same bytes under another name are then different input.
  func readsName(of file: ImportFile) -> Bool

  /// True if records are split by days at home and have times without places; records imported
  /// while another zone was home then keep its days.
  var keepsZones: Bool { get }

  /// True if times may also have an offset; a zone that stands for one was not the home zone.
  var recordsOffsets: Bool { get }

  /// True if importing such a file implies consent to its coordinates.
  ///
  /// That is the case for location histories, which contain nothing else, calendars, whose places
  /// are those of events, and Arkived's own lines.
  var keepsPlaces: Bool { get }

  /// Reads a file from start to end and passes on every entry as it is read.
  ///
  /// - Parameters:
  ///   - file: the file; its name begins every diagnostic's place.
  ///   - context: the clock, zone and limits of this run.
  ///   - sink: takes records and diagnostics.
  /// - Throws: `ImportRefusal` if nothing in the file can be used, and any error that the sink
  ///   throws.
  func read(_ file: ImportFile, context: ImportContext, into sink: any ImportSink) throws
}

extension Importer {
  package func recognises(_ file: ImportFile, head: [UInt8]) throws -> Bool {
    recognises(head: head, fileName: file.name)
  }
  package func recognises(_ zip: ZipFile, fileName: String) -> Bool { false }
  package func owns(_ zip: ZipFile) -> Bool { false }
  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool { false }
  package func surroundings(of file: ImportFile) -> [String]? { nil }
  package var settings: String { "" }
  package var namesPaths: Bool { false }
  package var keepsZones: Bool { false }
  package var recordsOffsets: Bool { false }
  package var keepsPlaces: Bool { false }
  package func readsName(of file: ImportFile) -> Bool { false }
}

/// A receiver of an importer's results, in order.
package protocol ImportSink: AnyObject {
  /// Takes a record.
  ///
  /// - Throws: Any error that should stop the run; the importer passes it on.
  func take(_ record: ImportedRecord) throws
  func diagnose(_ diagnostic: Diagnostic)
  /// Reports the number of bytes read from the file, for progress; occasional calls suffice.
  func reach(_ offset: Int)
  /// Reports that something recurs and may produce more as days pass.
  func goOn()
  /// True if nobody takes results any more; importers that read for long without a record may check
  /// it and stop.
  var isOver: Bool { get }
}

extension ImportSink {
  package func reach(_ offset: Int) {}
  package func goOn() {}
  package var isOver: Bool { false }
}

/// A file to import.
package struct ImportFile: Sendable {
  package let url: URL
  /// The name in diagnostics: the path below the file or folder that the user selected.
  package let name: String

  package init(url: URL, name: String) {
    self.url = url
    self.name = name
  }

  /// The folder of the name, with a trailing `/`; empty at the top level.
  package var folder: String {
    name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
  }

  /// True for a zip archive, which contains everything that belongs to it.
  var isZip: Bool { ((try? ZipMembers.head(of: self, count: 8)).map(ZipFile.isZip)) ?? false }
}

/// The information about a run that is available to an importer.
package struct ImportContext: Sendable {
  package let now: Instant
  /// The zone of times without a zone.
  package var homeZone: Zone { zones.home }
  /// The home zone, and those that were home when entries of the format were imported.
  package let zones: HomeZones
  package let identities: any IdentitySource
  /// The first day from which recurring events are expanded; nil for no limit.
  package let firstDay: DayKey?
  /// The number of days after `now` up to which recurring events are expanded.
  package let daysAhead: Int
  /// The link that provides the calendars; nil for imported files.
  package let linkID: UUID?
  /// The maximum number of occurrences of a recurring event.
  package let occurrenceLimit: Int
  /// The time limit in seconds for expanding an event.
  package let expansionSeconds: Double
  /// Returns a private folder of this run for unpacked files.
  ///
  /// The job removes it only when the run is over, because records may be taken later than they are
  /// read.
  package let scratchFolder: @Sendable () throws -> URL
  /// All files of the run, for importers whose entries consist of several; empty if unknown.
  package let files: [ImportFile]
  /// True if most entries imported from this format earlier have the home zone.
  package let cameInAtHome: Bool
  /// The names of places; nil if unavailable.
  package let placeNames: PlaceNames?
  /// The messages about the run as a whole.
  package let notes = RunNotes()

  package init(
    now: Instant, homeZone: Zone, identities: any IdentitySource, linkID: UUID? = nil,
    firstDay: DayKey? = nil, daysAhead: Int = 366,
    occurrenceLimit: Int = 10_000, expansionSeconds: Double = 2, files: [ImportFile] = [],
    placeNames: PlaceNames? = nil, formerZones: [HomeZones.Span] = [],
    cameInAtHome: Bool = false,
    scratchFolder: @escaping @Sendable () throws -> URL = ScratchFolders.make
  ) {
    self.now = now
    zones = HomeZones(home: homeZone, spans: formerZones)
    self.cameInAtHome = cameInAtHome
    self.identities = identities
    self.linkID = linkID
    self.firstDay = firstDay
    self.daysAhead = daysAhead
    self.occurrenceLimit = occurrenceLimit
    self.expansionSeconds = expansionSeconds
    self.files = files
    self.placeNames = placeNames
    self.scratchFolder = scratchFolder
  }
}

/// An entry as its source describes it.
package struct ImportedRecord: Sendable {
  package enum Value: Sendable {
    case activity(Activity)
    /// A meeting as its calendar describes it, with the entry that represents it on its day.
    case event(MeetingEntry)
    case day(DayEntry)
    case person(Person)
    case tag(Tag)
    case metric(DayMetric)
    /// A file or link of an entry, with any content at `file`.
    case attachment(Attachment, owner: AttachmentOwner, file: URL?)
    case history(HistoryRecord)
    case tombstone(Tombstone)
    /// An entity related to goals: a goal, a value, a term, the lifetime, or a relation between
    /// these.
    case goalSide(any RecordedEntity)
    /// Another program's row that is stored unchanged and doesn't become an entity.
    case interchange(InterchangeRow)
  }

  package var value: Value
  /// True if the source provided the entry's `id`, so the value's ID isn't new.
  package var hasOwnIdentity: Bool
  /// True if the source states when it last changed the entry (`updatedAt`).
  package var hasOwnVersion: Bool
  /// The entry's place in its source: `life.jsonl:7`.
  package var place: String
  /// True if names without an ID are linked with people, who are created if missing.
  package var linksPeople: Bool
  /// True if a first name refers to the only person who has it, as in a line that the owner typed.
  package var allowsFirstNames = false
  /// The base folder of the entry's attachment paths.
  package var attachmentsFolder: URL?
  /// The original row, kept for exporting it unchanged.
  package var original: InterchangeRow?
  /// True if the source archive marks it as edited by its owner, so further imports don't change
  /// it.
  package var isEditedHere = false
  /// The last moment of the source if it may have only the beginning of what it describes, as an
  /// export made in the course of a day does; what is known of later moments is then kept.
  package var coveredUntil: Instant?

  package init(
    _ value: Value, hasOwnIdentity: Bool = false, hasOwnVersion: Bool = false, place: String,
    linksPeople: Bool = true, attachmentsFolder: URL? = nil, original: InterchangeRow? = nil
  ) {
    self.value = value
    self.hasOwnIdentity = hasOwnIdentity
    self.hasOwnVersion = hasOwnVersion
    self.place = place
    self.linksPeople = linksPeople
    self.attachmentsFolder = attachmentsFolder
    self.original = original
  }
}
