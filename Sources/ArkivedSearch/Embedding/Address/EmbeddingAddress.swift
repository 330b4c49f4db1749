import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The address of embeddings on an OpenAI-compatible server:
/// `http://127.0.0.1:11434/v1/embeddings`.
package struct EmbeddingAddress: Hashable, Sendable, CustomStringConvertible {
  /// The URL with scheme and host in lower case.
  package let url: String
  /// A name or an IP address, without brackets.
  package let host: String
  /// True if the traffic is encrypted.
  package let isEncrypted: Bool

  /// The problem with an address, as the rest of a sentence that begins with it.
  package struct Refusal: Error, Hashable, Sendable {
    package var problem: String
  }

  /// Parses an address as a person types it.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - ending: the usual ending of such an address.
  /// - Throws: `Refusal` if the text isn't an address of a server.
  package init(_ text: String, ending: String = "/v1/embeddings") throws(Refusal) {
    // Text that would have to be escaped first may be ambiguous.
    guard var parts = URLComponents(string: text, encodingInvalidCharacters: false),
      let scheme = parts.scheme?.lowercased()
    else {
      throw Refusal(
        problem: "isn’t an address such as http://127.0.0.1:11434\(ending)")
    }
    guard scheme == "http" || scheme == "https" else {
      throw Refusal(problem: "must begin with http:// or https://")
    }
    guard parts.percentEncodedUser == nil, parts.percentEncodedPassword == nil else {
      throw Refusal(problem: "must not contain a user name or password. Put secrets in a file")
    }
    guard parts.percentEncodedFragment == nil else {
      throw Refusal(problem: "must not contain a “#” part")
    }
    var host = parts.percentEncodedHost?.lowercased() ?? ""
    guard !host.isEmpty, !host.contains("%"), !text.contains("@") else {
      throw Refusal(problem: "doesn’t contain a valid host name")
    }
    if let port = parts.port, !(1...65_535).contains(port) {
      throw Refusal(problem: "has the port \(port), but a port must be between 1 and 65535")
    }
    guard parts.percentEncodedPath.count > 1 else {
      throw Refusal(problem: "must be complete, usually ending in \(ending)")
    }
    parts.scheme = scheme
    parts.percentEncodedHost = host
    guard let url = parts.string, URL(string: url)?.host != nil else {
      throw Refusal(problem: "has no host name")
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    self.url = url
    self.host = host
    isEncrypted = scheme == "https"
  }

  package var description: String { url }

  /// True if it is on this computer: 127.0.0.0/8, ::1 or `localhost`.
  ///
  /// Names are not resolved, and numbers in other notations count as names.
  package var isLoopback: Bool {
    if host == "localhost" { return true }
    var four = in_addr()
    if inet_pton(AF_INET, host, &four) == 1 {
      return UInt32(bigEndian: four.s_addr) >> 24 == 127
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
    return withUnsafeBytes(of: six) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
  }
}
