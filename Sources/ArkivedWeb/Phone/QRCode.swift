import CQRCode

/// A QR code (ISO/IEC 18004), drawn by libqrencode.
package struct QRCode: Hashable, Sendable {
  /// The number of modules along each side.
  package let size: Int
  /// The modules row by row, true for dark ones.
  package let dark: [Bool]

  /// The width in modules of the light margin that readers need around a code.
  private static let margin = 4

  /// Encodes a text.
  ///
  /// - Returns: nil for a text that is too long for a code.
  package init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    guard let data = code.pointee.data else { return nil }
    let width = Int(code.pointee.width)
    size = width
    dark = (0..<width * width).map { data[$0] & 1 == 1 }
  }

  /// Returns true if a module is dark; all modules outside are light.
  private func isDark(_ row: Int, _ column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
    return dark[row * size + column]
  }

  /// Returns lines for a terminal, each with two rows of modules.
  ///
  /// - Parameter isOnDark: true if the terminal has light letters on a dark background, in which
  ///   case the light modules are drawn.
  /// - Returns: the lines.
  package func lines(isOnDark: Bool) -> [String] {
    let first = -Self.margin
    let end = size + Self.margin
    return stride(from: first, to: end, by: 2).map { row -> String in
      (first..<end).map { column -> String in
        let upper = isDark(row, column) != isOnDark
        let lower = row + 1 < end ? isDark(row + 1, column) != isOnDark : false
        return switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
    }
  }

  /// The side of the drawing including its margin, in modules.
  package var side: Int { size + 2 * Self.margin }

  /// The dark modules as the path of an SVG image of `side` by `side`.
  package var path: String {
    var path = ""
    for row in 0..<size {
      var column = 0
      while column < size {
        let start = column
        while column < size, isDark(row, column) { column += 1 }
        if column > start {
          path +=
            "M\(start + Self.margin) \(row + Self.margin)h\(column - start)v1h-\(column - start)z"
        }
        column += 1
      }
    }
    return path
  }
}
