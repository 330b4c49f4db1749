import Foundation

/// The scale of the moods and the energy in a vault.
extension VaultReader {
  /// Returns true if a property, `mood` or `energy`, has another scale than 1 to 5 in the pages of
  /// the vault's days, such as one up to ten.
  ///
  /// A single page doesn't show it, so all pages of the run are looked at, once.
  func hasOwnScale(_ key: String) -> Bool {
    guard vault.kind != .arkived else { return false }
    let found = context.notes.found("vault levels \(vault.root.path)") { surveyLevels() }
    return found[key]?.areOthers ?? false
  }

  private func surveyLevels() -> [String: TableLevels] {
    var levels: [String: TableLevels] = [:]
    let home = vault.root.path + "/"
    for page in context.files
    where page.url.path.hasPrefix(home) && vault.day(of: vault.path(of: page)) != nil {
      guard let text = try? PageText.read(page).text else { continue }
      let front = FrontMatter(text)
      let own = vault.kind == .logseq ? LogseqOutline(front.body).properties : []
      for (name, values) in front.properties + own where values.count == 1 {
        levels[name.lowercased(), default: TableLevels()].take(values[0])
      }
    }
    return levels
  }
}
