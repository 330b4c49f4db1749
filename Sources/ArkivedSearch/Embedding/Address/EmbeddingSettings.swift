import ArkivedCore
import ArkivedStore
package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The address that embeds the archive's texts instead of the built-in model, stored in
/// `embeddings.json` in the archive's folder and readable only by its owner.
///
/// Without this file, the built-in model is used.
package struct EmbeddingSettings: Hashable, Sendable {
  package var address: EmbeddingAddress
  /// The server's name for the model.
  package var model: String
  /// The number of dimensions to request, or nil to leave it to the server.
  package var dimensions: Int?
  /// The number of dimensions the model returned when it was set up.
  package var width: Int
  package var scale: SimilarityScale
  /// True if the owner allowed texts to be sent to another computer.
  package var allowsRemote: Bool
  /// The token sent as `Authorization: Bearer`.
  package var token: String?

  package static let fileName = "embeddings.json"

  package init(
    address: EmbeddingAddress, model: String, dimensions: Int? = nil, width: Int,
    scale: SimilarityScale, allowsRemote: Bool = false, token: String? = nil
  ) {
    self.address = address
    self.model = model
    self.dimensions = dimensions
    self.width = width
    self.scale = scale
    self.allowsRemote = allowsRemote
    self.token = token
  }

  /// An ID suitable for a file name.
  ///
  /// It doesn't include the secret, because a different secret gives access to the same model.
  package var identity: String {
    let parts = [address.url, model, dimensions.map(String.init) ?? "", String(width)]
    var text = parts.joined(separator: "\0")
    let hash = text.withUTF8 { XXHash64.hash(UnsafeRawBufferPointer($0)) }
    let digits = String(hash, radix: 16)
    return "address-" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  // MARK: The file

  private static func file(in folder: URL) -> URL { folder.appendingPathComponent(fileName) }

  /// Reads the settings.
  ///
  /// - Parameter folder: the archive's folder.
  ///
  /// - Returns: nil if the built-in model is used.
  ///
  /// - Throws: `FieldError` with the file and its problem.
  package static func read(in folder: URL) throws -> EmbeddingSettings? {
    try AddressSettingsFile(file(in: folder)).read(EmbeddingSettings.init(_:)) { settings in
      settings.token != nil
    }
  }

  /// Reads the settings from JSON.
  ///
  /// - Throws: `FieldError` with a field that is missing or invalid.
  init(_ object: JSONObject) throws {
    var fields = FieldReader(object)
    let text = try fields.required("address")
    do throws(EmbeddingAddress.Refusal) {
      address = try EmbeddingAddress(text)
    } catch {
      throw FieldError("address", error.problem)
    }
    model = try fields.required("model")
    dimensions = try fields.int("dimensions")
    width = try fields.int("width") ?? 0
    guard VectorWidth.range.contains(width), dimensions == nil || dimensions == width else {
      throw FieldError("width", "must be 1 to \(VectorWidth.range.upperBound)")
    }
    guard let unrelated = try fields.double("unrelated"), let related = try fields.double("related")
    else { throw FieldError("related", "or “unrelated” is missing") }
    scale = SimilarityScale(unrelated: unrelated, related: related)
    allowsRemote = try fields.bool("allowRemote") ?? false
    guard allowsRemote || address.isLoopback else {
      throw FieldError("address", "is on another computer, which “allowRemote” doesn’t allow")
    }
    token = try fields.string("token")
    guard !model.isEmpty, token.map(EmbeddingSettings.isToken) ?? true else {
      throw FieldError("model", "is empty, or “token” contains characters that can’t be sent")
    }
  }

  private var json: JSON {
    var object: JSONObject = [
      "address": .string(address.url), "model": .string(model), "width": JSON(width),
      "unrelated": .number(scale.unrelated), "related": .number(scale.related),
      "allowRemote": .bool(allowsRemote),
    ]
    if let dimensions { object["dimensions"] = JSON(dimensions) }
    if let token { object["token"] = .string(token) }
    return .object(object)
  }

  /// Saves the settings durably.
  package func save(in folder: URL) throws {
    try DurableFile.write(
      Data((json.text(indented: true) + "\n").utf8), to: EmbeddingSettings.file(in: folder))
  }

  /// Returns to the built-in model, durably.
  package static func remove(in folder: URL) throws {
    guard Stamp(in: folder) != nil else { return }
    try FileManager.default.removeItem(at: file(in: folder))
    try DurableFile.toleratingUnflushable { try DurableFile.synchronise(folder) }
  }

  /// Returns true if a secret can be sent in a header: it must be one visible line.
  package static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 8192 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// A stamp that shows whether the file is still the one that was read.
  package struct Stamp: Hashable, Sendable {
    private let inode: UInt64
    private let size: Int
    private let mode: mode_t
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the stamp of the file; nil if the file doesn't exist.
    ///
    /// A file that cannot be examined counts as present.
    ///
    /// - Parameter folder: the archive's folder.
    package init?(in folder: URL) {
      var status = stat()
      if stat(EmbeddingSettings.file(in: folder).path, &status) != 0 {
        if [ENOENT, ENOTDIR].contains(errno) { return nil }
        status = stat()
      }
      inode = UInt64(status.st_ino)
      size = Int(status.st_size)
      mode = status.st_mode
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
    }
  }
}

/// The allowed numbers of dimensions.
package enum VectorWidth {
  package static let range = 1...4096

  /// Returns the width at which vectors are stored, padded to whole words of sign bits.
  ///
  /// Trailing zeros don't change any cosine.
  static func padded(_ width: Int) -> Int { (width + 63) / 64 * 64 }
}
