import ArkivedCore
import Foundation
import NIOCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An address of the home network: private (RFC 1918), link-local (RFC 3927), unique local (RFC
/// 4193), or this computer's own loopback.
///
/// Link-local IPv6 addresses are excluded, because browsers cannot open addresses that need a zone.
package struct HomeAddress: Hashable, Sendable {
  /// The address as written in an address bar, without brackets.
  package let text: String
  /// The bytes, four or sixteen, the most significant first.
  let bytes: [UInt8]

  /// Parses an address.
  ///
  /// - Returns: nil for a text that is not such an address.
  init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: four) { Array($0) }
      self.text = bytes.map { String($0) }.joined(separator: ".")
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      bytes = withUnsafeBytes(of: six) { Array($0) }
      self.text = Self.text(of: bytes)
    } else {
      return nil
    }
    guard Self.isOfHome(bytes) else { return nil }
  }

  /// True if it only reaches this computer.
  package var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes == Self.loopback
  }

  /// The address as it appears in a URL and, with its port, in a Host header.
  package var host: String { bytes.count == 4 ? text : "[\(text)]" }

  private static let loopback = [UInt8](repeating: 0, count: 15) + [1]

  private static func isOfHome(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 4 else {
      return bytes[0] & 0xFE == 0xFC || bytes == loopback
    }
    switch (bytes[0], bytes[1]) {
    case (10, _), (127, _), (192, 168), (169, 254): return true
    case (172, let second): return (16...31).contains(second)
    default: return false
    }
  }

  /// Returns the shortest form of an address of sixteen bytes (RFC 5952).
  private static func text(of bytes: [UInt8]) -> String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, bytes, &buffer, socklen_t(INET6_ADDRSTRLEN)) != nil else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The addresses of this computer.
package enum HomeNetwork {
  /// An address with its interface.
  package struct Place: Hashable, Sendable {
    package var address: HomeAddress
    package var interface: String
  }

  /// Returns the addresses at which devices of the home network may reach this computer, in order.
  package static func places() throws -> [Place] {
    try all().filter { !$0.address.isLoopback }
  }

  /// Returns true if this computer currently has an address.
  static func has(_ address: HomeAddress) -> Bool {
    (try? all())?.contains { $0.address == address } ?? false
  }

  private static func all() throws -> [Place] {
    var found: [Place] = []
    for device in try System.enumerateDevices() {
      guard let text = device.address?.ipAddress, let address = HomeAddress(text) else { continue }
      let place = Place(address: address, interface: device.name)
      if !found.contains(place) { found.append(place) }
    }
    return found.sorted {
      ($0.address.bytes.count, $0.interface, $0.address.text)
        < ($1.address.bytes.count, $1.interface, $1.address.text)
    }
  }
}

/// A name of this computer on the home network, such as `study.local`.
enum HomeName {
  /// Returns the name in its stored form, or nil for none.
  ///
  /// - Throws: `FieldError` if it is not a name below `local` (RFC 6762): only such names can never
  ///   lead outside the home network.
  static func read(_ text: String?) throws(FieldError) -> String? {
    guard let text else { return nil }
    let name = text.lowercased().filter { !$0.isWhitespace }
    guard !name.isEmpty else { return nil }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    var isName = labels.count >= 2 && labels.last == "local" && name.utf8.count <= 200
    for label in labels where !isLabel(label) { isName = false }
    guard isName else {
      throw FieldError("name", "is \(FieldError.shown(text)), but must look like study.local")
    }
    return name
  }

  /// Returns the name with which the home network finds this computer at an address: its own name
  /// below `local`, if a service for such names runs here and the name resolves to the address.
  ///
  /// The service may take a few seconds to answer.
  static func known(for address: HomeAddress) -> String? {
    #if os(Linux)
      // No other service answers for such names, and the query should not leave this computer
      // needlessly.
      guard FileManager.default.fileExists(atPath: "/run/avahi-daemon/socket") else { return nil }
    #endif
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, 255) == 0 else { return nil }
    let host = String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let label = host.split(separator: ".").first,
      let name = try? read("\(label).local"), leads(name, to: address)
    else { return nil }
    return name
  }

  /// Returns true if a name resolves to an address with this computer's configuration.
  static func leads(_ name: String, to address: HomeAddress) -> Bool {
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, nil, &found) == 0 else { return false }
    defer { freeaddrinfo(found) }
    var next = found
    while let entry = next {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let length = socklen_t(text.count)
      let isNamed = getnameinfo(
        entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, length, nil, 0, NI_NUMERICHOST)
      let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      if isNamed == 0, HomeAddress(String(decoding: bytes, as: UTF8.self)) == address {
        return true
      }
      next = entry.pointee.ai_next
    }
    return false
  }

  private static func isLabel(_ label: Substring) -> Bool {
    guard (1...63).contains(label.utf8.count), label.first != "-", label.last != "-" else {
      return false
    }
    return label.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
    }
  }
}
