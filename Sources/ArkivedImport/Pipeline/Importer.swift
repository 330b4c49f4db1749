package import ArkivedCore
package import Foundation

/// A source of entries: it recognises its format and reads it into values. It never writes.
package protocol Importer: Sendable {
  /// The format's short name: `ics`, `jsonl`.
  var format: String { get }

  /// Whether a file is of this format, told from its first bytes (up to 4 KiB) before its name.
  func recognises(head: [UInt8], fileName: String) -> Bool

  /// Whether a file is of this format where its first bytes do not tell and it has to be opened; by
  /// default what `recognises(head:fileName:)` says.
  ///
  /// - Throws: `ImportRefusal` when it seems to be of this format and cannot be opened.
  func recognises(_ file: ImportFile, head: [UInt8]) throws -> Bool

  /// Whether a zip archive is of this format, told from the names in it and the beginnings of a few
  /// of its files. It is asked before `recognises(head:fileName:)`; by default no.
  func recognises(_ zip: ZipFile, fileName: String) -> Bool

  /// Returns true if everything in a zip archive of this format belongs to it, whatever it is, as what
  /// was sent in a chat does; by default false.
  func owns(_ zip: ZipFile) -> Bool

  /// Whether a file belongs to files of this format that lie near it, such as a photo in the folder
  /// beside the journal that names it. It is then not imported by itself, nor is it told about.
  ///
  /// - Parameters:
  ///   - name: the file's path below the folder that is imported.
  ///   - folders: the folders there in which files of this format lie, each with a `/` at its end,
  ///     the topmost empty.
  func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool

  /// What besides a file's bytes has a say in what it brings, as paths below the folder that it lies
  /// in: media, files beside it, a vault's settings; the empty path is the whole folder, and the list
  /// is empty where the bytes alone tell.
  ///
  /// - Returns: nil where the same files may bring something else another day; by default so. Such
  ///   files are read whenever they come.
  func surroundings(of file: ImportFile) -> [String]?

  /// What the owner asked of this importer, in words that differ where the asking does.
  var settings: String { get }

  /// Whether entries say where their files lie, so that files that were moved are other input.
  var namesPaths: Bool { get }

  /// Whether the name of a file has a say in what it brings, as where it is the day of a page: the
  /// same bytes under another name are other input then.
  func readsName(of file: ImportFile) -> Bool

  /// Whether times are parted by the days of home, and tell when and not where: what came in when
  /// another zone was home keeps its days then.
  var keepsZones: Bool { get }

  /// Whether handing in such a file is a yes to its coordinates: histories of places, which hold
  /// nothing else, calendars, whose places are those of events, and Arkived's own lines.
  var keepsPlaces: Bool { get }

  /// Reads a file from start to end and hands on every entry as it comes.
  ///
  /// - Parameters:
  ///   - file: the file; its name begins every diagnostic's place.
  ///   - context: the clock, zone and limits of this run.
  ///   - sink: takes records and diagnostics.
  /// - Throws: `ImportRefusal` when nothing of the file can be used, and what the sink throws.
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
  package var keepsPlaces: Bool { false }
  package func readsName(of file: ImportFile) -> Bool { false }
}

/// Takes what an importer reads, in order.
package protocol ImportSink: AnyObject {
  /// - Throws: whatever makes the run stop; the importer lets it pass.
  func take(_ record: ImportedRecord) throws
  func diagnose(_ diagnostic: Diagnostic)
  /// Tells how many bytes of the file were read, for showing progress; now and then is enough.
  func reach(_ offset: Int)
  /// Tells that something repeats and more may come of it once days have passed.
  func goOn()
  /// Whether nobody takes anything any more; who reads long without a record may ask, and stop.
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
  /// The name that diagnostics show: the path below what the user named.
  package let name: String

  package init(url: URL, name: String) {
    self.url = url
    self.name = name
  }

  /// The folder of the name, with a `/` at its end; empty at the top.
  package var folder: String {
    name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
  }

  /// Whether it is a zip archive, which holds all that belongs to it.
  var isZip: Bool { ((try? ZipMembers.head(of: self, count: 8)).map(ZipFile.isZip)) ?? false }
}

/// What an importer may know of its surroundings.
package struct ImportContext: Sendable {
  package let now: Instant
  /// The zone of times that name none.
  package var homeZone: Zone { zones.home }
  /// The home zone, and those that were home when entries of the format came in.
  package let zones: HomeZones
  package let identities: any IdentitySource
  /// Recurring events are expanded from this day on; all of them when nil.
  package let firstDay: DayKey?
  /// Recurring events are expanded up to this many days after `now`.
  package let daysAhead: Int
  /// The link through which calendars come; nil where files are imported.
  package let linkID: UUID?
  /// No recurring event yields more occurrences than this.
  package let occurrenceLimit: Int
  /// Expanding one event never takes longer than this.
  package let expansionSeconds: Double
  /// A private folder of this run, for what has to be unpacked. The job removes it when the run is
  /// over and not before, since records may be taken later than they are read.
  package let scratchFolder: @Sendable () throws -> URL
  /// All files of the run, for importers whose entries consist of several; empty where that is not
  /// known.
  package let files: [ImportFile]
  /// Whether most of what came in of the format before has the home zone.
  package let cameInAtHome: Bool
  /// What places are called; nil where nobody can tell.
  package let placeNames: PlaceNames?
  /// What was told of the run as a whole.
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

/// One entry as a source tells it.
package struct ImportedRecord: Sendable {
  package enum Value: Sendable {
    case activity(Activity)
    /// A meeting as its calendar tells it, with the entry by which it shows on its day.
    case event(MeetingEntry)
    case day(DayEntry)
    case person(Person)
    case tag(Tag)
    case metric(DayMetric)
    /// A file or link of an entry; its content, if any, lies at `file`.
    case attachment(Attachment, owner: AttachmentOwner, file: URL?)
    case history(HistoryRecord)
    case tombstone(Tombstone)
    /// One of the goals side: a goal, a value, a term, the lifetime, or a relation of these.
    case goalSide(any RecordedEntity)
    /// A row of another program that is kept as it is and becomes no entity here.
    case interchange(InterchangeRow)
  }

  package var value: Value
  /// Whether the source gave the entry's `id`, so that the identity in the value is not fresh.
  package var hasOwnIdentity: Bool
  /// Whether the source says when it last changed the entry (`updatedAt`).
  package var hasOwnVersion: Bool
  /// Where the entry stands in its source: `life.jsonl:7`.
  package var place: String
  /// Whether names without an identity are to be linked with people, who are made where missing.
  package var linksPeople: Bool
  /// Whether a first name means the one person who has it, as in a line that its owner typed.
  package var allowsFirstNames = false
  /// The folder in which the paths of the entry's attachments start.
  package var attachmentsFolder: URL?
  /// The row it was read from, kept so that it can be written back as it was.
  package var original: InterchangeRow?
  /// Whether the archive that it comes from told it as edited by its owner, so that further imports
  /// leave it alone.
  package var isEditedHere = false

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
