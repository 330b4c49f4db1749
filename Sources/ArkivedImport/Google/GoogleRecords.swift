import ArkivedCore
import Foundation

/// Reads the points of `Records.json`: `{latitudeE7, longitudeE7, accuracy, timestamp, deviceTag,
/// activity[{activity[{type, confidence}]}]}`; before 2022 `timestampMs` with milliseconds in
/// quotes.
///
/// There are millions of points, so unused fields aren't parsed into values.
struct GoogleRecords {
  private let file: ImportFile
  private let sink: any ImportSink
  private var devices: [Int64: UInt8] = [:]
  private var clock = StampClock()
  private var placeless = 0
  private var broken = 0
  private var firstBroken = 0

  init(file: ImportFile, sink: any ImportSink) {
    self.file = file
    self.sink = sink
  }

  mutating func point(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> TrackPoint? {
    var latitude: Int64?
    var longitude: Int64?
    var time: Int64?
    var accuracy: Int64 = 0
    var device: Int64 = 0
    var mode: TravelMode?
    var members = JSONMembers(bytes)
    while let member = members.next() {
      let (key, value) = (member.key, member.value)
      if bytes.holds("latitudeE7", at: key) {
        latitude = bytes.integer(at: value)
      } else if bytes.holds("longitudeE7", at: key) {
        longitude = bytes.integer(at: value)
      } else if bytes.holds("timestamp", at: key) {
        time = clock.milliseconds(bytes, bytes.unquoted(value))
      } else if bytes.holds("timestampMs", at: key) {
        time = bytes.integer(at: value)
      } else if bytes.holds("accuracy", at: key) {
        accuracy = bytes.integer(at: value) ?? 0
      } else if bytes.holds("deviceTag", at: key) {
        device = bytes.integer(at: value) ?? 0
      } else if bytes.holds("activity", at: key) {
        mode = Self.mode(bytes, value)
      }
    }
    guard members.isSound else {
      if broken == 0 { firstBroken = offset }
      broken += 1
      return nil
    }
    guard let latitude, let longitude, let place = GeoPoint(latE7: latitude, lonE7: longitude)
    else {
      placeless += 1
      return nil
    }
    // An unreadable time is counted with those before 1990.
    var point = TrackPoint(place, time: time ?? -1)
    point.accuracy = UInt16(clamping: accuracy)
    point.mode = mode
    point.device = number(of: device)
    return point
  }

  private mutating func number(of device: Int64) -> UInt8 {
    if let number = devices[device] { return number }
    let number = UInt8(clamping: devices.count)
    if devices.count < 255 { devices[device] = number }
    return number
  }

  /// Returns the mode of transport: the first guess of the first reading, which is the likeliest.
  private static func mode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> TravelMode? {
    let mark: StaticString = "\"type\""
    var position = range.lowerBound
    while let quote = bytes.next(UInt8(ascii: "\""), from: position),
      quote + mark.utf8CodeUnitCount < range.upperBound
    {
      let end = quote + mark.utf8CodeUnitCount
      guard bytes.holds(mark, at: quote..<end) else {
        position = quote + 1
        continue
      }
      guard let open = bytes.next(UInt8(ascii: "\""), from: end), open < range.upperBound,
        let close = bytes.next(UInt8(ascii: "\""), from: open + 1), close < range.upperBound,
        close - open <= 40
      else { return nil }
      return mode(bytes, named: open + 1..<close)
    }
    return nil
  }

  /// Recognises the frequent modes without creating a string for each.
  private static func mode(
    _ bytes: UnsafeBufferPointer<UInt8>, named name: Range<Int>
  ) -> TravelMode? {
    if bytes.holds("STILL", at: name) || bytes.holds("UNKNOWN", at: name) { return nil }
    if bytes.holds("ON_FOOT", at: name) || bytes.holds("WALKING", at: name) { return .walk }
    if bytes.holds("IN_VEHICLE", at: name) { return .drive }
    return TravelMode(bytes.text(at: name))
  }

  /// Reports the data that couldn't be used.
  func finish() {
    func tell(_ severity: Diagnostic.Severity, _ place: String, _ message: String) {
      sink.diagnose(Diagnostic(severity, place: place, message: message))
    }
    if broken > 0 {
      tell(
        .skipped, "\(file.name) byte \(firstBroken)",
        "skipped \(broken) points that aren’t valid JSON objects; this is the first")
    }
    if placeless > 0 {
      tell(.note, file.name, "\(placeless) records have no valid coordinates; skipped")
    }
  }
}

/// Parses sequences of ISO 8601 times, caching the day.
struct StampClock {
  private var day: [UInt8] = []
  private var dayStart: Int64 = 0

  /// Returns the milliseconds since 1970 of a time with an offset, such as
  /// `2021-05-03T11:22:33.123Z`, or nil if it isn't one.
  mutating func milliseconds(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Int64? {
    fast(bytes, range) ?? Instant(bytes.text(at: range))?.milliseconds
  }

  /// Parses `YYYY-MM-DDTHH:MM:SS[.fff]Z`, the form of nearly all times.
  private mutating func fast(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Int64? {
    let start = range.lowerBound
    guard (20...30).contains(range.count), bytes[start + 10] == UInt8(ascii: "T"),
      bytes[start + 13] == UInt8(ascii: ":"), bytes[start + 16] == UInt8(ascii: ":"),
      bytes[range.upperBound - 1] == UInt8(ascii: "Z"),
      let hour = Self.pair(bytes, start + 11), let minute = Self.pair(bytes, start + 14),
      let second = Self.pair(bytes, start + 17), hour < 24, minute < 60, second < 60
    else { return nil }
    let date = UnsafeBufferPointer(rebasing: bytes[start..<start + 10])
    if !day.elementsEqual(date) {
      guard let key = DayKey(String(decoding: date, as: UTF8.self)) else { return nil }
      day = Array(date)
      dayStart = Int64(key.daysSinceEpoch) * 86_400_000
    }
    var fraction: Int64 = 0
    if range.count > 20 {
      guard bytes[start + 19] == UInt8(ascii: ".") else { return nil }
      var scale: Int64 = 100
      for byte in bytes[start + 20..<range.upperBound - 1] {
        guard (0x30...0x39).contains(byte) else { return nil }
        fraction += Int64(byte - 0x30) * scale
        scale /= 10
      }
    }
    return dayStart + (Int64(hour) * 3_600 + Int64(minute) * 60 + Int64(second)) * 1_000 + fraction
  }

  private static func pair(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
    let (tens, ones) = (bytes[index], bytes[index + 1])
    guard (0x30...0x39).contains(tens), (0x30...0x39).contains(ones) else { return nil }
    return Int(tens - 0x30) * 10 + Int(ones - 0x30)
  }
}
