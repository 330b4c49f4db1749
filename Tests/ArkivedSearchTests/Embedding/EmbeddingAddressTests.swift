import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedSearch

@Suite("An address for embeddings")
struct EmbeddingAddressTests {
  @Test(
    "is on this computer where its host says so in so many words",
    arguments: [
      ("http://127.0.0.1:11434/v1/embeddings", true), ("http://LOCALHOST/v1/embeddings", true),
      ("https://127.200.3.4/e", true), ("http://[::1]:8080/v1/embeddings", true),
      ("http://[0:0:0:0:0:0:0:1]/e", true), ("http://10.0.0.1/e", false),
      ("http://128.0.0.1/e", false), ("http://localhost.example.org/e", false),
      ("http://127.0.0.1.example.org/e", false), ("http://127.1/e", false),
      ("http://2130706433/e", false), ("http://0x7f.0.0.1/e", false),
      ("http://0.0.0.0/e", false), ("http://[::ffff:127.0.0.1]/e", false),
      ("http://[::2]/e", false), ("https://api.example.org/v1/embeddings?version=1", false),
    ])
  func loopback(text: String, isLoopback: Bool) throws {
    #expect(try EmbeddingAddress(text).isLoopback == isLoopback)
  }

  @Test(
    "is refused where it can be read in several ways, or holds what does not belong there",
    arguments: [
      ("", "isn’t an address"), ("127.0.0.1:11434/v1", "isn’t an address"),
      ("localhost/v1", "isn’t an address"),
      ("ftp://127.0.0.1/e", "http:// or https://"), ("file:///etc/passwd", "http:// or https://"),
      ("http+unix://socket/e", "http:// or https://"),
      ("http://me@127.0.0.1/e", "name or password"),
      ("http://127.0.0.1:secret@example.org/e", "name or password"),
      ("http://@127.0.0.1/e", "name or password"),
      ("http://127.0.0.1/e#part", "“#”"), ("http://127.0.0.1/e#", "“#”"),
      ("http:///e", "host"), ("http:/e", "host"), ("http://127.0.0.1:0/e", "port"),
      ("http://127.0.0.1:65536/e", "port"), ("http://127.0.0.1:11434", "/v1/embeddings"),
      ("http://127.0.0.1:11434/", "/v1/embeddings"), ("http://127.0.0.1/a b", "isn’t an address"),
      ("http://127.0.0.1\\@example.org/e", "isn’t an address"), ("http://127.0.0.1%2f/e", "host"),
      ("http://127.0.0.1/e\r\nX: y", "isn’t an address"),
    ])
  func refusals(text: String, problem: String) throws {
    let refusal = try #require(throws: EmbeddingAddress.Refusal.self) { try EmbeddingAddress(text) }
    #expect(refusal.problem.contains(problem), "\(refusal.problem)")
  }
}

@Suite("The settings of an address for embeddings")
struct EmbeddingSettingsTests {
  private let folder: TemporaryFolder
  private let settings: EmbeddingSettings

  init() throws {
    folder = try TemporaryFolder()
    settings = EmbeddingSettings(
      address: try EmbeddingAddress("http://127.0.0.1:8080/v1/embeddings"), model: "small",
      dimensions: 256, width: 256, scale: SimilarityScale(unrelated: 0.5, related: 0.75),
      token: "secret-1")
  }

  private var file: URL { folder.url.appendingPathComponent(EmbeddingSettings.fileName) }

  @Test("are kept in a file that only their owner may read, and go without a trace")
  func theFile() throws {
    #expect(try EmbeddingSettings.read(in: folder.url) == nil)
    try settings.save(in: folder.url)
    #expect(try EmbeddingSettings.read(in: folder.url) == settings)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    try EmbeddingSettings.remove(in: folder.url)
    try EmbeddingSettings.remove(in: folder.url)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test("with a secret are not used while others may read them")
  func othersMayRead() throws {
    try settings.save(in: folder.url)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    let error = try #require(throws: FieldError.self) {
      try EmbeddingSettings.read(in: folder.url)
    }
    #expect("\(error)".contains(file.path) && "\(error)".contains("can be read by others"))
  }

  @Test(
    "that are damaged, or lead elsewhere without leave, are told of and not used",
    arguments: [
      "", "{", "[]", #"{"address":"http://127.0.0.1/e"}"#,
      #"{"address":"http://example.org/e","model":"m","width":8,"unrelated":0,"related":1}"#,
      #"{"address":"ftp://127.0.0.1/e","model":"m","width":8,"unrelated":0,"related":1}"#,
      #"{"address":"http://127.0.0.1/e","model":"m","width":0,"unrelated":0,"related":1}"#,
      #"{"address":"http://127.0.0.1/e","model":"m","width":5000,"unrelated":0,"related":1}"#,
      #"{"address":"http://127.0.0.1/e","model":"","width":8,"unrelated":0,"related":1}"#,
    ])
  func damage(text: String) throws {
    _ = try folder.file(EmbeddingSettings.fileName, text)
    let error = try #require(throws: FieldError.self) {
      try EmbeddingSettings.read(in: folder.url)
    }
    #expect("\(error)".contains(file.path))
  }

  @Test("name their vectors' file by address, model and dimensions, and by nothing else")
  func identity() throws {
    #expect(settings.identity == "address-fc4aeccd8edd51f7")
    var other = settings
    other.token = nil
    other.scale = .miniLM
    #expect(other.identity == settings.identity)
    var all: Set = [settings.identity]
    for change: (inout EmbeddingSettings) throws -> Void in [
      { $0.address = try EmbeddingAddress("http://127.0.0.1:8081/v1/embeddings") },
      { $0.model = "large" }, { $0.dimensions = nil }, { $0.width = 128 },
    ] {
      var changed = settings
      try change(&changed)
      all.insert(changed.identity)
    }
    #expect(all.count == 5)
  }

  @Test("read cosines as those of the built-in model, in another range")
  func scales() {
    let scale = SimilarityScale(unrelated: 0.7, related: 0.9)
    let miniLM = SimilarityScale.miniLM
    #expect(abs(scale.cosine(like: miniLM.unrelated) - 0.7) < 1e-9)
    #expect(abs(scale.cosine(like: miniLM.related) - 0.9) < 1e-9)
    #expect((0.7..<0.9).contains(scale.cosine(like: 0.25)))
    #expect(abs(miniLM.cosine(like: 0.25) - 0.25) < 1e-9)
    let blind = SimilarityScale(unrelated: 0.8, related: 0.81)
    #expect(!blind.tellsApart && blind.cosine(like: 0.25) == 0.8)
  }
}
