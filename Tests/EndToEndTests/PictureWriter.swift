import ArkivedCore
import ArkivedTestSupport
import Foundation

/// Writes pictures with libvips, which the program itself uses to read them: those that are too
/// large to be made here, and those of formats for which the tests have no encoder.
enum PictureWriter {
  private static let script = """
    import ctypes, sys
    vips = ctypes.CDLL("libvips.so.42")
    file, width, height = sys.argv[1:]
    whole, image = ctypes.c_int, ctypes.c_void_p()
    failed = vips.vips_init(b"tests") or vips.vips_black(
        ctypes.byref(image), whole(int(width)), whole(int(height)), b"bands", whole(3), None)
    sys.exit(1 if failed or vips.vips_image_write_to_file(image, file.encode(), None) else 0)
    """

  /// Returns true if python3 and a libvips that writes a format are installed.
  static func canWrite(_ format: String) -> Bool {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? black("small.\(format)", width: 64, height: 48, in: folder)) != nil
  }

  /// Returns a black picture.
  ///
  /// - Parameters:
  ///   - name: a file name with the ending of the format, followed by libvips's options, such as
  ///     "a.jpg[interlace]".
  ///   - width: the number of columns of pixels.
  ///   - height: the number of rows of pixels.
  ///   - folder: the folder to write it to.
  /// - Returns: the file.
  /// - Throws: `FieldError` if it couldn't be written.
  static func black(
    _ name: String, width: Int, height: Int, in folder: TemporaryFolder
  ) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, "\(folder.url.path)/\(name)", "\(width)", "\(height)"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw FieldError("picture", "couldn't be written by libvips")
    }
    let file = folder.url.appendingPathComponent(String(name.prefix { $0 != "[" }))
    return try Data(contentsOf: file)
  }
}
