import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// The same trials for every format: whatever comes, it is read or refused in words, and is over soon.
@Suite("Spoiled input, for every format", .timeLimit(.minutes(20)))
struct BadInputTests {
  /// What reading came to.
  private struct Outcome {
    var records = 0
    /// How much was told; a refusal tells once.
    var told = 0
    var texts: [String] = []
  }

  private final class Sink: ImportSink {
    var outcome = Outcome()

    func take(_ record: ImportedRecord) {
      outcome.records += 1
      guard case .activity(let activity) = record.value else { return }
      outcome.texts += [activity.text, activity.notes ?? "", activity.description ?? ""]
      #expect(throws: Never.self) { try activity.validate() }
    }

    func diagnose(_ diagnostic: Diagnostic) {
      outcome.told += 1
      #expect(!diagnostic.message.isEmpty && !diagnostic.place.isEmpty)
    }
  }

  private func read(
    _ sample: BadInputSample, _ content: Data, in folder: TemporaryFolder
  ) throws -> Outcome {
    let url = try folder.file(sample.file, content)
    let sink = Sink()
    let context = ImportContext(
      now: TestArchive.now, homeZone: try #require(Zone("Europe/Rome")),
      identities: RandomIdentities(), expansionSeconds: 0.5,
      scratchFolder: { folder.url.appendingPathComponent("scratch") })
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("scratch"), withIntermediateDirectories: true)
    do {
      try sample.importer.read(
        ImportFile(url: url, name: sample.file), context: context, into: sink)
    } catch let refusal as ImportRefusal {
      #expect(!refusal.message.isEmpty && !refusal.place.isEmpty)
      sink.outcome.told += 1
    }
    return sink.outcome
  }

  private func read(_ sample: BadInputSample, _ text: String) throws -> Outcome {
    try read(sample, Data(text.utf8), in: try TemporaryFolder())
  }

  @Test(arguments: BadInputSample.all)
  func aSoundFileIsRead(sample: BadInputSample) throws {
    #expect(try read(sample, sample.text).records == sample.count)
  }

  @Test(arguments: BadInputSample.all)
  func aFileCutAtAnyByteIsReadAsFarAsItGoesOrRefused(sample: BadInputSample) throws {
    let folder = try TemporaryFolder()
    let content = Data(sample.text.utf8)
    // What closes a document may be followed by nothing.
    let end = content.count - (sample.isClosed ? 2 : 0)
    for length in 0..<end {
      let outcome = try read(sample, content.prefix(length), in: folder)
      #expect(outcome.records <= max(sample.count, 3), "cut at byte \(length)")
      if sample.isClosed { #expect(outcome.told > 0, "cut at byte \(length)") }
      if length == 0 { #expect(outcome.records == 0 && outcome.told > 0) }
    }
  }

  @Test(arguments: BadInputSample.all)
  func anotherEncodingIsReadOrNamed(sample: BadInputSample) throws {
    let folder = try TemporaryFolder()
    let marks: [(String.Encoding, [UInt8])] = [
      (.utf16LittleEndian, [0xFF, 0xFE]), (.utf16BigEndian, [0xFE, 0xFF]),
      (.utf16LittleEndian, []), (.utf16BigEndian, []), (.isoLatin1, []), (.windowsCP1252, []),
      (.utf8, [0xEF, 0xBB, 0xBF]),
    ]
    for (encoding, mark) in marks {
      // Degrees stand in Windows-1252 and Latin-1 as well.
      let text = try #require(sample.text.data(using: encoding))
      let outcome = try read(sample, Data(mark) + text, in: folder)
      if sample.count > 0 {
        #expect(outcome.records + outcome.told > 0, "\(encoding) \(mark.count)")
      }
      if encoding == .utf8 { #expect(outcome.records == sample.count) }
    }
  }

  @Test(arguments: BadInputSample.all)
  func datesThatCannotBeAreToldAndNumbersOfOtherPlacesDoNoHarm(sample: BadInputSample) throws {
    for (old, new) in [
      ("2026", "9999"), ("2026", "0000"), ("2026", "20x6"), ("2026", "-2026"), ("2026", "1"),
      ("-03-", "-13-"), ("03-03", "02-30"), ("2026-03-03", "03.03.26"), ("09:", "29:"),
      ("17725", "99999999999999999999"), ("20260303T", "20261399T"),
    ] where sample.text.contains(old) {
      let outcome = try read(sample, sample.text.replacing(old, with: new))
      if sample.count > 0 { #expect(outcome.records + outcome.told > 0, "\(new) for \(old)") }
    }
    let digits = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
    var arabic = sample.text
    for (number, digit) in digits.enumerated() {
      let other = Unicode.Scalar(0x660 + UInt32(number)).map { String(Character($0)) } ?? digit
      arabic = arabic.replacing(digit, with: other)
    }
    for text in [
      arabic, sample.text.replacing(#/(\d)\.(\d)/#) { "\($0.1),\($0.2)" },
      sample.text.replacing(#/\d+/#) { _ in "-1" }, sample.text.replacing(#/\d+/#) { _ in "1e999" },
      sample.text.replacing(#/\d+/#) { _ in String(repeating: "9", count: 400) },
    ] { _ = try read(sample, text) }
  }

  @Test(arguments: BadInputSample.all)
  func fieldsAndRowsThatAreMissingTwiceOrMoreAreTakenAsTheyCome(sample: BadInputSample) throws {
    let lines = sample.text.components(separatedBy: "\n")
    for index in lines.indices {
      var spoiled = lines
      spoiled.remove(at: index)
      _ = try read(sample, spoiled.joined(separator: "\n"))
      spoiled = lines
      spoiled.insert(lines[index], at: index)
      #expect(
        try read(sample, spoiled.joined(separator: "\n")).records <= 2 * max(sample.count, 1) + 2)
      for other in [",", "\"extra\": {\"a\": [1]},", "<extra a='1'>x</extra>", "\u{0}", "X-Y:1"] {
        spoiled = lines
        spoiled.insert(other, at: index)
        _ = try read(sample, spoiled.joined(separator: "\n"))
      }
    }
  }

  @Test(arguments: BadInputSample.all.filter { !$0.nests.isEmpty })
  func whatNestsAHundredThousandDeepIsRefusedOrLeftOut(sample: BadInputSample) throws {
    for begin in sample.nests {
      for opening in ["[", #"{"a":"#] {
        let text = begin + String(repeating: opening, count: 100_000)
        let outcome = try read(sample, text)
        #expect(outcome.told > 0 && outcome.records <= 1, "\(begin)\(opening)")
        let closing = String(repeating: opening == "[" ? "]" : "}", count: 100_000)
        _ = try read(sample, begin + String(repeating: opening, count: 100_000) + "1" + closing)
      }
    }
  }

  @Test(arguments: ["gpx", "health", "evernote", "camt"])
  func entitiesNeitherGrowNorReachOutOfTheFile(name: String) throws {
    let sample = try #require(BadInputSample.all.first { $0.name == name })
    let secret = try TemporaryFolder()
    let file = try secret.file("secret.txt", "the secret words")
    var entities = "<!ENTITY e0 \"lol lol lol lol\">\n"
    for level in 1...12 {
      let inner = String(repeating: "&e\(level - 1);", count: 10)
      entities += "<!ENTITY e\(level) \"\(inner)\">\n"
    }
    entities += "<!ENTITY out SYSTEM \"file://\(file.path)\">\n"
    entities += "<!ENTITY % load SYSTEM \"file://\(file.path)\">\n%load;\n"
    for reference in ["&e12;", "&out;"] {
      let head = "<?xml version=\"1.0\"?>\n<!DOCTYPE x [\n\(entities)]>\n"
      let body = sample.text.drop { $0 != "\n" }.replacing("Café", with: reference)
      let outcome = try read(sample, head + String(body))
      #expect(!outcome.texts.contains { $0.contains("secret") || $0.count > 2_000 })
    }
  }
}
