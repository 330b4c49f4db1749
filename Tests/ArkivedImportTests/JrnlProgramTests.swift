import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// The real jrnl, where it is installed: version 2.8 to 4.
enum JrnlProgram {
  static let url: URL? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").lazy
      .map { URL(filePath: String($0)).appending(path: "jrnl") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  /// Runs it with a configuration of its own in a folder and returns what it prints.
  static func run(_ arguments: [String], in folder: TemporaryFolder) throws -> Data {
    let program = try #require(url)
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = folder.url.path
    environment["XDG_CONFIG_HOME"] = folder.url.appending(path: "config").path
    environment["XDG_DATA_HOME"] = folder.url.appending(path: "data").path
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return data
  }

  /// A folder in which jrnl keeps its journal at `journal` with the given settings.
  static func folder(journal: String, timeformat: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let said = String(decoding: try run(["--version"], in: folder), as: UTF8.self)
    let version = try #require(
      said.split(whereSeparator: { !$0.isNumber && $0 != "." }).first { $0.contains(".") })
    _ = try folder.file(
      "config/jrnl/jrnl.yaml",
      """
      colors: {body: none, date: none, tags: none, title: none}
      default_hour: 9
      default_minute: 0
      editor: ''
      encrypt: false
      highlight: true
      indent_character: '|'
      journals:
        default: \(folder.url.path)/\(journal)
      linewrap: 79
      tagsymbols: '#@'
      template: false
      timeformat: '\(timeformat)'
      version: v\(version)
      """)
    return folder
  }
}

@Suite(.enabled(if: JrnlProgram.url != nil, "jrnl is not installed"))
struct JrnlProgramTests {
  private static let words = [
    "walked", "with", "@Sam", "to", "#bread", "3.5 kg", "It rained!", "good?", "Yes…", "“quoted.”",
    "(brackets.)", "café", "今日は寒い。明日も", "🎉", "@work/project", "Dr. Smith", "foo@bar.com",
    "*emph*", "**bold**", "*", "_under_", "[link](a.jpg)", "# heading", "e.g.",
  ]

  /// 400 entries made by rule, as a text that jrnl imports.
  private static let seed: String = {
    var state: UInt64 = 11
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    func phrase(_ count: Int) -> String {
      (0..<count).map { _ in words[next(words.count)] }.joined(separator: " ")
    }
    var wall = WallTime(day: DayKey(clamping: 16_000), secondOfDay: 30_000)
    return (0..<400).map { _ in
      wall = wall.adding(seconds: [0, 0, 60, 3_660, 90_000][next(5)])
      var text = "[\(wall.day) \(wall.clockText)] x\(phrase(1 + next(9)))"
      if next(10) == 0 { text += " *" }
      for _ in 0..<[0, 0, 1, 2, 5][next(5)] {
        text += "\n" + ["", "- ", "[x] ", "    "][next(4)] + phrase(1 + next(20))
      }
      return text + "\n"
    }.joined(separator: "\n")
  }()

  @Test(arguments: [
    ("journal.txt", "%Y-%m-%d %H:%M"), ("journal.txt", "%F %r"), ("journal.txt", "%d.%m.%Y %H:%M"),
    ("journal.txt", "%m/%d/%y %I:%M %p"), ("journal.txt", "%A, %d %B %Y %H:%M"),
    ("journal.txt", "%c"), ("journal.txt", "%Y-%m-%dT%H:%M:%S"), ("life/", "%Y-%m-%d %H:%M"),
  ])
  func everyEntryIsAsJrnlItselfReadsIt(journal: String, timeformat: String) throws {
    let folder = try JrnlProgram.folder(journal: journal, timeformat: timeformat)
    if journal.hasSuffix("/") {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: journal), withIntermediateDirectories: true)
    }
    let seed = try folder.file("seed.txt", Self.seed)
    _ = try JrnlProgram.run(["--import", "--file", seed.path], in: folder)
    let export = try JrnlProgram.run(["--export", "json"], in: folder)
    let context = try JrnlReading.context()
    let json = try JrnlReading.read(
      try folder.file("export.json", export), name: "export.json", context: context)
    #expect(json.activities.count == 400)
    let text = RecordedImport()
    let root = folder.url.appending(path: journal)
    let names = journal.hasSuffix("/") ? try Self.files(below: root) : [""]
    for name in names {
      let url = name.isEmpty ? root : root.appending(path: name)
      try JrnlImporter().read(
        ImportFile(url: url, name: name.isEmpty ? journal : name), context: context, into: text)
    }
    #expect(text.titles.map(Self.plain) == json.titles.map(Self.plain))
    #expect(text.activities.map(\.isPinned) == json.activities.map(\.isPinned))
    #expect(
      text.activities.map { Set($0.tags.map(NameFolding.key)) }
        == json.activities.map { Set($0.tags.map(NameFolding.key)) })
    #expect(text.identifiers == json.identifiers)
    #expect(text.hashes == json.hashes)
  }

  private static func plain(_ title: String) -> String {
    title.trimmingCharacters(in: CharacterSet(charactersIn: "* "))
  }

  private static func files(below root: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".txt") }
      .sorted()
  }
}
