import Mustache
import Synchronization

/// The templates in one language, each parsed with its parts when it is first rendered, so a server
/// starts without waiting for templates that nobody opens.
final class PageTemplates: Sendable {
  private let sentence: (@Sendable (String) -> String?)?
  private let parsed = Mutex<[String: MustacheLibrary]>([:])
  private let templates = Mutex<[String: MustacheTemplate]>([:])

  /// Creates the templates.
  ///
  /// - Parameter sentence: returns the translation of a message; without it, templates are
  ///   unchanged.
  init(saying sentence: (@Sendable (String) -> String?)? = nil) { self.sentence = sentence }

  /// Renders a template.
  ///
  /// - Parameters:
  ///   - name: the name of the template.
  ///   - context: its values.
  /// - Returns: the text, or nil if the template doesn't exist.
  /// - Throws: an error if the template or one of its parts can't be parsed.
  func html(_ name: String, _ context: [String: Any]) throws -> String? {
    try library(name).render(context, withTemplate: name)
  }

  /// Returns a template and the parts that it and its parts include.
  private func library(_ name: String) throws -> MustacheLibrary {
    if let library = parsed.withLock({ $0[name] }) { return library }
    var found: [String: MustacheTemplate] = [:]
    var missing = [name]
    while let next = missing.popLast() {
      guard found[next] == nil, let source = Self.sources[next] else { continue }
      found[next] = try template(next, source)
      missing += Self.parts(of: source)
    }
    let library = MustacheLibrary(templates: found)
    parsed.withLock { $0[name] = library }
    return library
  }

  private func template(_ name: String, _ source: String) throws -> MustacheTemplate {
    if let template = templates.withLock({ $0[name] }) { return template }
    let said = sentence.map { TemplateWords(sentence: $0).translated(source) } ?? source
    let template = try MustacheTemplate(string: "{{% CONTENT_TYPE: \(HTMLText.name)}}\(said)")
    templates.withLock { $0[name] = template }
    return template
  }

  /// Returns the names of the parts that a template includes with `{{> name}}`.
  static func parts(of source: String) -> [String] {
    // The part before the first tag isn't one, even if it is empty.
    source.split(separator: "{{>", omittingEmptySubsequences: false).dropFirst().compactMap {
      rest in
      rest.firstRange(of: "}}").map { end in
        String(rest[..<end.lowerBound].drop { $0 == " " }.prefix { $0 != " " })
      }
    }
  }

  /// The sources of the templates by name.
  static let sources: [String: String] = {
    var sources: [String: String] = [:]
    for path in WebFiles.paths where path.hasPrefix("templates/") && path.hasSuffix(".mustache") {
      let name = path.dropFirst("templates/".count).dropLast(".mustache".count)
      sources[String(name)] = String(decoding: WebFiles.content(path), as: UTF8.self)
    }
    return sources
  }()
}
