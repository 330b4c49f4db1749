import ArkivedCore
import Foundation

/// Imports Loop Habit Tracker: its own backup (`LoopBackup`), and its CSV export.
///
/// Both produce the same entries.
///
/// The CSV export is a zip archive with `Habits.csv` and a folder for each habit (`001 Wake up
/// early/Checkmarks.csv`), or the folder that it unpacks to. Each habit done on a day becomes an
/// activity on that day.
///
/// Source of the format: the program's own exporter. A yes is written `YES_MANUAL`, or `2` before
/// 2022, when the marks had no header row and the list of habits did not say which of them are
/// counted. An amount is written in thousandths. Days that Loop itself fills in (`YES_AUTO`) and
/// no, skipped and unknown days don't count as done.
package struct LoopImporter: Importer {
  package let format = "loop"
  /// The size limit in bytes, far larger than these small lists.
  private static let sizeLimit: Int64 = 256 << 20
  private static let magic = Array("SQLite format 3\0".utf8)

  private let source: (any TableSource)?

  /// - Parameter source: opens backups; if it is nil, no backups are read.
  package init(source: (any TableSource)? = nil) { self.source = source }

  // MARK: Recognising

  private static let habitsFile = "Habits.csv"
  private static let marksFile = "Checkmarks.csv"

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    fileName.split(separator: "/").last == Substring(Self.habitsFile) && Self.isHabits(head)
  }

  package func recognises(_ file: ImportFile, head: [UInt8]) throws -> Bool {
    guard let source, head.starts(with: Self.magic) else {
      return recognises(head: head, fileName: file.name)
    }
    let size = try FileManager.default.attributesOfItem(atPath: file.url.path)[.size]
    guard let size = (size as? NSNumber)?.int64Value, size <= Self.sizeLimit else { return false }
    let folder = try ScratchFolders.make()
    defer { ScratchFolders.remove(folder) }
    return LoopBackup.areTheirs(try source.open(file.url, copyIn: folder).tables())
  }

  package func recognises(_ zip: ZipFile, fileName: String) -> Bool {
    guard let habits = Self.habits(in: zip),
      zip.entries.contains(where: { $0.fileName == Self.marksFile })
    else { return false }
    return zip.heads(of: [habits])[habits.index].map(Self.isHabits) ?? false
  }

  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let parts = name.split(separator: "/")
    guard let last = parts.last, last == Substring(Self.marksFile) || last == "Scores.csv" else {
      return false
    }
    return (1...2).contains { up in
      parts.count >= up && folders.contains(parts.dropLast(up).map { $0 + "/" }.joined())
    }
  }

  /// Returns true if a file is named like a part of Loop's export that means nothing without the
  /// habits' names.
  static func isPart(_ name: String) -> Bool {
    let last = name.split(separator: "/").last ?? ""
    return last == marksFile || last == "Scores.csv"
  }

  private static func isHabits(_ head: [UInt8]) -> Bool {
    let columns = CSVTable.columns(ofHead: head)
    return columns.isSuperset(of: ["position", "name"])
      && !columns.isDisjoint(with: ["question", "numrepetitions"])
  }

  private static func habits(in zip: ZipFile) -> ZipFile.Entry? {
    zip.entries.first { $0.fileName == habitsFile && !$0.isHidden }
  }

  // MARK: Reading

  /// Returns the paths of the habits' marks, each in a folder next to the list.
  package func surroundings(of file: ImportFile) -> [String]? {
    let head = (try? ZipMembers.head(of: file, count: 16)) ?? []
    return file.isZip || head == Self.magic ? [] : [""]
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    var reader = LoopHabits(context: context)
    if let source, try ZipMembers.head(of: file, count: 16) == Self.magic {
      return try reader.readBackup(
        try source.open(file.url, copyIn: try context.scratchFolder()), named: file.name,
        into: sink)
    }
    let lists = try lists(file, context, sink)
    try reader.readHabits(lists.habits)
    guard !lists.marks.isEmpty else {
      throw ImportRefusal(
        place: file.name,
        message:
          "no habit folder with a Checkmarks.csv was found next to this file. Import Loop’s zip archive or the "
          + "folder it unpacks to")
    }
    for marks in lists.marks { try reader.readMarks(marks, into: sink) }
  }

  private typealias Lists = (habits: ImportFile, marks: [ImportFile])

  private func lists(
    _ file: ImportFile, _ context: ImportContext, _ sink: any ImportSink
  ) throws -> Lists {
    let handle = try FileHandle(forReadingFrom: file.url)
    let head = [UInt8](try handle.read(upToCount: 8) ?? Data())
    try handle.close()
    guard ZipFile.isZip(head) else { return (file, try beside(file)) }
    do {
      let zip = try ZipFile(file.url)
      ZipMembers.tellDamage(of: zip, in: file, into: sink)
      return try unpacked(zip, file, context)
    } catch let failure as ZipFailure {
      throw ImportRefusal(place: file.name, message: "it can’t be read: \(failure)")
    }
  }

  /// Returns the files of marks in the folders next to a list of habits.
  private func beside(_ file: ImportFile) throws -> [ImportFile] {
    let folder = file.url.deletingLastPathComponent()
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().compactMap {
      let url = folder.appendingPathComponent($0).appendingPathComponent(Self.marksFile)
      guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true,
        (try? url.resourceValues(forKeys: [.isSymbolicLinkKey]))?.isSymbolicLink != true
      else { return nil }
      return ImportFile(url: url, name: "\(file.folder)\($0)/\(Self.marksFile)")
    }
  }

  private func unpacked(
    _ zip: ZipFile, _ file: ImportFile, _ context: ImportContext
  ) throws -> Lists {
    guard let habits = Self.habits(in: zip) else {
      throw ZipFailure.damaged("the file Habits.csv is missing")
    }
    let marks = zip.entries.filter {
      $0.fileName == Self.marksFile && !$0.isHidden && $0.folder != habits.folder
        && $0.folder.hasPrefix(habits.folder)
    }
    let scratch = try context.scratchFolder()
    var targets: [Int: URL] = [:]
    for entry in [habits] + marks {
      targets[entry.index] = scratch.appendingPathComponent("\(entry.index).csv")
    }
    let failures = try zip.unpack(
      targets, sizeLimit: Self.sizeLimit, totalLimit: Self.sizeLimit)
    if let failure = failures.min(by: { $0.key < $1.key })?.value { throw failure }
    func part(_ entry: ZipFile.Entry) -> ImportFile? {
      targets[entry.index].map { ImportFile(url: $0, name: "\(file.name)/\(entry.name)") }
    }
    guard let list = part(habits) else {
      throw ZipFailure.damaged("the file Habits.csv is missing")
    }
    return (list, marks.compactMap(part))
  }
}
