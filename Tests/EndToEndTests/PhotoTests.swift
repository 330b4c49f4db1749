import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedImport

/// Photos with the real program, whose child reads them by the real libvips.
@Suite("Photos")
struct PhotoTests {
  private let arkived: Program

  init() throws { arkived = try Program() }

  private typealias Camera = TestPicture.Camera

  /// A walk in Prague with its two photos, one alone in Tokyo, and what stands beside them.
  private func folder() throws -> URL {
    let files: [(String, Data)] = [
      (
        "DCIM/a.png",
        TestPicture.png(
          width: 64, height: 48, seed: 1,
          camera: Camera(
            taken: "2021:05:03 10:11:12", offset: "+02:00", place: (50.0875, 14.4213),
            model: "Pocket 3"))
      ),
      (
        "DCIM/b.png",
        TestPicture.png(
          width: 64, height: 48, seed: 2,
          camera: Camera(taken: "2021:05:03 10:25:00", place: (50.0880, 14.4200)))
      ),
      (
        "c.png",
        TestPicture.png(
          width: 48, height: 64, seed: 3,
          camera: Camera(taken: "2021:05:03 18:00:00", satellites: ("2021:05:03", [9, 0, 1])))
      ),
      ("d.png", TestPicture.png(width: 8, height: 8, seed: 4)),
      (
        "d.png.supplemental-metadata.json",
        Data(#"{"description": "By the sea", "photoTakenTime": {"timestamp": "1622541600"}}"#.utf8)
      ),
      ("copy of a.png", Data()), ("e.png", TestPicture.png(width: 8, height: 8, seed: 5)),
    ]
    for (name, content) in files { _ = try arkived.folder.file("photos/\(name)", content) }
    let root = arkived.folder.url.appendingPathComponent("photos")
    try FileManager.default.removeItem(at: root.appendingPathComponent("copy of a.png"))
    try FileManager.default.copyItem(
      at: root.appendingPathComponent("DCIM/a.png"),
      to: root.appendingPathComponent("copy of a.png"))
    return root
  }

  @Test func comeInByTheirTimeAndPlaceAndOnlyOnce() throws {
    let root = try folder()
    let run = try arkived("import", root.path, "--places", "keep", "--json").json["runs"]?.array?
      .first
    #expect(run?["format"]?.string == "photos")
    #expect(run?["created"]?["activity"]?.int == 3)
    let warnings = (run?["warnings"]?.array ?? []).compactMap { $0["message"]?.string }
    #expect(warnings.contains { $0.contains("identical to another file") })
    #expect(warnings.contains { $0.contains("no date was found in the file") })
    let day = try arkived("day", "2021-05-03", "--json").json["activities"]?.array ?? []
    #expect(day.map { $0["text"]?.string } == ["2 photos", "A photo"])
    let walk = try #require(day.first)
    #expect(walk["startAt"]?.string == "2021-05-03T08:11:12Z")
    #expect(walk["endAt"]?.string == "2021-05-03T08:25:00Z")
    #expect(walk["timeZone"]?.string == "Europe/Berlin")
    #expect(abs((walk["lat"]?.double ?? 0) - 50.0875) < 0.0001)
    #expect(walk["description"]?.string == "Taken with Pocket 3")
    #expect(walk["attachments"]?.array?.count == 2)
    #expect(day.last?["timeZone"]?.string == "Etc/GMT-9")
    let sea = try arkived("day", "2021-06-01", "--json").json["activities"]?.array?.first
    #expect(sea?["attachments"]?.array?.first?["caption"]?.string == "By the sea")

    // Once more, moved, and only a part of it: nothing changes.
    let moved = arkived.folder.url.appendingPathComponent("elsewhere")
    try FileManager.default.moveItem(at: root, to: moved)
    for path in [moved, moved.appendingPathComponent("DCIM/b.png")] {
      let again = try arkived("import", path.path, "--json").json["runs"]?.array?.first
      #expect(again?["created"]?.object?.isEmpty == true && again?["updated"]?.int == 0)
    }
    #expect(
      try arkived("day", "2021-05-03", "--json").json["activities"]?.array ?? [] == day)
  }

  @Test func thatJoinOthersLaterAreAdded() throws {
    let root = try folder()
    let first = root.appendingPathComponent("DCIM/b.png").path
    #expect(try arkived("import", first).status == 0)
    #expect(try arkived("import", root.path).status == 0)
    let day = try arkived("day", "2021-05-03", "--json").json["activities"]?.array ?? []
    #expect(day.map { $0["text"]?.string } == ["2 photos", "A photo"])
    #expect(day.first?["startAt"]?.string == "2021-05-03T08:11:12Z")
  }

  @Test func thatAreBrokenOrClaimToBeHugeComeInByTheirNamesAndAreTold() throws {
    for (name, content) in [
      ("IMG_20210503_101112.png", TestPicture.png(width: 50_000, height: 50_000, rows: 1)),
      ("IMG_20210503_101113.jpg", Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16])),
      ("IMG_20210503_101114.png", Data("GIF89a and nothing more".utf8)),
    ] { _ = try arkived.folder.file("broken/\(name)", content) }
    let root = arkived.folder.url.appendingPathComponent("broken")
    let run = try arkived("import", root.path, "--json").json["runs"]?.array?.first
    #expect(run?["created"]?["activity"]?.int == 1 && run?["skipped"]?.int == 0)
    let told = (run?["warnings"]?.array ?? []).compactMap { $0["message"]?.string }
    #expect(told.count { $0.contains("its metadata couldn’t be read") } == 3)
  }

  @Test func inAZipComeInLikeThoseOfAFolder() throws {
    let root = try folder()
    var zip = TestZip()
    for name in ["DCIM/a.png", "DCIM/b.png", "d.png", "d.png.supplemental-metadata.json"] {
      zip.add("Takeout/\(name)", try Data(contentsOf: root.appendingPathComponent(name)))
    }
    let file = try arkived.folder.file("takeout.zip", try zip.data())
    let run = try arkived("import", file.path, "--json").json["runs"]?.array?.first
    #expect(run?["format"]?.string == "photos" && run?["created"]?["activity"]?.int == 2)
  }

  // MARK: Thumbnails

  private func attach(_ content: Data, named name: String) throws -> String {
    let file = try arkived.folder.file(name, content)
    let added = try arkived("add", "saw it", "--attach", file.path, "--json").json
    return try #require(added["created"]?["attachments"]?.array?.first?["id"]?.string)
  }

  private func thumbnails() -> [URL] {
    let folder = URL(fileURLWithPath: arkived.archive).appendingPathComponent("thumbnails")
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".webp") }.map { folder.appendingPathComponent($0) }
  }

  @Test func haveThumbnailsThatAreMadeAgainWhenTheyAreDamaged() throws {
    let id = try attach(
      TestPicture.png(width: 340, height: 210, camera: Camera(orientation: 6)), named: "a.png")
    let server = try RunningServer(arkived)
    func ask(_ query: String = "") throws -> PlainAnswer {
      try server.ask("GET", "/attachments/\(id)/thumbnail\(query)")
    }
    let answer = try ask()
    #expect(answer.status == 200 && answer.headers["content-type"] == "image/webp")
    #expect(answer.headers["content-security-policy"]?.contains("sandbox") == true)
    #expect(try ask("?size=large").headers["content-type"] == "image/webp")
    #expect(try ask("?size=huge").status == 400)
    let kept = thumbnails()
    #expect(kept.count == 2)
    let small = try #require(kept.first { $0.path.hasSuffix("small.webp") })
    let whole = try Data(contentsOf: small)
    try whole.prefix(30).write(to: small)
    #expect(try ask().status == 200)
    #expect(try Data(contentsOf: small) == whole)
    try FileManager.default.removeItem(at: small)
    #expect(try ask().status == 200 && FileManager.default.fileExists(atPath: small.path))
  }

  @Test func thatCannotBeReadShowAPlaceholder() throws {
    let broken = [
      ("huge.png", TestPicture.png(width: 50_000, height: 50_000, rows: 1).prefix(4_096)),
      ("cut.jpg", Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16])),
      ("renamed.jpg", Data("GIF89a and nothing more".utf8)),
    ]
    let ids = try broken.map { try attach($0.1, named: $0.0) }
    let server = try RunningServer(arkived)
    for id in ids + ids {
      let answer = try server.ask("GET", "/attachments/\(id)/thumbnail")
      #expect(answer.status == 200 && answer.headers["content-type"] == "image/svg+xml")
    }
    #expect(try server.ask("GET", "/api/v1/days/2026-03-14").status == 200)
    let findings = try arkived("doctor", "--json").json["findings"]?.array ?? []
    let told = findings.first { $0["check"]?.string == "pictures" }
    #expect(told?["detail"]?.string?.hasPrefix("3 pictures have no thumbnail") == true)
  }

  // MARK: Large ones, and those of phones

  /// The size of the largest pictures that phones take.
  private let phone = (width: 16_320, height: 12_240)

  @Test(.enabled(if: PictureWriter.canWrite("jpg"), "python3 or libvips42 is not installed"))
  func ofTwoHundredMegapixelsHaveThumbnails() throws {
    let reader = ImageReader(program: Program.executable.path)
    // All of a progressive JPEG is in memory before its first row is known.
    for name in ["a.jpg", "b.png[compression=1]", "c.jpg[interlace]"] {
      let picture = try PictureWriter.black(
        name, width: phone.width, height: phone.height, in: arkived.folder)
      let small = try reader.thumbnail(of: picture, fitting: 320)
      #expect(small.starts(with: Array("RIFF".utf8)) && small.count < 20_000, "\(name)")
    }
    let baseline = arkived.folder.url.appendingPathComponent("a.jpg")
    let id = try attach(try Data(contentsOf: baseline), named: "baseline.jpg")
    let server = try RunningServer(arkived)
    for size in ["small", "large"] {
      let answer = try server.ask("GET", "/attachments/\(id)/thumbnail?size=\(size)")
      #expect(answer.status == 200 && answer.headers["content-type"] == "image/webp")
    }
  }

  @Test(.enabled(if: PictureWriter.canWrite("jpg"), "python3 or libvips42 is not installed"))
  func thatNeedMoreMemoryThanTheReaderHasSayWhyAndLeaveRoomForOthers() throws {
    let reader = ImageReader(program: Program.executable.path)
    let small = TestPicture.png(width: 8, height: 8)
    _ = try reader.thumbnail(of: small, fitting: 320)
    let heavy = try PictureWriter.black(
      "heavy.jpg[interlace,no_subsample]", width: 16_384, height: 15_000, in: arkived.folder)
    let failure = ImageFailure.tooLarge(width: 16_384, height: 15_000)
    #expect(throws: failure) { try reader.thumbnail(of: heavy, fitting: 320) }
    #expect("\(failure)" == "it has 16384 × 15000 pixels, too many to fit in memory")
    let large = try PictureWriter.black(
      "large.jpg[interlace]", width: phone.width, height: phone.height, in: arkived.folder)
    _ = try reader.thumbnail(of: large, fitting: 320)
    let id = try attach(heavy, named: "heavy.jpg")
    let server = try RunningServer(arkived)
    let answer = try server.ask("GET", "/attachments/\(id)/thumbnail")
    #expect(answer.status == 200 && answer.headers["content-type"] == "image/svg+xml")
    let findings = try arkived("doctor", "--json").json["findings"]?.array ?? []
    let told = findings.first { $0["check"]?.string == "pictures" }
    #expect(told?["detail"]?.string?.contains("too many to fit in memory") == true)
  }

  @Test(.enabled(if: PictureWriter.canWrite("heic"), "no libvips that writes HEIC is installed"))
  func inHEICHaveThumbnails() throws {
    let picture = try PictureWriter.black("a.heic", width: 640, height: 480, in: arkived.folder)
    let id = try attach(picture, named: "IMG_1.HEIC")
    let server = try RunningServer(arkived)
    let answer = try server.ask("GET", "/attachments/\(id)/thumbnail")
    #expect(answer.status == 200 && answer.headers["content-type"] == "image/webp")
    let reader = ImageReader(program: Program.executable.path)
    #expect(try reader.metadata(of: picture).camera == nil)
    // The reason is that of the format, not of where libvips looked for it.
    do throws(ImageFailure) {
      _ = try reader.thumbnail(of: picture.prefix(500), fitting: 320)
      Issue.record("half a picture was read")
    } catch {
      #expect("\(error)".hasPrefix("it is damaged (heif: "), "\(error)")
    }
  }

  // MARK: The process that reads them

  @Test func areReadUprightWithinTheBoxInAnyDepth() throws {
    let reader = ImageReader(program: Program.executable.path)
    let side = try reader.thumbnail(
      of: TestPicture.png(width: 340, height: 210, camera: Camera(orientation: 6)), fitting: 320)
    // VP8 and its extended form tell the size at different places; metadata tells it once more.
    #expect(side.starts(with: Array("RIFF".utf8)) && side.range(of: Data("ICCP".utf8)) == nil)
    _ = try reader.thumbnail(of: TestPicture.png(width: 40, height: 30, depth: 16), fitting: 320)
    let metadata = try reader.metadata(
      of: TestPicture.png(width: 8, height: 8, camera: Camera(model: "Pocket 3")))
    #expect(metadata.camera == "Pocket 3")
    #expect(throws: ImageFailure.notAPicture) {
      try reader.thumbnail(of: Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), fitting: 8)
    }
    #expect(throws: ImageFailure.tooLarge(width: 50_000, height: 50_000)) {
      try reader.metadata(
        of: TestPicture.png(width: 50_000, height: 50_000, rows: 1).prefix(4_096))
    }
  }

  @Test func goOnBeingReadWhenTheirReaderIsGone() throws {
    let reader = ImageReader(program: Program.executable.path)
    let picture = TestPicture.png(width: 8, height: 8)
    _ = try reader.thumbnail(of: picture, fitting: 320)
    reader.rest()
    _ = try reader.thumbnail(of: picture, fitting: 320)
    let ending = ImageReader(program: "/bin/false")
    #expect(throws: ImageFailure.crashed) { try ending.thumbnail(of: picture, fitting: 320) }
    let missing = ImageReader(program: "/nonexistent")
    #expect(throws: ImageFailure.absent) { try missing.thumbnail(of: picture, fitting: 320) }
  }

  @Test func cannotMakeTheirReaderReachTheNetworkOrWriteFiles() throws {
    let reader = ImageReader(program: Program.executable.path)
    _ = try reader.thumbnail(of: TestPicture.png(width: 8, height: 8), fitting: 320)
    #if os(Linux)
      let number = try #require(reader.processNumber)
      let status = try String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
      #expect(status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1"))
      let limits = try String(contentsOfFile: "/proc/\(number)/limits", encoding: .utf8)
      let lines = limits.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      #expect(lines.contains { $0.starts(with: ["Max", "file", "size", "0"]) })
      #expect(lines.contains { $0.starts(with: ["Max", "address", "space", "1610612736"]) })
    #endif
  }

  #if os(Linux)
    /// The filter of the reader of files denies signals to other processes and typing into the
    /// terminal; the one of the reader of pictures is added to it.
    @Test func cannotMakeTheirReaderReachOtherProcesses() throws {
      func filters(_ process: String) throws -> Int? {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("Seccomp_filters:") }
        return line?.split(separator: "\t").last.flatMap { Int($0) }
      }
      // Linux before 5.10 doesn't say how many there are.
      guard let own = try filters("self") else { return }
      let reader = ImageReader(program: Program.executable.path)
      _ = try reader.thumbnail(of: TestPicture.png(width: 8, height: 8), fitting: 320)
      let number = try #require(reader.processNumber)
      #expect(try filters("\(number)") == own + 2)
    }
  #endif
}
