import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import ArkivedWeb

/// When no further file or connection can be opened, and when the disk is full.
@Suite("Limits of the system")
struct FileDescriptorLimitTests {
  /// The answers to what a program and a browser ask, when it fails.
  private func answers(to error: any Error) throws -> [Response] {
    let failures = FailureMiddleware(pages: Pages())
    return try ["/api/v1/activities", "/day/2026-03-14/note"].map { path in
      let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: path)
      let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
      return try failures.answer(error, to: request, isSignedIn: true)
    }
  }

  @Test(arguments: [EMFILE, ENFILE])
  func whoMeetsTheLimitOfOpenFilesIsToldToTryAgain(code: Int32) throws {
    for answer in try answers(to: IOError(errnoCode: code, reason: "open")) {
      #expect(answer.status == .serviceUnavailable)
      #expect(answer.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 0)
    }
    let failure = WebFailure(IOError(errnoCode: code, reason: "open"))
    #expect(failure.detail.contains("Try again"))
    for other in [EACCES, EIO, ENOENT] {
      #expect(WebFailure(IOError(errnoCode: other, reason: "open")).status.code == 500)
    }
  }

  @Test func aFullDiskIsToldAsSuch() throws {
    let sentence = StorageTrouble.full.sentence
    let answers = try answers(to: CocoaError(.fileWriteOutOfSpace))
    #expect(answers.map(\.status.code) == [507, 507])
    let failure = WebFailure(CocoaError(.fileWriteOutOfSpace))
    #expect(failure.detail == sentence && failure.problem["status"] == 507)
  }

  /// Its cookie could be that of another account's program, and nobody can be asked.
  @Test func aSessionIsNotTakenOnTrustWhileNobodyCanSayWhoseItIs() async throws {
    let web = try WebTest(account: { _, _ in .fileLimitReached })
    try await web.run { client in
      let cookie = try await client.signIn()
      for path in ["/", "/api/v1/tags"] {
        let answer = try await client.get(path, cookie: cookie)
        #expect(answer.status == 503 && answer.headers[.retryAfter] != nil, "\(path)")
      }
      #expect(try await client.ask(.get, "/api/v1/tags").status == 200)
    }
  }

  @Test func theLimitIsRaisedAsFarAsTheSystemLets() throws {
    let raised = try #require(FileDescriptorLimit.raise())
    var limit = rlimit()
    #if canImport(Glibc)
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let files = RLIMIT_NOFILE
    #endif
    #expect(getrlimit(files, &limit) == 0 && limit.rlim_cur == raised)
    #expect(raised >= min(limit.rlim_max, FileDescriptorLimit.wanted))
    #expect(!FileDescriptorLimit.isReached)
  }
}
