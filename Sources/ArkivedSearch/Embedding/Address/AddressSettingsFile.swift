package import ArkivedCore
package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file with the address of a model and perhaps its secret, in JSON.
package struct AddressSettingsFile {
  private static let largestFile = 64 << 10

  private let url: URL

  package init(_ url: URL) { self.url = url }

  /// Reads the settings.
  ///
  /// - Parameters:
  ///   - decode: decodes them from JSON.
  ///   - hasSecret: returns true if they contain a secret, which others may not be able to read.
  /// - Returns: nil if there is no such file.
  /// - Throws: `FieldError` that names the file and the problem.
  package func read<Settings>(
    _ decode: (JSONObject) throws -> Settings, hasSecret: (Settings) -> Bool
  ) throws -> Settings? {
    var status = stat()
    if stat(url.path, &status) != 0 {
      if [ENOENT, ENOTDIR].contains(errno) { return nil }
      status = stat()
    }
    func wrong(_ problem: String) -> FieldError { FieldError(url.path, problem) }
    guard Int(status.st_size) <= Self.largestFile else { throw wrong("is larger than expected") }
    let object: JSONObject
    do {
      guard let found = try JSON(parsing: Data(contentsOf: url)).object else {
        throw wrong("must contain an object")
      }
      object = found
    } catch let error as FieldError {
      throw error
    } catch {
      throw wrong("can’t be read (\(error))")
    }
    let settings: Settings
    do {
      settings = try decode(object)
    } catch let error as FieldError {
      throw wrong("is invalid: \(error)")
    }
    guard !hasSecret(settings) || status.st_mode & 0o077 == 0 else {
      throw wrong("contains a secret and can be read by others")
    }
    return settings
  }
}
