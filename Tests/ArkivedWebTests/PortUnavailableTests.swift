import Foundation
import NIOCore
import Testing

@testable import ArkivedWeb

@Suite("A port that the server can’t listen on")
struct PortUnavailableTests {
  @Test func theReasonIsKnownFromTheSystemsError() {
    func failure(_ code: Int32) -> PortUnavailable? {
      PortUnavailable(IOError(errnoCode: code, reason: "bind"), port: 80)
    }
    #expect(failure(EADDRINUSE) == PortUnavailable(.inUse, port: 80))
    #expect(failure(EACCES) == PortUnavailable(.forbidden, port: 80))
    #expect(failure(EPERM) == PortUnavailable(.forbidden, port: 80))
    #expect(failure(ECONNABORTED) == nil)
  }
}
