import ArkivedCore
import Foundation

/// A path on this computer that the owner typed instead of uploading a file.
enum TypedPath {
  /// The problem with a path, in a sentence.
  struct Problem: Error {
    let sentence: String
  }

  private static let lengthLimit = 4_000

  /// Reads a path.
  ///
  /// - Throws: `Problem` if it is not an absolute path or doesn't exist.
  static func read(_ text: String) throws(Problem) -> URL {
    let typed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let full = HomeFolder.expandingTilde(typed)
    guard !typed.isEmpty else {
      throw Problem(
        sentence: said("The path is missing. Enter where the file or folder is."))
    }
    guard !typed.utf8.contains(0), typed.utf8.count <= lengthLimit else {
      throw Problem(sentence: said("This isn’t a valid path."))
    }
    guard full.hasPrefix("/") else {
      throw Problem(
        sentence: said("The path \(FieldError.shown(typed)) must begin with / or ~."))
    }
    guard FileManager.default.fileExists(atPath: full) else {
      throw Problem(
        sentence: said("No file or folder found at \(FieldError.shown(typed))."))
    }
    return URL(fileURLWithPath: full)
  }
}
