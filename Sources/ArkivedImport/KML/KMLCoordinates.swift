import ArkivedCore

/// Reads places as written in KML, longitude first, with commas within places and spaces between
/// them, from a text that arrives in pieces.
struct KMLCoordinates {
  private static let partLimit = 200

  private(set) var points: [GeoPoint] = []
  /// The number of positions that aren't places on Earth.
  private(set) var bad = 0
  private(set) var firstBad = ""
  private(set) var excess = 0
  private var part: [UInt8] = []
  private var isSpaced = false

  mutating func take(_ text: UnsafeBufferPointer<UInt8>) {
    for byte in text {
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        isSpaced = true
        continue
      }
      // Some programs put a space after the comma.
      let goesOn = byte == UInt8(ascii: ",") || part.last == UInt8(ascii: ",")
      if isSpaced, !goesOn { end() }
      isSpaced = false
      if part.count < Self.partLimit { part.append(byte) }
    }
  }

  /// Ends the place that was begun.
  mutating func end() {
    guard !part.isEmpty else { return }
    let text = String(decoding: part, as: UTF8.self)
    part.removeAll(keepingCapacity: true)
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
    guard numbers.count >= 2, let lon = Double(numbers[0]), let lat = Double(numbers[1]),
      let point = GeoPoint(lat: lat, lon: lon)
    else {
      if bad == 0 { firstBad = text }
      bad += 1
      return
    }
    guard points.count < TrackEntries.pointLimit else {
      excess += 1
      return
    }
    points.append(point)
  }
}
