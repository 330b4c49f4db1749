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

  /// What stands in the first element of a class.
  func first(_ name: Substring) -> [HTMLTokens.Token]? {
    places[name]?.first.map { content(at: $0) }
  }

  /// What stands in each element of a class, without those inside another one of it.
  func all(_ name: Substring) -> [[HTMLTokens.Token]] {
    var end = 0
    return (places[name] ?? []).compactMap { place in
      guard place >= end else { return nil }
      let content = content(at: place)
      end = place + content.count + 1
      return content
    }
  }

  /// The tokens between an element's begin and its end; to the end of the page where it doesn't end.
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
