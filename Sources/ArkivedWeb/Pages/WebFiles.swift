import CWebFiles

/// The files of `Resources`: templates, styles, scripts and pictures, which are part of the program.
///
/// The C compiler puts them there: as Swift literals they took a minute to compile.
enum WebFiles {
  /// The places of the files by their paths from `Resources`.
  private static let places: [String: Int] = {
    let names = (0..<web_file_count()).map { String(cString: web_file_at($0).name) }
    return Dictionary(uniqueKeysWithValues: zip(names, names.indices))
  }()

  /// The paths of all files.
  static var paths: [String] { places.keys.sorted() }

  /// Returns the content of a file, or nothing if there is none of that path.
  static func content(_ path: String) -> [UInt8] {
    guard let place = places[path] else { return [] }
    let file = web_file_at(place)
    return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}
