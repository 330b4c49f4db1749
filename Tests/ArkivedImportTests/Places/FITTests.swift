import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Files of the FIT protocol, written message by message.
struct FITBuilder {
  /// A field: its number, its type, its bytes.
  typealias Field = (number: UInt8, type: UInt8, bytes: [UInt8])

  private(set) var messages: [UInt8] = []
  var isBigEndian = false

  private func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    return isBigEndian ? little.reversed() : little
  }

  func u8(_ number: UInt8, _ value: Int) -> Field { (number, 0x02, [UInt8(value)]) }
  func u16(_ number: UInt8, _ value: Int) -> Field { (number, 0x84, bytes(UInt64(value), 2)) }
  func u32(_ number: UInt8, _ value: Int) -> Field { (number, 0x86, bytes(UInt64(value), 4)) }
  func s32(_ number: UInt8, _ value: Int) -> Field {
    (number, 0x85, bytes(UInt64(UInt32(bitPattern: Int32(value))), 4))
  }
  func text(_ number: UInt8, _ value: String) -> Field { (number, 0x07, Array(value.utf8) + [0]) }

  /// Degrees as FIT writes them.
  static func semicircles(_ degrees: Double) -> Int { Int(degrees * 2_147_483_648 / 180) }

  /// Seconds since the beginning of FIT's time.
  static func seconds(_ minute: Int) -> Int {
    Int(MorningWalk.stamp(minute).milliseconds / 1_000) - 631_065_600
  }

  mutating func define(
    _ local: UInt8, _ global: Int, _ fields: [Field], developer: [UInt8]? = nil
  ) {
    messages += [0x40 | (developer == nil ? 0 : 0x20) | local, 0, isBigEndian ? 1 : 0]
    messages += bytes(UInt64(global), 2) + [UInt8(fields.count)]
    for field in fields { messages += [field.number, UInt8(field.bytes.count), field.type] }
    if let developer { messages += [1, 0, UInt8(developer.count), 0] }
  }

  mutating func put(_ local: UInt8, _ fields: [Field], developer: [UInt8] = []) {
    messages += [local] + fields.flatMap(\.bytes) + developer
  }

  /// A message with its definition.
  mutating func add(_ global: Int, _ fields: [Field], developer: [UInt8]? = nil) {
    define(0, global, fields, developer: developer)
    put(0, fields, developer: developer ?? [])
  }

  /// A message whose time are five bits in its header.
  mutating func putCompressed(_ local: UInt8, _ offset: Int, _ fields: [Field]) {
    messages += [0x80 | local << 5 | UInt8(offset & 0x1F)] + fields.flatMap(\.bytes)
  }

  static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var crc: UInt16 = 0
    for byte in bytes {
      crc ^= UInt16(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xA001 : crc >> 1 }
    }
    return [UInt8(crc & 0xFF), UInt8(crc >> 8)]
  }

  /// The whole file.
  func file(headerSize: Int = 14, checksum: [UInt8]? = nil) -> Data {
    let size = messages.count
    var head: [UInt8] = [UInt8(headerSize), 0x20, 0x54, 0x08]
    head += (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + Array(".FIT".utf8)
    if headerSize == 14 { head += Self.checksum(head) }
    return Data(head + messages + (checksum ?? Self.checksum(head + messages)))
  }
}

/// FIT as devices write it, after the protocol that Garmin publishes.
@Suite("FIT")
struct FITTests {
  private let importer = FITImporter()

  static func ride(bigEndian: Bool = false) -> FITBuilder {
    var fit = FITBuilder()
    fit.isBigEndian = bigEndian
    let base = FITBuilder.seconds(0)
    fit.add(0, [(0, 0x00, [4]), fit.u16(1, 1), fit.u32(4, base), fit.text(8, "Edge 530")])
    // Records, with a field of a developer.
    func record(_ minute: Int, _ lat: Double, _ height: Int, _ rate: Int) -> [FITBuilder.Field] {
      [
        fit.u32(253, FITBuilder.seconds(minute)), fit.s32(0, FITBuilder.semicircles(lat)),
        fit.s32(1, FITBuilder.semicircles(14.3)), fit.u16(2, (height + 500) * 5),
        fit.u8(3, rate), fit.u32(5, minute * 40_000),
      ]
    }
    fit.define(1, 20, record(0, 50, 200, 120), developer: [1, 2])
    fit.put(1, record(0, 50, 200, 120), developer: [1, 2])
    fit.put(1, record(10, 50.036, 250, 140), developer: [1, 2])
    // A pause.
    fit.add(21, [fit.u32(253, FITBuilder.seconds(11)), (0, 0x00, [0]), (1, 0x00, [4])])
    fit.add(21, [fit.u32(253, FITBuilder.seconds(14)), (0, 0x00, [0]), (1, 0x00, [0])])
    fit.define(1, 20, record(15, 50.04, 250, 140))
    fit.put(1, record(15, 50.04, 250, 140))
    fit.put(1, record(20, 50.06, 240, 255))
    for start in [0, 15] {
      fit.add(19, [fit.u32(253, FITBuilder.seconds(20)), fit.u32(2, FITBuilder.seconds(start))])
    }
    fit.add(
      18,
      [
        fit.u32(253, FITBuilder.seconds(20)), fit.u32(2, base), (5, 0x00, [2]), (6, 0x00, [46]),
        fit.u32(7, 1_200_000), fit.u32(8, 1_020_000), fit.u32(9, 800_000), fit.u16(11, 310),
        fit.u8(16, 132), fit.u8(17, 161), fit.u16(22, 55),
      ])
    // The clock showed two hours more than UTC.
    fit.add(
      34, [fit.u32(253, FITBuilder.seconds(20)), fit.u32(5, FITBuilder.seconds(20) + 7_200)])
    return fit
  }

  private func read(_ data: Data) throws -> PlaceSink {
    try PlaceReading.read(importer, data, name: "a.fit")
  }

  @Test(arguments: [false, true])
  func aSessionIsOneEntryWithWhatWasMeasured(bigEndian: Bool) throws {
    let data = Self.ride(bigEndian: bigEndian).file()
    #expect(importer.recognises(head: Array(data.prefix(64)), fileName: "x"))
    let sink = try read(data)
    let ride = try #require(sink.activities.first)
    #expect(sink.diagnostics.isEmpty && sink.activities.count == 1)
    #expect(ride.text == "Cycled 8 km" && ride.kind == .health && sink.times == ["08:00–08:20"])
    #expect(ride.durationMinutes == 17 && ride.timeZone == "Europe/Rome")
    #expect(
      ride.measurements == [
        "km": 8, "kcal": 310, "bpm": 132, "max bpm": 161, "m ascent": 55,
      ])
    #expect(ride.description == "Gravel cycling, 2 laps, Edge 530" && ride.tags == ["cycling"])
    #expect(sink.identities == ["activity/2024-05-03T06:00:00Z"])
    #expect(abs((ride.lat ?? 0) - 50) < 1e-5)
  }

  @Test func aHeaderOfTwelveBytesAndNoChecksumAreRead() throws {
    #expect(try read(Self.ride().file(headerSize: 12)).texts == ["Cycled 8 km"])
    #expect(try read(Self.ride().file(checksum: [0, 0])).texts == ["Cycled 8 km"])
  }

  @Test func timesInHeadersGoOnFromTheLastWholeTime() throws {
    var fit = FITBuilder()
    let base = FITBuilder.seconds(0)
    fit.add(0, [(0, 0x00, [4])])
    let first = [
      fit.u32(253, base), fit.s32(0, FITBuilder.semicircles(50)),
      fit.s32(1, FITBuilder.semicircles(14)),
    ]
    fit.add(20, first)
    let place = { (lat: Double) in
      [fit.s32(0, FITBuilder.semicircles(lat)), fit.s32(1, FITBuilder.semicircles(14))]
    }
    fit.define(2, 20, place(50))
    // Every 20 seconds, which wraps the five bits.
    for step in 1...30 {
      fit.putCompressed(2, (base + step * 20) & 0x1F, place(50 + Double(step) * 0.001))
    }
    let sink = try read(fit.file())
    // No session: a device that stopped wrote none.
    #expect(sink.texts == ["Workout, 3.34 km"] && sink.times == ["08:00–08:10"])
    #expect(sink.activities[0].lat == 50)
  }

  @Test func aTriathlonIsAnEntryForEachSession() throws {
    var fit = FITBuilder()
    fit.add(0, [(0, 0x00, [4])])
    for (start, sport) in [(0, 5), (30, 3), (33, 2)] {
      fit.add(
        18,
        [
          fit.u32(253, FITBuilder.seconds(60)), fit.u32(2, FITBuilder.seconds(start)),
          (5, 0x00, [UInt8(sport)]), fit.u32(7, 180_000), fit.u32(9, sport == 3 ? 0 : 150_000),
        ])
    }
    #expect(try read(fit.file()).texts == ["Swam 1.5 km", "Transition, 3 min", "Cycled 1.5 km"])
  }

  @Test func partsThatFollowEachOtherAreAllRead() throws {
    var day = FITBuilder()
    day.add(0, [(0, 0x00, [32])])
    let sink = try read(Self.ride().file() + day.file())
    #expect(sink.texts == ["Cycled 8 km"] && sink.diagnostics.isEmpty)
  }

  @Test func whatIsNoActivityIsTold() throws {
    var day = FITBuilder()
    day.add(0, [(0, 0x00, [32])])
    day.add(20, [day.u32(253, FITBuilder.seconds(0))])
    let sink = try read(day.file())
    #expect(
      sink.diagnostics.map(\.message) == [
        "nothing to import: this FIT file contains a day recorded by a watch, not an activity"
      ])
  }

  @Test func aFlippedByteIsRefusedWithItsPlace() throws {
    let data = [UInt8](Self.ride().file())
    for place in stride(from: 14, to: data.count, by: 7) {
      var flipped = data
      flipped[place] ^= 0x10
      do {
        let sink = try read(Data(flipped))
        // A length that grew reaches beyond the end of the file.
        #expect(!sink.skipped.isEmpty, "byte \(place)")
      } catch let refusal as ImportRefusal {
        #expect(refusal.place.hasPrefix("a.fit byte "))
      }
    }
    var last = data
    last[data.count - 1] ^= 1
    let refusal = #expect(throws: ImportRefusal.self) { try read(Data(last)) }
    #expect(refusal?.message.contains("the checksum doesn’t match") == true)
  }

  @Test func aFileThatIsCutGivesWhatTheDeviceWrote() throws {
    let data = Self.ride().file()
    for end in stride(from: 12, to: data.count, by: 5) {
      do {
        let sink = try read(data.prefix(end))
        #expect(!sink.skipped.isEmpty, "cut at \(end)")
      } catch let refusal as ImportRefusal {
        #expect(!refusal.message.isEmpty)
      }
    }
    // Without its session, the records tell what there was.
    let sink = try read(data.prefix(data.count - 140))
    #expect(sink.texts.first?.hasPrefix("Workout, ") == true)
    #expect(sink.skipped.first?.message.contains("cut off") == true)
  }

  @Test func aClockThatWasNeverSetIsTold() throws {
    var fit = FITBuilder()
    fit.add(0, [(0, 0x00, [4])])
    fit.add(18, [fit.u32(253, 1_000), fit.u32(2, 900), (5, 0x00, [1])])
    let sink = try read(fit.file())
    #expect(sink.activities.isEmpty)
    #expect(sink.skipped.map(\.place) == ["a.fit session field “start_time”"])
  }

  @Test func valuesOfTypesThatNobodyWritesStopNothing() throws {
    let huge = (0..<8).map { UInt8(1e300.bitPattern >> (8 * UInt64($0)) & 0xFF) }
    let negative = (0..<8).map { UInt8((-5.0).bitPattern >> (8 * UInt64($0)) & 0xFF) }
    for (type, bytes) in [
      (UInt8(0x89), huge), (0x89, negative), (0x88, Array(huge.suffix(4))),
      (0x8F, [1] + huge.dropFirst()),
      (0x8E, [0, 0, 0, 0, 0, 0, 0, 0x80]), (0x07, huge), (0x1F, huge), (0x86, [0xFF]),
    ] {
      var fit = FITBuilder()
      fit.add(0, [(0, type, bytes), (1, type, bytes)])
      let places: [FITBuilder.Field] = [0, 1, 2, 3, 5].map { ($0, type, bytes) }
      fit.add(20, [fit.u32(253, 0xFFFF_FFFE)] + places)
      fit.add(20, [fit.u32(253, FITBuilder.seconds(1))] + places)
      let values: [FITBuilder.Field] = [5, 6, 7, 8, 9, 11, 16, 17, 22].map { ($0, type, bytes) }
      fit.add(19, [(2, type, bytes)])
      fit.add(18, [fit.u32(2, FITBuilder.seconds(0))] + values)
      fit.add(34, [fit.u32(253, FITBuilder.seconds(0)), (5, type, bytes)])
      #expect(try read(fit.file()).times.allSatisfy { $0.hasPrefix("08:00") })
    }
  }

  @Test func emptyAndOtherBytesAreRefused() throws {
    for bytes in [
      [], [14], Array("\u{0E}\u{10}abcdefgh".utf8), Array(repeating: UInt8(0), count: 40),
    ] {
      #expect(!importer.recognises(head: bytes, fileName: "a.fit"))
      #expect(throws: ImportRefusal.self) { try read(Data(bytes)) }
    }
  }
}
