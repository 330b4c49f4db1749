import ArkivedCore
import ArkivedStore
import Foundation

extension Archive {
  /// The language of what the server tells its owner outside of pages: the chosen one, or that of
  /// the system where pages speak as the browser asks.
  var spokenLanguage: Language {
    (try? preferences())?.language.fixed
      ?? Language.ofTerminal(ProcessInfo.processInfo.environment)
  }
}
