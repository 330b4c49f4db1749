/// Windows-1252, the usual encoding of texts that are not UTF-8.
enum WindowsLatin {
  /// The characters of 0x80 to 0x9F; the five that are not assigned stand for U+FFFD.
  private static let upper: [UInt16] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
  ]

  static func utf8(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let units = bytes.lazy.map { byte -> UInt16 in
      (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : UInt16(byte)
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
