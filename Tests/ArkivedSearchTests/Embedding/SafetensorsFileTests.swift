import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedSearch

@Suite("The file of a model's weights")
struct SafetensorsFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(header: String, data: Data) throws -> URL {
    var length = UInt64(header.utf8.count).littleEndian
    let file = folder.url.appendingPathComponent("model.safetensors")
    try (Data(bytes: &length, count: 8) + Data(header.utf8) + data).write(to: file)
    return file
  }

  @Test("a tensor is found by name and shape")
  func found() throws {
    let header = """
      {"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}  \
         
      """
    let padded = header + String(repeating: " ", count: (8 - header.utf8.count % 8) % 8)
    let file = try SafetensorsFile(
      self.file(header: padded, data: Data([0, 0, 0x80, 0x3F, 0, 0, 0, 0x40])))
    let tensor = try file.tensor("a", shape: [2, 1])
    #expect(
      file.bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: tensor.offset, as: Float.self) }
        == 1)
    #expect(throws: EmbeddingError.self) { try file.tensor("a", shape: [1, 2]) }
    #expect(throws: EmbeddingError.self) { try file.tensor("b", shape: [2, 1]) }
  }

  @Test(
    "a header that lies is refused with the tensor's name",
    arguments: [
      (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,16]}}"#, "reach beyond"),
      (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}"#, "reach beyond"),
      (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[-8,8]}}"#, "reach beyond"),
      (#"{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}"#, "doesn’t match its"),
      (#"{"a":{"dtype":"F32","shape":[-2,-1],"data_offsets":[0,8]}}"#, "doesn’t match its"),
      (
        #"{"a":{"dtype":"F32","shape":[4611686018427387905,4],"data_offsets":[0,8]}}"#,
        "doesn’t match its"
      ),
      (#"{"a":{"dtype":"F32","shape":"2","data_offsets":[0,8]}}"#, "shape isn’t"),
      (#"{"a":{"dtype":"F32","shape":[2]}}"#, "data_offsets aren’t"),
      (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8.5]}}"#, "data_offsets aren’t"),
      (#"{"a":{"shape":[2],"data_offsets":[0,8]}}"#, "no dtype"),
      (#"{"a":7}"#, "no dtype"),
      (
        #"{"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"#
          + #""a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#, "starts at byte 0"
      ),
    ])
  func lies(header: String, problem: String) throws {
    let padded = header + String(repeating: " ", count: (8 - header.utf8.count % 8) % 8)
    let file = try file(header: padded, data: Data(count: 8))
    let error = try #require(throws: EmbeddingError.self) { try SafetensorsFile(file) }
    #expect("\(error)".contains(problem) && "\(error)".contains("tensor “a”"))
  }

  @Test("a tensor that begins between two floats is refused")
  func unaligned() throws {
    let header = #"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#
    let odd = header + String(repeating: " ", count: 5 - header.utf8.count % 4)
    let file = try file(header: odd, data: Data(count: 8))
    let error = try #require(throws: EmbeddingError.self) { try SafetensorsFile(file) }
    #expect("\(error)".contains("multiple of four"))
  }

  @Test("numbers of another kind are not taken for floats")
  func otherTypes() throws {
    let header = #"{"a":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}}"#
    let file = try SafetensorsFile(file(header: header, data: Data(count: 8)))
    #expect(throws: EmbeddingError.self) { try file.tensor("a", shape: [2]) }
  }

  @Test("a file cut anywhere, or of other content, is refused")
  func truncated() throws {
    let header = #"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}  "#
    let whole = try Data(contentsOf: file(header: header, data: Data(count: 8)))
    let file = folder.url.appendingPathComponent("cut.safetensors")
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: file)
      #expect(throws: EmbeddingError.self) { try SafetensorsFile(file) }
    }
    for content in [whole + [0], Data(repeating: 0xFF, count: 64), Data("[1]".utf8)] {
      try content.write(to: file)
      #expect(throws: EmbeddingError.self) { try SafetensorsFile(file) }
    }
    #expect(throws: EmbeddingError.self) {
      try SafetensorsFile(folder.url.appendingPathComponent("absent"))
    }
  }
}
