import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Counts what comes, and keeps nothing.
private final class CountingSink: ImportSink {
  private(set) var count = 0
  private(set) var identifiers: Set<Int> = []
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var longest = 0

  func take(_ record: ImportedRecord) {
    guard case .activity(let activity) = record.value else { return }
    count += 1
    longest = max(longest, activity.notes?.utf8.count ?? 0)
    for ref in activity.externalRefs { identifiers.insert(ref.externalID.hashValue) }
  }

  func diagnose(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }
}

@Suite struct JrnlLargeTests {
  private func read(_ content: Data, name: String) throws -> CountingSink {
    let folder = try TemporaryFolder()
    let sink = CountingSink()
    try JrnlImporter().read(
      ImportFile(url: try folder.file(name, content), name: name),
      context: try JrnlReading.context(), into: sink)
    return sink
  }

  @Test func aBodyOfTenMegabytesComesInWhole() throws {
    let body = String(repeating: "A line of é and words.\n", count: 450_000)
    let size = body.utf8.count - 1
    #expect(size > 10_000_000)
    let text = try read(Data("[2016-05-07 09:30] T\n\(body)".utf8), name: "journal.txt")
    #expect(text.longest == size && text.count == 1)
    let escaped = body.replacingOccurrences(of: "\n", with: "\\n")
    let json = try read(
      Data(
        """
        {"tags": {}, "entries": [{"title": "T", "body": "\(escaped)", "date": "2016-05-07",
        "time": "09:30"}]}
        """.utf8), name: "j.json")
    #expect(json.longest == size && json.identifiers == text.identifiers)
  }

  @Test func aTitleOfAMegabyteComesInWhole() throws {
    let title = String(repeating: "words and ", count: 100_000)
    let sink = try read(Data("[2016-05-07 09:30] \(title)".utf8), name: "journal.txt")
    #expect(sink.count == 1)
  }

  @Test func anEntryBeyondTheLimitIsCutAndTold() throws {
    let line = Data(String(repeating: "x", count: 1 << 20).utf8) + Data("\n".utf8)
    var content = Data("[2016-05-07 09:30] T\n".utf8)
    for _ in 0..<70 { content.append(line) }
    content.append(Data("\n[2016-05-08 09:30] U\n".utf8))
    let sink = try read(content, name: "journal.txt")
    #expect(sink.count == 2)
    #expect(sink.longest > 60 << 20)
    let told = sink.diagnostics.filter { $0.severity == .skipped }
    #expect(told.map(\.place) == ["journal.txt:65"])
  }

  @Test func aLineBeyondTheLimitIsPassedOverAndTold() throws {
    var content = Data("[2016-05-07 09:30] T\n".utf8)
    content.append(Data(repeating: 0x78, count: (64 << 20) + 10))
    content.append(Data("\n[2016-05-08 09:30] U\n".utf8))
    let text = try read(content, name: "journal.txt")
    #expect(text.count == 2)
    #expect(text.diagnostics.filter { $0.severity == .skipped }.map(\.place) == ["journal.txt:2"])
    var json = Data("{\"tags\": {}, \"entries\": [\n{\"title\": \"".utf8)
    json.append(Data(repeating: 0x78, count: (64 << 20) + 10))
    json.append(
      Data("\"},\n{\"title\": \"U\", \"date\": \"2016-05-08\", \"time\": \"09:30\"}]}".utf8))
    let sink = try read(json, name: "j.json")
    #expect(sink.count == 1)
    #expect(sink.diagnostics.filter { $0.severity == .skipped }.map(\.place) == ["j.json:2"])
  }

  @Test func manyEntriesOfOneMinuteAndTitleStayApart() throws {
    let entry = "[2016-05-07 09:30] Same\n\n"
    let sink = try read(Data(String(repeating: entry, count: 20_000).utf8), name: "journal.txt")
    #expect(sink.count == 20_000 && sink.identifiers.count == 20_000)
  }
}
