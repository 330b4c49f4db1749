import ArkivedCore
import ArkivedStore
import Foundation

extension Archive {
  /// The language of the server's messages to its owner outside of pages: the chosen one, or the
  /// system's if pages follow the browser.
  var spokenLanguage: Language {
    (try? preferences())?.language.fixed
      ?? Language.ofTerminal(ProcessInfo.processInfo.environment)
  }
}
