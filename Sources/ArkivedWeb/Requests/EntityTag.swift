import ArkivedCore
import ArkivedCrypto
import Foundation
import HTTPTypes
import Hummingbird

/// A version of a resource in `ETag`, `If-Match` and `If-None-Match` (RFC 9110 §8.8.3).
///
/// Arkived's tags are `"VERSION.DIGEST"`: the time in milliseconds of the last change to the entry
/// itself, and a digest of everything sent. The version of what has no such time is a digest of its
/// content. A change is only checked against the version, so adding an activity to a day doesn't
/// prevent its note from being saved; the whole tag decides whether content must be sent again.
struct EntityTag: Hashable, Sendable {
  var isWeak: Bool
  /// The text between the quotes.
  var opaque: String

  var text: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }

  /// The version in the tag.
  var version: Substring { opaque.prefix { $0 != "." } }

  /// Returns the tag of a body; version 0 means that nothing was written yet.
  static func text(_ version: Instant?, of body: [UInt8]) -> String {
    text(version: "\(version?.milliseconds ?? 0)", of: body)
  }

  /// Returns the tag of a body under a version of any form.
  static func text(version: String, of body: [UInt8]) -> String {
    "\"\(version).\(digest(body))\""
  }

  /// Returns the version alone, for forms.
  static func text(_ version: Instant?) -> String { "\"\(version?.milliseconds ?? 0)\"" }

  /// Returns the version of content that has no time of its last change.
  static func version(of content: JSON) -> String { digest(content.bytes()) }

  private static func digest(_ bytes: [UInt8]) -> String {
    SHA256.hash(data: Data(bytes)).prefix(8).hexadecimal
  }

  /// Parses a list of tags such as `"a", W/"b"`; returns nil if the list is malformed.
  static func list(_ text: String) -> [EntityTag]? {
    var tags: [EntityTag] = []
    var bytes = Array(text.utf8)[...]
    func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
    var needsComma = false
    while true {
      while isSpace(bytes.first) { bytes.removeFirst() }
      guard let first = bytes.first else { return tags }
      if first == 0x2C {
        bytes.removeFirst()
        needsComma = false
        continue
      }
      guard !needsComma else { return nil }
      let isWeak = bytes.starts(with: "W/".utf8)
      if isWeak { bytes.removeFirst(2) }
      guard bytes.first == 0x22 else { return nil }
      bytes.removeFirst()
      let opaque = bytes.prefix { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
      bytes.removeFirst(opaque.count)
      guard bytes.first == 0x22 else { return nil }
      bytes.removeFirst()
      tags.append(EntityTag(isWeak: isWeak, opaque: String(decoding: opaque, as: UTF8.self)))
      needsComma = true
    }
  }
}

/// The version of a resource that a request may change: `If-Match` and `If-None-Match` (RFC 9110
/// §13.1).
struct Precondition: Sendable {
  private enum Wanted {
    case nothing
    case any
    case tags([EntityTag])
    case unreadable
  }

  private let match: Wanted
  private let noneMatch: Wanted

  init(_ request: Request) {
    func wanted(_ name: HTTPField.Name) -> Wanted {
      let values = request.headers[values: name]
      guard !values.isEmpty else { return .nothing }
      let text = values.joined(separator: ",")
      if text.trimmingCharacters(in: .whitespaces) == "*" { return .any }
      return EntityTag.list(text).map(Wanted.tags) ?? .unreadable
    }
    match = wanted(.ifMatch)
    noneMatch = wanted(.ifNoneMatch)
  }

  /// Returns the version that a change must still find, or nil to accept any.
  ///
  /// - Parameter current: the current version; an inner nil if nothing was written yet.
  /// - Returns: the version.
  /// - Throws: `WebFailure` 412 if it is not among those in the request. Weak tags match none.
  func version(current: Instant?) throws -> Instant?? {
    try check(current.map { "\($0.milliseconds)" }) ? .some(current) : .none
  }

  /// Checks the current version against those in the request.
  ///
  /// - Parameter current: the current version; nil if nothing was written yet.
  /// - Returns: true if the request depends on the version.
  /// - Throws: `WebFailure` 412 if it is not among those in the request. Weak tags match none.
  @discardableResult
  func check(_ current: String?) throws -> Bool {
    let version = current ?? "0"
    func names(_ tags: [EntityTag]) -> Bool {
      tags.contains { !$0.isWeak && $0.version == version }
    }
    var isGuarded = false
    switch match {
    case .nothing: break
    case .any: break
    case .tags(let tags):
      guard names(tags) else { throw Precondition.changed }
      isGuarded = true
    case .unreadable:
      throw WebFailure(
        .preconditionFailed, "Invalid ETag",
        "If-Match must be * or quoted ETags separated by commas. Nothing was changed.",
        field: "If-Match")
    }
    switch noneMatch {
    case .nothing: break
    case .any:
      guard current == nil else {
        throw WebFailure(
          .preconditionFailed, "Already exists",
          "If-None-Match: * requires that nothing exists yet.")
      }
      isGuarded = true
    case .tags(let tags):
      guard !tags.contains(where: { $0.version == version }) else {
        throw WebFailure(
          .preconditionFailed, "Same version", "If-None-Match matches the current version.")
      }
    case .unreadable:
      throw WebFailure(
        .preconditionFailed, "Invalid ETag",
        "If-None-Match must be * or quoted ETags separated by commas.",
        field: "If-None-Match")
    }
    return isGuarded
  }

  /// True if the request may only change what exists: `If-Match: *`.
  var requiresExisting: Bool { if case .any = match { true } else { false } }

  static var changed: WebFailure {
    WebFailure(
      .preconditionFailed, "Changed elsewhere",
      "If-Match doesn’t match the current version: it was changed elsewhere. Load it again.")
  }

  /// Returns true if the client already has the content to be sent.
  func hasSeen(_ tag: String?) -> Bool {
    guard let tag, let own = EntityTag.list(tag)?.first else { return false }
    return switch noneMatch {
    case .any: true
    case .tags(let tags): tags.contains { $0.opaque == own.opaque }
    default: false
    }
  }
}

/// Answers 304 instead of sending content that the client already has.
struct UnchangedMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: WebContext,
    next: @concurrent (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    let response = try await next(request, context)
    guard [.get, .head].contains(request.method), response.status == .ok,
      request.headers[.ifNoneMatch] != nil, let tag = response.headers[.eTag],
      Precondition(request).hasSeen(tag)
    else { return response }
    return Response(status: .notModified, headers: [.eTag: tag])
  }
}
