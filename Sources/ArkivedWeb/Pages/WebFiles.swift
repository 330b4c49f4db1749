import CWebFiles

/// The files of `Resources`: templates, styles, scripts and pictures, which are embedded in the
/// program.
///
/// The C compiler embeds them, because Swift literals took a minute to compile.
enum WebFiles {
  /// The indices of the files by their paths in `Resources`.
  private static let places: [String: Int] = {
    let names = (0..<web_file_count()).map { String(cString: web_file_at($0).name) }
    return Dictionary(uniqueKeysWithValues: zip(names, names.indices))
  }()

  /// The paths of all files.
  static var paths: [String] { places.keys.sorted() }

  /// Returns the contents of a file, or nothing if the path doesn't exist.
  static func content(_ path: String) -> [UInt8] {
    guard let place = places[path] else { return [] }
    let file = web_file_at(place)
    return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}
