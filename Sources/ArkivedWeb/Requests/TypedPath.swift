import ArkivedCore
import Foundation

/// A path on this computer that its owner typed, in place of handing a file in.
enum TypedPath {
  /// What is wrong with it, in a sentence.
  struct Problem: Error {
    let sentence: String
  }

  private static let lengthLimit = 4_000

  /// - Throws: `Problem` for what is no whole path, or leads to nothing.
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
