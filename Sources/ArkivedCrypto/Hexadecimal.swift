extension Sequence<UInt8> {
  /// Two lower-case hexadecimal digits for each byte.
  package var hexadecimal: String {
    reduce(into: "") { text, byte in
      text += byte < 16 ? "0" : ""
      text += String(byte, radix: 16)
    }
  }
}
