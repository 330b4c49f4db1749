/// Finds the elements of a class in a page.
struct HTMLParts {
  private let tokens: [HTMLTokens.Token]
  private let places: [Substring: [Int]]

  init(_ tokens: [HTMLTokens.Token]) {
    self.tokens = tokens
    var places: [Substring: [Int]] = [:]
    for (index, token) in tokens.enumerated() {
      for name in token.classes { places[name, default: []].append(index) }
    }
    self.places = places
  }

  /// Returns the content of the first element with a class.
  func first(_ name: Substring) -> [HTMLTokens.Token]? {
    places[name]?.first.map { content(at: $0) }
  }

  /// Returns the content of each element with a class, except elements nested in another one with
  /// the same class.
  func all(_ name: Substring) -> [[HTMLTokens.Token]] {
    var end = 0
    return (places[name] ?? []).compactMap { place in
      guard place >= end else { return nil }
      let content = content(at: place)
      end = place + content.count + 1
      return content
    }
  }

  /// Returns the tokens between an element's start and its end, or up to the end of the page if it
  /// isn't closed.
  func content(at place: Int) -> [HTMLTokens.Token] {
    guard case .open(let name, _) = tokens[place] else { return [] }
    var depth = 1
    for index in (place + 1)..<max(tokens.count, place + 1) {
      switch tokens[index] {
      case .open(name, _): depth += 1
      case .close(name): depth -= 1
      default: break
      }
      if depth == 0 { return Array(tokens[(place + 1)..<index]) }
    }
    return Array(tokens[(place + 1)...])
  }
}
