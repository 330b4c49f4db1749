package import ArkivedCore
package import Foundation

/// An Immich server, which is only read: its list of photos and videos, and their pictures.
///
/// Source of the interface: Immich 1.106 to 3.0 (`/api/server/ping`, `/api/users/me`,
/// `/api/search/metadata`, `/api/assets/{id}/thumbnail` and `/original`, header `x-api-key`).
package struct ImmichServer: Sendable {
  /// A page of the list.
  package struct Page: Sendable {
    package var assets: [ImmichAsset]
    /// The number of assets that can't be used.
    package var unusable: Int
    /// The number of the next page; nil on the last.
    package var next: Int?
  }

  /// The number of assets in a page; the server allows up to 1,000.
  private static let pageSize = 500
  /// The maximum number of pages: two and a half million photos.
  private static let pageLimit = 5_000

  /// The maximum size of a preview, in bytes.
  private let previewLimit: Int
  private let client: LinkedServiceClient

  /// Creates a server.
  ///
  /// - Throws: `LinkedServiceFailure` if the key would be sent unencrypted.
  package init(
    _ address: String, key: String, allowsPlainHTTP: Bool = false,
    network: CalendarNetwork = .system, answerLimit: Int? = nil,
    previewLimit: Int = 64 << 20
  ) async throws {
    self.previewLimit = previewLimit
    client = try await LinkedServiceClient(
      .immich, address: address, key: key, allowsPlainHTTP: allowsPlainHTTP, network: network,
      answerLimit: answerLimit ?? LinkedServiceClient.answerLimit)
  }

  /// The address for display.
  package var place: String { client.place }

  /// Checks that the server is Immich and accepts the key.
  ///
  /// - Returns: the ID of the key's account.
  /// - Throws: `LinkedServiceFailure`.
  package func account() async throws -> String {
    let ping = try await client.ask("/api/server/ping")
    guard ping.json["res"]?.string == "pong" else {
      throw client.notTheService("a different program")
    }
    guard let id = try await client.ask("/api/users/me").json["id"]?.string, !id.isEmpty else {
      throw client.unusable("it doesn’t say whose key this is")
    }
    return id
  }

  /// Returns a page of the list, the oldest photos first.
  ///
  /// - Parameters:
  ///   - number: the number of the page, from 1.
  ///   - updatedAfter: nil for everything, otherwise the time from which changes are listed.
  /// - Returns: the page.
  /// - Throws: `LinkedServiceFailure`.
  package func page(_ number: Int, updatedAfter: Instant?) async throws -> Page {
    var body: JSONObject = [
      "page": JSON(number), "size": JSON(Self.pageSize), "withExif": true, "order": "asc",
    ]
    body["updatedAfter"] = updatedAfter.map { JSON($0) }
    let answer = try await client.ask("/api/search/metadata", body: .object(body))
    guard let list = answer.json["assets"], let items = list["items"]?.array else {
      throw client.unusable("it has no list of photos")
    }
    let assets = items.compactMap { ImmichAsset($0) }
    var page = Page(assets: assets, unusable: items.count - assets.count, next: nil)
    let next = list["nextPage"]?.string.flatMap { Int($0) } ?? list["nextPage"]?.int
    guard let next, !items.isEmpty else { return page }
    guard next > number, next <= Self.pageLimit else {
      throw LinkedServiceFailure.endless(place: client.place)
    }
    page.next = next
    return page
  }

  /// Returns every asset that the server lists, page by page.
  ///
  /// - Parameters:
  ///   - updatedAfter: nil for everything, otherwise the time from which changes are listed.
  ///   - take: receives the pages in order.
  /// - Throws: `LinkedServiceFailure`; `.endless` if a page begins as the one before; and what `take`
  ///   throws.
  package func list(
    updatedAfter: Instant?, _ take: (Page) throws -> Void
  ) async throws {
    var number = 1
    var first: UUID?
    while true {
      let page = try await page(number, updatedAfter: updatedAfter)
      if let start = page.assets.first?.id {
        guard start != first else { throw LinkedServiceFailure.endless(place: client.place) }
        first = start
      }
      try take(page)
      guard let next = page.next else { return }
      number = next
    }
  }

  /// Fetches the picture of an asset: a preview, or its original.
  ///
  /// - Parameters:
  ///   - asset: the photo or video.
  ///   - isOriginal: true for the original file; a preview is a picture, also for a video.
  ///   - folder: the folder for the file.
  /// - Returns: nil if the server has no preview yet, or no longer the original.
  /// - Throws: `LinkedServiceFailure`, and errors from writing the file.
  package func fetch(
    _ asset: ImmichAsset, isOriginal: Bool, into folder: URL
  ) async throws -> ImmichPhoto? {
    let file = folder.appendingPathComponent(asset.id.uuidString.lowercased())
    let start = "/api/assets/\(asset.id.uuidString.lowercased())"
    let fetched =
      isOriginal
      ? try await client.fetch(
        start + "/original", to: file, size: asset.byteCount ?? 0,
        limit: Int(PhotosImporter.sizeLimit))
      : try await client.fetch(
        start + "/thumbnail", [("size", "preview")], to: file, size: 1 << 20,
        limit: previewLimit)
    guard let fetched, fetched.byteCount > 0 else { return nil }
    return ImmichPhoto(
      asset: asset, file: file, hash: fetched.hash, byteCount: fetched.byteCount,
      mediaType: MediaType(
        sniffing: fetched.head, fileName: isOriginal ? asset.fileName : ""),
      isOriginal: isOriginal)
  }
}
