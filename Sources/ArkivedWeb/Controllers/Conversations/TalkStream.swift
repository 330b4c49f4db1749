import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// An answer in progress, as server-sent events: `{"piece":"…"}` repeatedly, and finally
/// `{"location":"…"}` with its address, or `{"error":"…"}`.
enum TalkStream {
  /// Returns a streaming response.
  ///
  /// - Parameter work: creates and stores the answer; it receives a closure for sending text.
  /// - Returns: the response.
  static func response(
    _ work:
      @escaping @Sendable (@escaping @Sendable (String) async -> Void) async throws ->
      KeptAnswer
  ) -> Response {
    var response = Response(status: .ok)
    response.headers[.contentType] = "text/event-stream; charset=utf-8"
    response.headers[.cacheControl] = "no-store, no-transform"
    response.headers[.name("X-Accel-Buffering")] = "no"
    let preferences = ShownDates.preferences
    response.body = ResponseBody { writer in
      let (pieces, told) = AsyncStream.makeStream(of: String.self)
      let asking = Task { () async throws -> KeptAnswer in
        defer { told.finish() }
        return try await work { piece in told.yield(piece) }
      }
      do {
        for await piece in pieces {
          try await writer.write(event(["piece": .string(piece)]))
        }
      } catch {
        // The reader has left or pressed Stop, so nothing more is requested from the model.
        asking.cancel()
        throw error
      }
      let last = await ShownDates.$preferences.withValue(preferences) { await Self.end(of: asking) }
      try await writer.write(event(last))
      try await writer.finish(nil)
    }
    return response
  }

  private static func end(of asking: Task<KeptAnswer, any Error>) async -> JSON {
    do {
      return ["location": JSON(try await asking.value.location)]
    } catch let error as FieldError {
      return ["error": .string(saidAgain("The \(error.description)."))]
    } catch let error as ArchiveError {
      return ["error": .string(saidAgain(error.description))]
    } catch {
      return [
        "error": .string(
          said("This couldn’t be answered. Your text is still in the field."))
      ]
    }
  }

  private static func event(_ json: JSON) -> ByteBuffer {
    ByteBuffer(string: "data: \(json.text())\n\n")
  }
}
