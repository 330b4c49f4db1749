package import Foundation

/// Generated pictures: PNG (ISO/IEC 15948) with the EXIF data of photos (CIPA DC-008).
package enum TestPicture {
  /// The metadata written by a camera; nil values are omitted.
  package struct Camera {
    /// The time, such as "2021:05:03 10:11:12".
    package var taken: String?
    /// The offset from UTC, such as "+02:00".
    package var offset: String?
    /// Degrees north and east.
    package var place: (lat: Double, lon: Double)?
    /// The time from satellites: "2021:05:03" and hours, minutes, seconds.
    package var satellites: (day: String, time: [UInt32])?
    package var model: String?
    /// The orientation from 1 to 8; 6 lies on its right side.
    package var orientation: UInt16?

    package init(
      taken: String? = nil, offset: String? = nil, place: (lat: Double, lon: Double)? = nil,
      satellites: (day: String, time: [UInt32])? = nil, model: String? = nil,
      orientation: UInt16? = nil
    ) {
      self.taken = taken
      self.offset = offset
      self.place = place
      self.satellites = satellites
      self.model = model
      self.orientation = orientation
    }
  }

  /// Returns a picture in one colour.
  ///
  /// - Parameters:
  ///   - width: the number of columns of pixels.
  ///   - height: the number of rows that the file states.
  ///   - seed: a different one results in different content.
  ///   - depth: the number of bits per colour.
  ///   - camera: what the file says about the camera.
  ///   - rows: the number of rows of pixels; fewer than `height` makes the file invalid.
  /// - Returns: the file.
  package static func png(
    width: Int, height: Int, seed: UInt8 = 0, depth: UInt8 = 8, camera: Camera? = nil,
    rows: Int? = nil
  ) -> Data {
    var head = bytes(UInt32(width)) + bytes(UInt32(height))
    head += [depth, 2, 0, 0, 0]
    let line = [0] + [UInt8](repeating: seed, count: width * 3 * Int(depth) / 8)
    let content = (0..<(rows ?? height)).flatMap { _ in line }
    var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    data += chunk("IHDR", head)
    if let camera { data += chunk("eXIf", tiff(camera)) }
    data += chunk("IDAT", zlib(content))
    return data + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> Data {
    let body = Array(name.utf8) + content
    return Data(bytes(UInt32(content.count)) + body + bytes(crc(body)))
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [UInt8(number >> 24), UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }

  /// Encodes bytes in the format of RFC 1950, without compression.
  private static func zlib(_ content: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(start + 65_535, content.count)
      let count = UInt16(end - start)
      packed += [end == content.count ? 1 : 0, UInt8(count & 255), UInt8(count >> 8)]
      packed += [UInt8(~count & 255), UInt8(~count >> 8)]
      packed += content[start..<end]
      start = end
    } while start < content.count
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in content {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return packed + bytes(high << 16 | low)
  }

  // MARK: EXIF

  private typealias Field = (tag: UInt16, type: UInt16, count: Int, value: [UInt8])

  private static func text(_ tag: UInt16, _ text: String) -> Field {
    let value = Array(text.utf8) + [0]
    return (tag, 2, value.count, value)
  }

  private static func fractions(_ tag: UInt16, _ numbers: [(UInt32, UInt32)]) -> Field {
    (tag, 5, numbers.count, numbers.flatMap { bytes($0.0) + bytes($0.1) })
  }

  private static func pointer(_ tag: UInt16, _ offset: Int) -> Field {
    (tag, 4, 1, bytes(UInt32(offset)))
  }

  /// Encodes a directory of fields at an offset, followed by the data to which they point.
  private static func directory(_ fields: [Field], at offset: Int) -> [UInt8] {
    var head = short(UInt16(fields.count))
    var rest: [UInt8] = []
    let behind = offset + 2 + fields.count * 12 + 4
    for field in fields {
      head += short(field.tag) + short(field.type) + bytes(UInt32(field.count))
      if field.value.count <= 4 {
        head += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
      } else {
        head += bytes(UInt32(behind + rest.count))
        rest += field.value
      }
    }
    return head + bytes(0) + rest
  }

  private static func short(_ number: UInt16) -> [UInt8] {
    [UInt8(number >> 8), UInt8(number & 255)]
  }

  /// Encodes a TIFF header and its directories, in big-endian order.
  private static func tiff(_ camera: Camera) -> [UInt8] {
    var photo: [Field] = []
    if let taken = camera.taken { photo.append(text(0x9003, taken)) }
    if let offset = camera.offset { photo.append(text(0x9011, offset)) }
    var places: [Field] = []
    if let place = camera.place {
      places += [
        text(1, place.lat < 0 ? "S" : "N"), degrees(2, place.lat),
        text(3, place.lon < 0 ? "W" : "E"), degrees(4, place.lon),
      ]
    }
    if let satellites = camera.satellites {
      places += [fractions(7, satellites.time.map { ($0, 1) }), text(0x1D, satellites.day)]
    }
    var main: [Field] = []
    if let model = camera.model { main.append(text(0x0110, model)) }
    if let orientation = camera.orientation {
      main.append((0x0112, 3, 1, short(orientation) + [0, 0]))
    }
    // The positions of the others depend only on the length of the first.
    let length = directory(main + [pointer(0x8769, 0), pointer(0x8825, 0)], at: 8).count
    let photoDirectory = directory(photo, at: 8 + length)
    let placesOffset = 8 + length + photoDirectory.count
    let first = directory(
      main + [pointer(0x8769, 8 + length), pointer(0x8825, placesOffset)], at: 8)
    return Array("MM\0*".utf8) + bytes(8) + first + photoDirectory
      + directory(places, at: placesOffset)
  }

  /// Returns EXIF data alone, which is a TIFF file without a picture.
  package static func exif(_ camera: Camera) -> Data { Data(tiff(camera)) }

  private static func degrees(_ tag: UInt16, _ amount: Double) -> Field {
    let seconds = UInt32((abs(amount) * 360_000).rounded())
    return fractions(
      tag, [(seconds / 360_000, 1), (seconds / 6_000 % 60, 1), (seconds % 6_000, 100)])
  }
}
