import ArkivedBackup
import ArkivedCore
import ArkivedTestSupport
import ArkivedCrypto
import Foundation
import Testing

@Suite("The file of a backup")
struct BackupFileTests {
  private let madeAt = Instant(milliseconds: 1_773_518_400_000)

  private var manifest: BackupManifest {
    BackupManifest(madeAt: madeAt, program: "1", schema: "012", lines: 1, counts: ["day": 1])
  }

  /// A backup of two files.
  private func written(_ target: AgeTarget?) throws -> Data {
    var data = Data()
    let writer = try BackupWriter(for: target, madeAt: 1_773_518_400) { data += $0 }
    try writer.add(BackupManifest.guideName, Data("read me".utf8))
    try writer.begin(MemberName.lines(1, "day"))
    for number in 0..<5_000 { try writer.write(Data("{\"n\":\(number)}\n".utf8)) }
    try writer.end()
    _ = try writer.finish(manifest)
    return data
  }

  private func failure(_ folder: TemporaryFolder, _ content: Data) throws -> String {
    let file = try folder.file(UUID().uuidString, content)
    do {
      try BackupReader(file, unlocks: []).check()
      return ""
    } catch {
      return "\(error)"
    }
  }

  /// A ZIP archive with a manifest that names these files as they are, but for what `edit` does.
  private func zip(
    _ files: [(name: String, content: Data)], extra: (inout TestZip) -> Void = { _ in },
    edit: (inout BackupManifest) -> Void = { _ in }
  ) throws -> Data {
    var manifest = manifest
    manifest.members = files.map { file in
      let hash = SHA256.hash(data: file.content).hexadecimal
      return .init(path: file.name, bytes: file.content.count, hash: hash)
    }
    edit(&manifest)
    var zip = TestZip(files)
    extra(&zip)
    zip.add(BackupManifest.fileName, Data(manifest.json.bytes()))
    return try zip.data()
  }

  @Test(arguments: [true, false])
  func whatWasWrittenIsReadAndCompared(isEncrypted: Bool) throws {
    let folder = try TemporaryFolder()
    let identity = AgeIdentity()
    let data = try written(isEncrypted ? .recipients([identity.recipient]) : nil)
    let file = try folder.file("a.zip.age", data)
    let reader = try BackupReader(file, unlocks: [.identity(identity)])
    #expect(reader.isEncrypted == isEncrypted)
    #expect(reader.manifest.members.map(\.path) == ["README.txt", "01-day.jsonl"])
    #expect(reader.manifest.counts == ["day": 1] && reader.manifest.madeAt == madeAt)
    var read = 0
    try reader.check(progress: { read = $0 })
    #expect(read == reader.manifest.bytes)
    let target = folder.url.appendingPathComponent("out.jsonl")
    try reader.unpack { $0.path == "01-day.jsonl" ? target : nil }
    #expect(try String(contentsOf: target, encoding: .utf8).hasSuffix("{\"n\":4999}\n"))
    if isEncrypted {
      #expect(throws: BackupFailure.needsKey) { try BackupReader(file, unlocks: []) }
      #expect(throws: AgeFailure.noMatch) {
        try BackupReader(file, unlocks: [.identity(AgeIdentity())])
      }
    }
  }

  @Test(arguments: [true, false])
  func aCutOrAlteredFileIsNoticed(isEncrypted: Bool) throws {
    let folder = try TemporaryFolder()
    let identity = AgeIdentity()
    let data = try written(isEncrypted ? .recipients([identity.recipient]) : nil)
    func fails(_ content: Data) throws -> Bool {
      let file = try folder.file(UUID().uuidString, content)
      do {
        let reader = try BackupReader(file, unlocks: [.identity(identity)])
        try reader.check()
        // What a ZIP archive says beside its content, such as times, may differ.
        return reader.manifest.entries != 1
      } catch {
        return true
      }
    }
    #expect(try !fails(data))
    for count in stride(from: 0, to: data.count, by: max(1, data.count / 40)) {
      #expect(try fails(data.prefix(count)), "\(count)")
    }
    guard isEncrypted else { return }
    for place in stride(from: 0, to: data.count, by: max(1, data.count / 60)) {
      var altered = data
      altered[place] ^= 1
      #expect(try fails(altered), "\(place)")
    }
  }

  @Test func whatNoBackupHoldsIsRefused() throws {
    let folder = try TemporaryFolder()
    let lines: (String, Data) = ("01-day.jsonl", Data("{}\n".utf8))
    #expect(try failure(folder, try zip([lines])) == "")
    let cases: [(Data, String)] = [
      (try zip([lines], extra: { $0.add("../evil", Data([1])) }), "an unexpected file, “../evil”"),
      (try zip([lines], extra: { $0.add("/etc/passwd", Data([1])) }), "an unexpected file"),
      (try zip([lines], extra: { $0.addLink("attachments", to: "/etc") }), "isn’t a regular file"),
      (try zip([lines], extra: { $0.add("01-day.jsonl", Data([1])) }), "twice"),
      (try zip([lines], extra: { $0.add("02-tag.jsonl", Data([1])) }), "doesn’t list"),
      (try zip([("../01-day.jsonl", Data([1]))]), "an unexpected file"),
      (try zip([lines], edit: { $0.members[0].bytes = 2 }), "larger than its manifest says"),
      (try zip([lines], edit: { $0.members[0].bytes = .max }), "an invalid number"),
      (
        try zip(
          [lines, ("02-tag.jsonl", Data("{}\n".utf8))],
          edit: { for index in 0..<2 { $0.members[index].bytes = 1 << 50 } }), "an invalid number"
      ),
      (try zip([lines], edit: { $0.counts = ["day": .max, "tag": 1] }), "an invalid number"),
      (
        try zip([lines], edit: { $0.members[0].hash = String(repeating: "0", count: 64) }),
        "doesn’t match its checksum"
      ),
      (
        try zip(
          [lines],
          edit: {
            $0.members.append(
              .init(
                path: "03-tag.jsonl", bytes: 1,
                hash: String(repeating: "0", count: 64)))
          }), "03-tag.jsonl is missing"
      ),
      (try TestZip([lines]).data(), "no manifest.json"),
      (Data("hello".utf8), "neither an age file nor a ZIP"), (Data(), "neither"),
      (try TestZip([("manifest.json", Data("{}".utf8))]).data(), "something else"),
      (
        try TestZip([
          ("manifest.json", Data(#"{"type":"arkived-backup","version":99,"files":[]}"#.utf8))
        ]).data(), "version 99"
      ),
    ]
    for (content, sentence) in cases {
      let told = try failure(folder, content)
      #expect(told.contains(sentence), "\(sentence): \(told)")
    }
  }

  @Test func aBombIsNotUnpacked() throws {
    let folder = try TemporaryFolder()
    let bomb = Data(count: 50_000_000)
    let packed = try zip([("01-day.jsonl", bomb)], edit: { $0.members[0].bytes = 1_000 })
    let file = try folder.file("bomb", packed)
    let target = folder.url.appendingPathComponent("out")
    #expect(throws: BackupFailure.self) {
      try BackupReader(file, unlocks: []).unpack { _ in target }
    }
    let size = try target.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    #expect(size <= 1_000)
  }

  @Test func theNewestOfDaysWeeksAndMonthsStays() throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let moments = (0..<400).map { madeAt.adding(seconds: -$0 * 86_400) }
    let kept = BackupRotation(daily: 7, weekly: 5, monthly: 12).kept(moments, zone: zone)
    #expect(kept.contains(0) && (0..<7).allSatisfy(kept.contains))
    #expect(kept.count <= 7 + 5 + 12 && kept.count >= 18)
    #expect((kept.max() ?? 0) > 300)
    #expect(BackupRotation(daily: 0, weekly: 0, monthly: 0).kept(moments, zone: zone) == [0])
    #expect(BackupRotation.usual.kept([], zone: zone).isEmpty)
    let sameDay = (0..<5).map { madeAt.adding(seconds: -$0 * 60) }
    #expect(BackupRotation.usual.kept(sameDay, zone: zone) == [0])
  }
}
