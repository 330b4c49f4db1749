package import ArkivedCore
import Foundation

/// A program on a server of the owner's choice that Arkived reads and never changes.
package enum LinkedService: String, CaseIterable, Sendable {
  /// A photo library.
  case immich
  /// A location history.
  case dawarich

  /// The name that its makers use.
  package var name: String {
    switch self {
    case .immich: "Immich"
    case .dawarich: "Dawarich"
    }
  }

  /// The ends of addresses that belong to the interface and not to the server's place.
  private var interfacePaths: [String] {
    switch self {
    case .immich: ["/api"]
    case .dawarich: ["/api/v1", "/api"]
    }
  }

  /// Returns the server's address as links store it: without the path of the interface and without
  /// a slash at the end.
  ///
  /// - Parameter text: the address as it was typed or copied.
  /// - Returns: the address.
  /// - Throws: `FieldError` if it can't be the address of a server.
  package func address(_ text: String) throws(FieldError) -> String {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    func wrong(_ problem: String) -> FieldError {
      FieldError("address", "is \(FieldError.shown(Self.withoutAccount(text))), \(problem)")
    }
    let lower = text.lowercased()
    guard ["http://", "https://"].contains(where: lower.hasPrefix), let url = URL(string: text)
    else { throw wrong("but must start with https:// or http://") }
    guard url.user == nil, url.password == nil else {
      throw wrong("but must not contain a name or password. Enter the key separately")
    }
    guard let given = try? CalendarAddress(url) else {
      throw wrong("but must be a valid address")
    }
    guard given.query == nil, url.fragment == nil else {
      throw wrong("but must end before “?” and “#”")
    }
    var path = CalendarAddress.normal(given.path)
    while path.hasSuffix("/") { path.removeLast() }
    if let end = interfacePaths.first(where: path.hasSuffix) { path.removeLast(end.count) }
    return given.origin + path
  }

  private static func withoutAccount(_ text: String) -> String {
    text.replacing(/\/\/[^\/]*@/, with: "//")
  }
}
