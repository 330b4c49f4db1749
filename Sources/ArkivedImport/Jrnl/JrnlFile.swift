import ArkivedCore
import Foundation

/// The information in a journal file's name and path.
struct JrnlFile {
  /// The day of a folder journal's file, `YYYY/MM/DD.txt`.
  let pathDay: DayKey?
  /// The day at the start of the name of a single entry's export: `2016-05-07_a-title.txt`.
  let nameDay: DayKey?
  /// The folder of the files to which entries point, never above the one that the owner selected.
  let folder: URL
  /// True if the name marks the file as a journal.
  let isNamedJournal: Bool

  init(_ file: ImportFile) {
    let path = file.url.pathComponents
    pathDay = Self.day(of: path)
    nameDay = DayKey(String((path.last ?? "").prefix(10)))
    isNamedJournal = Self.isNamedJournal(file.name)
    var folder = file.url.deletingLastPathComponent()
    if pathDay != nil {
      let named = file.name.split(separator: "/").count
      for _ in 1..<max(min(named, 3), 1) { folder.deleteLastPathComponent() }
    }
    self.folder = folder
  }

  private static func day(of path: [String]) -> DayKey? {
    guard path.count >= 3 else { return nil }
    let (year, month, name) = (path[path.count - 3], path[path.count - 2], path[path.count - 1])
    guard year.utf8.count == 4, month.utf8.count == 2, name.utf8.count == 6,
      name.hasSuffix(".txt")
    else { return nil }
    return DayKey("\(year)-\(month)-\(name.prefix(2))")
  }

  /// Returns true if a relative path is the end of a day file's path, such as `05/07.txt`.
  static func isDayPath(_ name: String) -> Bool {
    let parts = name.split(separator: "/")
    return parts.count >= 3 && day(of: parts.map(String.init)) != nil
  }

  static func isNamedJournal(_ name: String) -> Bool {
    let last = (name.split(separator: "/").last ?? "").lowercased()
    guard !last.hasSuffix(".log") else { return false }
    return last.contains("journal") || last.contains("jrnl")
  }

  static func isNamedText(_ name: String) -> Bool {
    let name = name.lowercased()
    return [".txt", ".text", ".jrnl"].contains { name.hasSuffix($0) } || isNamedJournal(name)
  }
}
