import ArkivedCore
import Foundation

/// A photo or video to import.
struct PhotoFile: Hashable, Sendable {
  let url: URL
  /// The name in diagnostics.
  let name: String
  /// The original file name.
  let fileName: String
  /// The folder searched for sidecar files.
  let folder: String

  /// The base folder of attachment paths, because the files may come from several places.
  static let root = URL(fileURLWithPath: "/")

  /// The path below that folder.
  var path: String { String(url.standardizedFileURL.path.drop { $0 == "/" }) }
}

/// The photos and videos of a run, with their sidecar files.
struct PhotoFiles {
  private(set) var files: [PhotoFile] = []
  /// The sidecar files by folder and lower-case name.
  private var carsByFolder: [String: [String: URL]] = [:]
  private var carNames: [String: PhotoSideCarNames] = [:]
  /// The files that share a folder and lower-case stem, such as the two of a Live Photo.
  private var stems: [String: [PhotoFile]] = [:]

  /// Collects the files of a folder, or a single file, with their neighbours.
  init(_ given: [ImportFile]) {
    files = given.map { file in
      PhotoFile(
        url: file.url, name: file.name, fileName: file.url.lastPathComponent,
        folder: file.url.deletingLastPathComponent().path)
    }
    for folder in Set(files.map(\.folder)) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names where PhotoSideCar.isName(name) {
        carsByFolder[folder, default: [:]][name.lowercased()] =
          URL(fileURLWithPath: folder).appendingPathComponent(name)
      }
    }
    gather()
  }

  /// Unpacks a zip archive's contents under generated names.
  ///
  /// - Throws: `ImportRefusal` if there is not enough space, and any error from writing.
  init(
    unpacking zip: ZipFile, named archive: String, into scratch: URL, tell: (Diagnostic) -> Void
  ) throws {
    var targets: [Int: URL] = [:]
    var needed: Int64 = 0
    let wanted = zip.entries.filter { entry in
      guard !entry.isHidden else { return false }
      return PhotosImporter.isMediaName(entry.fileName) || PhotoSideCar.isName(entry.fileName)
    }
    for entry in wanted {
      let ending = entry.fileName.split(separator: ".").last.map { $0.lowercased() } ?? ""
      let isPlain = ending.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
      }
      targets[entry.index] = scratch.appendingPathComponent(
        "\(entry.index)" + (isPlain && !ending.isEmpty ? ".\(ending.prefix(8))" : ""))
      needed = needed.addingReportingOverflow(max(0, entry.size ?? 0)).partialValue
    }
    let system = try FileManager.default.attributesOfFileSystem(forPath: scratch.path)
    let room = max(
      0, ((system[.systemFreeSize] as? NSNumber)?.int64Value ?? 0) - PhotosImporter.reserve)
    guard needed <= room else {
      throw ImportRefusal(
        place: archive,
        message: "not enough space to unpack it: needs \(ZipFailure.size(needed)), "
          + "\(ZipFailure.size(room)) free in \(scratch.path). Free up space, set TMPDIR to a "
          + "folder on a larger disk, or unpack it yourself and import the folder")
    }
    let failures = try zip.unpack(
      targets, sizeLimit: PhotosImporter.sizeLimit,
      totalLimit: min(room, try ZipMembers.room(for: zip, in: scratch)))
    for entry in wanted {
      guard let url = targets[entry.index] else { continue }
      if let failure = failures[entry.index] {
        tell(
          Diagnostic(
            .skipped, place: "\(archive)/\(entry.name)", message: "skipped: \(failure)",
            mayPass: true))
        continue
      }
      guard !PhotoSideCar.isName(entry.fileName) else {
        carsByFolder[entry.folder, default: [:]][entry.fileName.lowercased()] = url
        continue
      }
      files.append(
        PhotoFile(
          url: url, name: "\(archive)/\(entry.name)", fileName: entry.fileName,
          folder: entry.folder))
    }
    gather()
  }

  private mutating func gather() {
    carNames = carsByFolder.mapValues { PhotoSideCarNames($0.keys) }
    for file in files { stems[Self.stem(file), default: []].append(file) }
  }

  /// Returns the folder and the name without its extension; an iPhone's edited photo, `IMG_E1234`,
  /// has the name of its original.
  private static func stem(_ file: PhotoFile) -> String {
    let name = file.fileName.lowercased()
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    return file.folder + "\0" + (stem.hasPrefix("img_e") ? "img_" + stem.dropFirst(5) : stem)
  }

  /// Returns the other files of the same name: the photo of a Live Photo's video, the original of
  /// an edited photo.
  func companions(of file: PhotoFile) -> [PhotoFile] {
    (stems[Self.stem(file)] ?? []).filter { $0 != file }
  }

  /// Returns the contents of a file's sidecar files, with Takeout's first.
  func sideCars(of file: PhotoFile) -> [PhotoSideCar] {
    guard let urls = carsByFolder[file.folder], let names = carNames[file.folder] else { return [] }
    var found: [PhotoSideCar] = []
    if let name = PhotoSideCar.takeoutName(of: file.fileName, among: names),
      let content = urls[name].flatMap(Self.content), let car = PhotoSideCar(takeout: content)
    {
      found.append(car)
    }
    let own = file.fileName.lowercased()
    let stem = own.lastIndex(of: ".").map { String(own[..<$0]) } ?? own
    for name in ["\(own).xmp", "\(stem).xmp"] {
      guard let content = urls[name].flatMap(Self.content),
        let car = PhotoSideCar(packet: String(decoding: content, as: UTF8.self))
      else { continue }
      found.append(car)
    }
    return found
  }

  private static func content(_ url: URL) -> Data? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    // A link could point anywhere.
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let size = (attributes?[.size] as? NSNumber)?.intValue, size <= PhotoSideCar.lengthLimit
    else { return nil }
    return try? Data(contentsOf: url)
  }
}
