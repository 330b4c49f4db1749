import Foundation
import NIOCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The owner of the program at the other end of a connection within this computer.
///
/// Cookies are not bound to ports (RFC 6265 §8.5): a browser sends the session cookie to every
/// server at 127.0.0.1 it is led to, even one run by another account. The cookie is useless there,
/// because a session is only accepted from a program of the owner's account.
enum PeerAccount: Hashable, Sendable {
  case account(UInt32)
  /// The other end is already closed, and no one waits for an answer.
  case gone
  /// The system does not provide the owner.
  case unknown
  /// Too many files are open to query the system.
  case fileLimitReached

  /// Determines the owner for one connection, given its two ends.
  typealias Question = @Sendable (_ client: SocketAddress?, _ server: SocketAddress?) -> PeerAccount

  /// True if a session is accepted from there: from the serving account or the system's own.
  var maySendSession: Bool {
    switch self {
    case .account(let account): account == geteuid() || account == 0
    case .gone, .fileLimitReached: false
    case .unknown: true
    }
  }

  #if os(Linux)
    /// Queries the system's table of sockets for the client's end (sock_diag(7), struct
    /// inet_diag_req_v2).
    @Sendable static func of(client: SocketAddress?, server: SocketAddress?) -> PeerAccount {
      guard case .v4(let client)? = client, case .v4(let server)? = server else { return .unknown }
      let (near, far) = (client.address, server.address)
      let descriptor = socket(netlink, Int32(SOCK_RAW.rawValue) | closeOnExec, sockDiag)
      guard descriptor >= 0 else {
        return FileDescriptorLimit.codes.contains(errno) ? .fileLimitReached : .unknown
      }
      defer { close(descriptor) }
      let asked = request(near, far)
      guard send(descriptor, asked, asked.count, 0) == asked.count else { return .unknown }
      let room = 8_192
      var answer = [UInt8](repeating: 0, count: room)
      // The system has answered by the time it has accepted the request.
      let count = recv(descriptor, &answer, room, doNotWait)
      guard count > 0 else { return .unknown }
      return read(Array(answer.prefix(count)), serverPort: UInt16(bigEndian: far.sin_port))
    }

    // These constants are from linux/netlink.h, linux/sock_diag.h and bits/socket.h.
    private static let netlink: Int32 = 16
    private static let sockDiag: Int32 = 4
    private static let closeOnExec: Int32 = 0o2_000_000
    private static let doNotWait: Int32 = 0x40

    private static func request(_ near: sockaddr_in, _ far: sockaddr_in) -> [UInt8] {
      func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
      }
      let restOfAddress = [UInt8](repeating: 0, count: 12)
      // This requests IPv4 and TCP, in any state.
      var body: [UInt8] = [2, 6, 0, 0]
      body += bytes(UInt32.max)
      body += bytes(near.sin_port)
      body += bytes(far.sin_port)
      body += bytes(near.sin_addr.s_addr)
      body += restOfAddress
      body += bytes(far.sin_addr.s_addr)
      body += restOfAddress
      body += bytes(UInt32(0))
      body += bytes(UInt64.max)
      var message = bytes(UInt32(16 + body.count))
      // The header is a SOCK_DIAG_BY_FAMILY request with the first sequence number, from any
      // sender.
      message += bytes(UInt16(20))
      message += bytes(UInt16(1))
      message += bytes(UInt32(1))
      message += bytes(UInt32(0))
      return message + body
    }
  #else
    @Sendable static func of(client: SocketAddress?, server: SocketAddress?) -> PeerAccount {
      .unknown
    }
  #endif

  /// Determines the owner of the program that listens on a port of this computer.
  static func listening(on port: Int) -> PeerAccount {
    // A listener is a socket whose other end is nowhere.
    guard let near = try? SocketAddress(ipAddress: "127.0.0.1", port: port),
      let nowhere = try? SocketAddress(ipAddress: "0.0.0.0", port: 0)
    else { return .unknown }
    return of(client: near, server: nowhere)
  }

  /// Parses an answer of sock_diag: an error, or struct inet_diag_msg after the header.
  static func read(_ answer: [UInt8], serverPort: UInt16) -> PeerAccount {
    func number(_ offset: Int) -> UInt32 {
      answer[offset..<(offset + 4)].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }
    guard answer.count >= 20 else { return .unknown }
    let type = number(4) & 0xFFFF
    // NLMSG_ERROR means that the socket no longer exists, or that the system does not provide the
    // owner.
    if type == 2 { return Int32(bitPattern: number(16)) == -ENOENT ? .gone : .unknown }
    guard type == 20, answer.count >= 88 else { return .unknown }
    // For a closed connection, a listener on the client's port is returned.
    let farPort = UInt16(answer[22]) << 8 | UInt16(answer[23])
    let (account, file) = (number(80), number(84))
    return farPort == serverPort && file != 0 ? .account(account) : .gone
  }
}
