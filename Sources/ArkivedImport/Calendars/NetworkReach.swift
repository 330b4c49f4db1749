import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The network distance of a host, used to keep internet servers from redirecting to nearer ones.
enum NetworkReach: Int, Comparable {
  /// This computer.
  case loopback
  /// A home or company network, a neighbour on the link, or no valid place.
  case inside
  case outside

  static func < (left: NetworkReach, right: NetworkReach) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Classifies a numeric address; returns nil for a name or anything else that isn't an address.
  init?(address: String) {
    // The zone of an address (`fe80::1%eth0`) doesn't matter here.
    let plain = address.prefix { $0 != "%" }
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, String(plain), &four) == 1 {
      self = NetworkReach(four: UInt32(bigEndian: four.s_addr))
    } else if inet_pton(AF_INET6, String(plain), &six) == 1 {
      self = withUnsafeBytes(of: six) { NetworkReach(six: Array($0)) }
    } else {
      return nil
    }
  }

  private init(four: UInt32) {
    func isIn(_ network: UInt32, _ bits: UInt32) -> Bool {
      four >> (32 - bits) == network >> (32 - bits)
    }
    if isIn(0x7F00_0000, 8) || four == 0 {
      self = .loopback
    } else if isIn(0x0A00_0000, 8) || isIn(0xAC10_0000, 12) || isIn(0xC0A8_0000, 16)
      || isIn(0xA9FE_0000, 16) || isIn(0x6440_0000, 10) || isIn(0, 8) || isIn(0xC000_0000, 24)
      || isIn(0xC612_0000, 15) || isIn(0xE000_0000, 3)
    {
      // Private, link-local, carrier-shared, unassigned, test, multicast and higher ranges.
      self = .inside
    } else {
      self = .outside
    }
  }

  private init(six: [UInt8]) {
    let isMapped = six.prefix(10).allSatisfy { $0 == 0 } && six[10] == 0xFF && six[11] == 0xFF
    // 64:ff9b::/96 maps to the IPv4 address at its end, 2002::/16 to the one after the prefix.
    let isTranslated = six.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
    func four(_ at: Int) -> UInt32 { six[at..<(at + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
    if isMapped || isTranslated {
      self = NetworkReach(four: four(12))
    } else if six.prefix(12).allSatisfy({ $0 == 0 }) {
      self = .loopback
    } else if six.starts(with: [0x20, 0x02]) {
      self = NetworkReach(four: four(2))
    } else if six[0] & 0xFE == 0xFC || (six[0] == 0xFE && six[1] >= 0x80) || six[0] == 0xFF {
      self = .inside
    } else {
      self = .outside
    }
  }

  /// Returns true if a host is this computer without asking anyone: a loopback address or
  /// `localhost`.
  ///
  /// Other names may resolve differently when the request is sent.
  static func isThisComputer(_ host: String) -> Bool {
    host.lowercased() == "localhost" || NetworkReach(address: host) == .loopback
  }

  /// Returns the nearest of the places that a name resolves to, asking the network if necessary.
  ///
  /// - Parameters:
  ///   - host: the name.
  ///   - lookUp: returns the addresses of a name; none if the name doesn't exist.
  /// - Returns: the place.
  static func nearest(
    of host: String, lookUp: @Sendable (String) async -> [String]
  ) async -> NetworkReach {
    await places(of: host, lookUp).min() ?? .outside
  }

  /// Returns the farthest of these places, to which a request may go as well.
  static func farthest(
    of host: String, lookUp: @Sendable (String) async -> [String]
  ) async -> NetworkReach {
    await places(of: host, lookUp).max() ?? .outside
  }

  private static func places(
    of host: String, _ lookUp: @Sendable (String) async -> [String]
  ) async -> [NetworkReach] {
    let host = host.lowercased().trimmingCharacters(in: ["."])
    if let reach = NetworkReach(address: host) { return [reach] }
    if host == "localhost" || host.hasSuffix(".localhost") { return [.loopback] }
    // Numbers in other notations, such as 0x7f.1, are also turned into addresses here.
    return await lookUp(host).compactMap(NetworkReach.init(address:))
  }

  /// Looks up a name's addresses through the system, on its own thread because it may be slow.
  static let systemLookUp: @Sendable (String) async -> [String] = { host in
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: addresses(of: host)) }
    }
  }

  private static func addresses(of host: String) -> [String] {
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, nil, &found) == 0 else { return [] }
    defer { freeaddrinfo(found) }
    var addresses: [String] = []
    var next = found
    while let entry = next {
      var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let length = socklen_t(name.count)
      let isNamed = getnameinfo(
        entry.pointee.ai_addr, entry.pointee.ai_addrlen, &name, length, nil, 0, NI_NUMERICHOST)
      if isNamed == 0 {
        addresses.append(
          String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }
      next = entry.pointee.ai_next
    }
    return addresses
  }
}
