import Testing

@testable import ArkivedWeb

@Suite("QR codes")
struct QRCodeTests {
  @Test(arguments: [
    "https://10.0.0.7:8443/", "https://192.168.1.20:8443/pair/7KQF-2MXD-9TRB",
    "https://[fd12:3456:789a::1]:8443/pair/7KQF-2MXD-9TRB",
    "https://the-computer-in-the-study.local:65535/pair/7KQF-2MXD-9TRB",
  ])
  func aCodeSaysWhatItWasMadeOf(text: String) throws {
    let code = try #require(QRCode(text))
    #expect(QRReading(code).text == text)
  }

  @Test func whatIsTooLongHasNoCode() {
    #expect(QRCode(String(repeating: "x", count: 5_000)) == nil)
  }

  @Test func theTerminalAndThePageShowTheSameModules() throws {
    let code = try #require(QRCode("https://10.0.0.7:8443/pair/7KQF-2MXD-9TRB"))
    let lines = code.lines(isOnDark: false)
    #expect(lines.count == (code.side + 1) / 2 && lines.allSatisfy { $0.count == code.side })
    let shown = lines.joined().reduce(0) { sum, block in
      sum + (block == "█" ? 2 : block == " " ? 0 : 1)
    }
    #expect(shown == code.dark.count(where: \.self))
    let runs = code.path.split(separator: "M").map { run in
      Int(run.drop { $0 != "h" }.dropFirst().prefix { $0.isNumber }) ?? 0
    }
    #expect(runs.reduce(0, +) == shown)
    // Drawn in light letters on a dark terminal, the light modules are what is drawn.
    let light = code.lines(isOnDark: true).joined()
    #expect(light.first == "█" && light.contains("▄"))
  }
}

/// Reads a clean QR code of the versions 1 to 6 at the level M, by the standard and not by the library
/// that drew it (ISO/IEC 18004).
struct QRReading {
  let code: QRCode
  private let mask: Int

  init(_ code: QRCode) {
    self.code = code
    // Bits 10 to 12 of the format, beside the upper left finder, without the mask of the format.
    let format = (0..<5).reduce(0) { $0 << 1 | (code.dark[8 * code.size + $1] ? 1 : 0) }
    mask = (format ^ 0b10101) & 0b111
  }

  /// How many words of data stand in each block, by the version.
  private var blocks: [Int] {
    switch (code.size - 17) / 4 {
    case 1: [16]
    case 2: [28]
    case 3: [44]
    case 4: [32, 32]
    case 5: [43, 43]
    default: [27, 27, 27, 27]
    }
  }

  /// The text of the one segment of bytes.
  var text: String? {
    let words = words
    guard words.count > 2, words[0] >> 4 == 0b0100 else { return nil }
    let count = Int(words[0] & 15) << 4 | Int(words[1] >> 4)
    guard words.count >= count + 2 else { return nil }
    let bytes = (0..<count).map { words[$0 + 1] << 4 | words[$0 + 2] >> 4 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The words of data, block after block.
  private var words: [UInt8] {
    var stream: [UInt8] = []
    var (word, bits) = (UInt8(0), 0)
    for bit in modules {
      (word, bits) = (word << 1 | (bit ? 1 : 0), bits + 1)
      guard bits == 8 else { continue }
      stream.append(word)
      (word, bits) = (0, 0)
    }
    // The first words of all blocks come first, then the second ones; blocks are equally long here.
    return blocks.indices.flatMap { block in
      (0..<blocks[block]).map { stream[$0 * blocks.count + block] }
    }
  }

  /// The modules of data, unmasked, in the order in which they are written: two columns at a time, from
  /// the right, up and down in turn.
  private var modules: [Bool] {
    var found: [Bool] = []
    var right = code.size - 1
    var goesUp = true
    while right > 0 {
      if right == 6 { right -= 1 }
      for step in 0..<code.size {
        let row = goesUp ? code.size - 1 - step : step
        for column in [right, right - 1] where !isPattern(row, column) {
          found.append(code.dark[row * code.size + column] != isMasked(row, column))
        }
      }
      goesUp.toggle()
      right -= 2
    }
    return found
  }

  private func isMasked(_ row: Int, _ column: Int) -> Bool {
    switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: row * column % 2 + row * column % 3 == 0
    case 6: (row * column % 2 + row * column % 3) % 2 == 0
    default: ((row + column) % 2 + row * column % 3) % 2 == 0
    }
  }

  private func isPattern(_ row: Int, _ column: Int) -> Bool {
    let size = code.size
    let isFinder =
      row < 9 && column < 9 || row < 9 && column >= size - 8 || row >= size - 8 && column < 9
    let isAligned = size > 21 && abs(row - size + 7) <= 2 && abs(column - size + 7) <= 2
    return isFinder || row == 6 || column == 6 || isAligned
  }
}
