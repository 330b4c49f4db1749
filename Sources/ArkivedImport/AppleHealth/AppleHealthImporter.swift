import ArkivedCore
import Foundation

/// Imports an Apple Health export: the zip archive that the iPhone writes, the folder it unpacks
/// to, or its main XML file alone.
///
/// That file is named in the phone's language (`export.xml`, `Exportación.xml`); it is recognised
/// by its root element, `HealthData`.
///
/// Source of the format: the document type at the start of the file, which lists every element and
/// attribute, and other programs that read such files and describe its releases.
package struct AppleHealthImporter: Importer {
  package let format = "applehealth"

  package init() {}

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool { Self.isHealth(head) }

  package func recognises(_ zip: ZipFile, fileName: String) -> Bool {
    if Self.main(in: zip) != nil { return true }
    // An archive that can't be opened is recognised by its folder, so the import can report what is
    // wrong with it.
    return Self.candidates(in: zip).contains { $0.folder.hasSuffix("apple_health_export/") }
  }

  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let parts = name.split(separator: "/")
    guard let last = parts.last?.lowercased() else { return false }
    func isIn(_ up: Int) -> Bool { folders.contains(parts.dropLast(up).map { $0 + "/" }.joined()) }
    if last.hasSuffix("_cda.xml") { return isIn(1) }
    guard parts.count >= 2 else { return false }
    return HealthArchive.clinicalFolders.union(["workout-routes", "electrocardiograms"])
      .contains(String(parts[parts.count - 2])) && isIn(2)
  }

  /// Returns true if a file begins like Health's main XML file, with its document type or its root
  /// element.
  static func isHealth(_ head: [UInt8]) -> Bool {
    guard
      head.drop(while: { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }).first
        == UInt8(ascii: "<")
    else { return false }
    return ["<!DOCTYPE HealthData", "<HealthData"].contains {
      head.firstRange(of: Array($0.utf8)) != nil
    }
  }

  static func candidates(in zip: ZipFile) -> [ZipFile.Entry] {
    let files = zip.entries.filter { entry in
      entry.name.lowercased().hasSuffix(".xml") && !entry.isHidden
        && entry.name.count(where: { $0 == "/" }) <= 2
    }
    return Array(files.prefix(50))
  }

  /// Returns the main XML file of an archive, or nil if there is none.
  static func main(in zip: ZipFile) -> ZipFile.Entry? {
    let candidates = candidates(in: zip)
    let heads = zip.heads(of: candidates)
    return candidates.first { heads[$0.index].map(isHealth) ?? false }
  }

  // MARK: Reading

  /// Returns the base folder, which contains the routes and electrocardiograms next to the main
  /// file.
  package func surroundings(of file: ImportFile) -> [String]? { file.isZip ? [] : [""] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let handle = try FileHandle(forReadingFrom: file.url)
    let head = [UInt8](try handle.read(upToCount: 8) ?? Data())
    try handle.close()
    do {
      if ZipFile.isZip(head) {
        try HealthArchive(file, context: context, sink: sink).read()
      } else {
        try HealthFolder(file, context: context, sink: sink).read()
      }
    } catch let failure as ZipFailure {
      throw ImportRefusal(place: file.name, message: "the zip archive can’t be read: \(failure)")
    } catch let failure as XMLStream.Unreasonable {
      throw ImportRefusal(
        place: file.name, message: "this isn’t an Apple Health export: \(failure.description)")
    }
  }

  /// An error that stops reading a file whose remaining contents aren't needed.
  struct Abandoned: Error {}

  static func refusal(_ place: String) -> ImportRefusal {
    ImportRefusal(
      place: place,
      message:
        "it contains no Apple Health data. On your iPhone, open Health, tap your picture, then "
        + "“Export All Health Data”")
  }
}
