import Foundation
import Testing

@testable import ArkivedWeb

@Suite("Multipart forms")
struct MultipartFormTests {
  private func form(_ disposition: String) throws -> MultipartForm {
    let body = "--B\r\n\(disposition)\r\nContent-Type: text/plain\r\n\r\ncontent\r\n--B--\r\n"
    return try MultipartForm(Data(body.utf8), boundary: "B")
  }

  @Test(
    "A part with a file name is a file, however the name is written",
    arguments: [
      ("form-data; name=\"file\"; filename=\"a b.txt\"", "a b.txt"),
      ("form-data; name=file; filename=notes.txt", "notes.txt"),
      ("form-data;name=file;filename=notes.txt", "notes.txt"),
      ("form-data; filename=notes.txt; name=file", "notes.txt"),
      ("form-data; name=\"file\"; FileName = \"notes.txt\"", "notes.txt"),
      ("form-data; name=\"a; filename=b\"; filename=\"notes; 2.txt\"", "notes; 2.txt"),
      ("form-data; name=\"file\"; filename=\"6\\\" board.txt\"", "6\" board.txt"),
      ("form-data; name=\"file\"; filename=\"C:\\a\\notes.txt\"", "C:\\a\\notes.txt"),
      ("form-data; name=\"file\"; filename=\"C:\\\"", "C:\\"),
      ("form-data; name=\"file\"; filename=\"\u{308}a.txt\"", "\u{308}a.txt"),
      ("form-data; name=\"file\"; filename*=UTF-8''M%C3%BCll.txt", "Müll.txt"),
    ])
  func names(disposition: String, name: String) throws {
    let form = try form("Content-Disposition: \(disposition)")
    #expect(form.files.map(\.name) == [name])
    #expect(form.files.map { String(decoding: $0.content, as: UTF8.self) } == ["content"])
    #expect(form.fields.isEmpty)
  }

  @Test(
    "A part without a file name is a field",
    arguments: [
      "form-data; name=\"caption\"", "form-data; name=caption", "form-data;NAME=caption ",
      "form-data; name=\"caption\"; other=\"filename=x\"",
    ])
  func fields(disposition: String) throws {
    let form = try form("content-disposition:\(disposition)")
    #expect(form.files.isEmpty)
    #expect(form.fields == ["caption": "content"])
  }
}
