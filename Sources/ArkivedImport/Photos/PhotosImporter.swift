import ArkivedCore
import ArkivedCrypto
import Foundation

/// Imports photos and videos: a folder, a zip archive such as Google Takeout's, or single files.
///
/// Those taken together become one entry of their day (`PhotoGroup`). The contents of picture files
/// are read in a separate process (`ImageReader`).
package struct PhotosImporter: Importer {
  package let format = "photos"

  static let provider = "photos"
  /// The size limit in bytes, which is also that of attachments.
  static let sizeLimit: Int64 = 2 << 30
  /// The disk space that unpacking leaves free, in bytes.
  static let reserve: Int64 = 256 << 20

  private let reader: ImageReader
  /// True if photos stay where they are and entries only refer to them.
  package let leavesFiles: Bool
  /// True if a file without any other date is dated by its modification date.
  package let takesFileTimes: Bool

  package init(
    leavesFiles: Bool = false, reader: ImageReader = ImageReader(), takesFileTimes: Bool = false
  ) {
    self.leavesFiles = leavesFiles
    self.reader = reader
    self.takesFileTimes = takesFileTimes
  }

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    Self.isMedia(MediaType(sniffing: Data(head), fileName: fileName))
  }

  /// Recognises a zip archive as one of photos if most of its files, other than sidecars, are
  /// photos.
  package func recognises(_ zip: ZipFile, fileName: String) -> Bool {
    let names = zip.entries.lazy.filter { !$0.isHidden }.map(\.fileName)
      .filter { !PhotoSideCar.isName($0) }
    var (media, others) = (0, 0)
    for name in names {
      if Self.isMediaName(name) { media += 1 } else { others += 1 }
    }
    return media > others
  }

  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
    return folders.contains(folder) && PhotoSideCar.isName(String(name.dropFirst(folder.count)))
  }

  /// Returns true if a file is named like a photo or a video.
  package static func isMediaName(_ name: String) -> Bool {
    guard let ending = name.split(separator: ".").last?.lowercased() else { return false }
    return PhotoSideCar.endings.contains(ending)
  }

  /// Returns true if a name is that of a photo's or video's sidecar and can't be anything else.
  package static func isBesideName(_ name: String) -> Bool {
    let lower = name.lowercased()
    return PhotoSideCar.isName(name)
      && (!lower.hasSuffix(".json") || lower == "metadata.json"
        || PhotoSideCar.endings.contains { lower.contains(".\($0)") })
  }

  private static func isMedia(_ type: MediaType) -> Bool {
    ImageReader.types.contains(type.name) || type.name.hasPrefix("video/")
  }

  // MARK: Reading

  /// Returns the paths of the sidecar files that may be next to a photo.
  package func surroundings(of file: ImportFile) -> [String]? { file.isZip ? [] : [""] }

  package var settings: String {
    "\(leavesFiles ? "reference" : "")\(takesFileTimes ? " file times" : "")"
  }

  package var namesPaths: Bool { leavesFiles }

  /// Returns true unless it is a zip archive, because some photos carry their time only in the
  /// name.
  package func readsName(of file: ImportFile) -> Bool { !file.isZip }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    // Photos taken together may be in several files, so the first file imports all of them.
    let isZip = try Self.isZip(file)
    guard isZip || context.notes.isFirst("photos") else { return }
    defer { reader.rest() }
    let files: PhotoFiles
    if isZip {
      do {
        let zip = try ZipFile(file.url)
        let scratch = try context.scratchFolder().appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        files = try PhotoFiles(
          unpacking: zip, named: file.name, into: scratch, tell: sink.diagnose)
        ZipMembers.tellDamage(of: zip, in: file, into: sink)
      } catch let failure as ZipFailure {
        throw ImportRefusal(
          place: file.name, message: "the zip archive can’t be read: \(failure)")
      }
    } else {
      let given = context.files.isEmpty ? [file] : context.files
      files = PhotoFiles(try given.filter { try !Self.isZip($0) })
    }
    var reading = PhotoReading(
      files: files, context: context, sink: sink, reader: reader, leavesFiles: leavesFiles)
    reading.takesFileTimes = takesFileTimes
    try reading.run()
  }

  private static func isZip(_ file: ImportFile) throws -> Bool {
    let handle = try FileHandle(forReadingFrom: file.url)
    defer { try? handle.close() }
    return ZipFile.isZip([UInt8](try handle.read(upToCount: 64) ?? Data()))
  }
}

/// The reading of one run's photos.
private struct PhotoReading {
  let files: PhotoFiles
  let context: ImportContext
  let sink: any ImportSink
  let reader: ImageReader
  let leavesFiles: Bool
  var takesFileTimes = false
  private var names: [String: String] = [:]
  private var copies: [String] = []
  private var read: [PhotoFile: ImageMetadata] = [:]
  /// True if the current file states a time in the future.
  private var isAhead = false

  init(
    files: PhotoFiles, context: ImportContext, sink: any ImportSink, reader: ImageReader,
    leavesFiles: Bool
  ) {
    self.leavesFiles = leavesFiles
    self.files = files
    self.context = context
    self.sink = sink
    self.reader = reader
  }

  mutating func run() throws {
    var shots: [PhotoShot] = []
    var bytes = 0
    for file in files.files {
      // Getting the folder throws if the run has already ended.
      _ = try context.scratchFolder()
      if let shot = self.shot(file, &bytes) { shots.append(shot) }
      sink.reach(bytes)
    }
    if let name = copies.first {
      sink.diagnose(
        Diagnostic(
          .note, place: name,
          message: copies.count == 1
            ? "is identical to another file and was imported only once"
            : "is identical to another file (\(copies.count - 1) more like it); each was "
              + "imported only once"))
    }
    for group in PhotoGroup.groups(of: shots) {
      guard let place = group.shots.first?.file.name else { continue }
      try sink.take(
        ImportedRecord(
          .activity(group.activity(context)), place: place, attachmentsFolder: PhotoFile.root))
    }
  }

  private func tell(
    _ severity: Diagnostic.Severity, _ file: PhotoFile, _ message: String, mayPass: Bool = false
  ) {
    sink.diagnose(Diagnostic(severity, place: file.name, message: message, mayPass: mayPass))
  }

  /// Returns the known data of a file; returns nil and reports it if the file is skipped.
  private mutating func shot(_ file: PhotoFile, _ bytes: inout Int) -> PhotoShot? {
    guard !file.path.contains("\\"), !file.path.utf8.contains(0) else {
      tell(.skipped, file, "skipped: its name can’t be used. Rename it")
      return nil
    }
    let size = (try? file.url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
    guard size <= PhotosImporter.sizeLimit else {
      tell(
        .skipped, file, "skipped: it is larger than \(ZipFailure.size(PhotosImporter.sizeLimit))")
      return nil
    }
    guard size > 0, let content = try? Data(contentsOf: file.url, options: .mappedIfSafe) else {
      tell(.skipped, file, "skipped: it is empty or can’t be read", mayPass: true)
      return nil
    }
    bytes += size
    let type = MediaType(sniffing: content.prefix(4096), fileName: file.fileName)
    let isPicture = ImageReader.types.contains(type.name)
    guard isPicture || type.name.hasPrefix("video/") else {
      tell(.skipped, file, "skipped: it isn’t a photo or video that Arkived can read")
      return nil
    }
    let hash = SHA256.hash(data: content).hexadecimal
    guard names[hash] == nil else {
      copies.append(file.name)
      return nil
    }
    var metadata = isPicture ? self.metadata(file, content) : ImageMetadata()
    if type.name == "image/tiff" { metadata.complete(with: TIFFFields.read(content)) }
    var sources = files.sideCars(of: file)
    if let packet = metadata.packet.flatMap({ PhotoSideCar(packet: $0) }) { sources.append(packet) }
    let video = isPicture ? nil : VideoTime.instant(content)
    guard let taken = self.taken(file, metadata, sources, video) else {
      tell(
        .skipped, file,
        "skipped: no date was found in the file, in a file next to it, or in its name. Attach it "
          + "to a day yourself, or put the date in its name (2021-05-03)",
        mayPass: isAhead)
      return nil
    }
    names[hash] = file.name
    var shot = PhotoShot(file: file, hash: hash, size: size, type: type, taken: taken)
    shot.staysOutside = leavesFiles && stays(file)
    shot.place = metadata.place ?? sources.lazy.compactMap(\.place).first
    shot.camera = metadata.camera.map { String($0.prefix(100)) }
    shot.caption = sources.lazy.compactMap(\.caption).first ?? metadata.title
    shot.people = sources.flatMap(\.people)
    return shot
  }

  /// Returns true if a file will still exist when the run has ended.
  private func stays(_ file: PhotoFile) -> Bool {
    guard ScratchFolders.holds(file.url) else { return true }
    if context.notes.isFirst("copied photos") {
      tell(
        .note, file,
        "this and other files were copied because they came from an archive. To leave photos in "
          + "their folder, unpack the archive first")
    }
    return false
  }

  /// Returns the file's own metadata; reports the reason if there is none.
  private mutating func metadata(_ file: PhotoFile, _ content: Data) -> ImageMetadata {
    if let known = read[file] { return known }
    do throws(ImageFailure) {
      return try reader.metadata(of: content)
    } catch ImageFailure.absent {
      if context.notes.isFirst("no reader of pictures") {
        tell(
          .note, file,
          "photo metadata can’t be read: libvips isn’t installed (install libvips42). Times and "
            + "places come from files next to the photos and from their names", mayPass: true)
      }
    } catch {
      tell(.note, file, "its metadata couldn’t be read: \(error)", mayPass: true)
    }
    return ImageMetadata()
  }

  /// Returns the time it was taken from the first source that has it: the file itself, sidecars,
  /// the header of a video, the photo that belongs to a Live Photo's video, the name.
  private mutating func taken(
    _ file: PhotoFile, _ metadata: ImageMetadata, _ sources: [PhotoSideCar], _ video: Instant?
  ) -> PhotoTime? {
    let home = context.homeZone
    let told = sources.lazy.compactMap(\.instant).first
    isAhead = false
    var candidates: [PhotoTime] = []
    if let wall = metadata.takenAt {
      candidates.append(
        PhotoTime(
          wall: wall, offset: metadata.offset, utc: metadata.satelliteTime ?? told, home: home))
    }
    for source in sources {
      guard let wall = source.wall else { continue }
      candidates.append(PhotoTime(wall: wall, offset: source.offset, utc: told, home: home))
    }
    if let told { candidates.append(PhotoTime(instant: told, home: home)) }
    if let plausible = candidates.first(where: { $0.isPlausible(now: context.now) }) {
      return plausible
    }
    isAhead = candidates.contains { $0.day.year >= 1826 }
    candidates = []
    if let companion = self.companion(of: file) { candidates.append(companion) }
    if let video { candidates.append(PhotoTime(instant: video, home: home)) }
    if let named = PhotoTime(fileName: file.fileName, home: home) { candidates.append(named) }
    isAhead = isAhead || candidates.contains { $0.day.year >= 1826 }
    if takesFileTimes, let changed = fileTime(file) {
      candidates.append(PhotoTime(instant: min(changed, context.now), home: home))
    }
    return candidates.first { $0.isPlausible(now: context.now) }
  }

  private func fileTime(_ file: PhotoFile) -> Instant? {
    let values = try? file.url.resourceValues(forKeys: [.contentModificationDateKey])
    return (values?.contentModificationDate).flatMap {
      JournalEntry.instant(
        milliseconds: Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded()))
    }
  }

  /// Returns the time of the photo that belongs to a video or an edited photo.
  private mutating func companion(of file: PhotoFile) -> PhotoTime? {
    for other in files.companions(of: file) {
      guard let content = try? Data(contentsOf: other.url, options: .mappedIfSafe),
        let found = try? reader.metadata(of: content)
      else { continue }
      read[other] = found
      let sources = files.sideCars(of: other)
      let told = sources.lazy.compactMap(\.instant).first
      if let wall = found.takenAt {
        return PhotoTime(
          wall: wall, offset: found.offset, utc: found.satelliteTime ?? told,
          home: context.homeZone)
      }
      if let told { return PhotoTime(instant: told, home: context.homeZone) }
    }
    return nil
  }
}
