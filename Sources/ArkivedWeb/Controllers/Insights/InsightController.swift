import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of insights as documents: `/api/v1/insights/{topic}`.
struct InsightController: Sendable {
  let archive: Archive
  let zone: Zone
  let timelines: ArchiveTimelines

  func addRoutes(to group: RouterGroup<WebContext>) {
    for topic in InsightTopic.allCases {
      group.get("/insights/\(topic.rawValue)") { request, _ in
        try await document(topic, request)
      }
    }
  }

  private func document(_ topic: InsightTopic, _ request: Request) async throws -> Response {
    try request.refuseArguments(besides: Set(topic.arguments))
    let question = try question(topic, request.fields)
    return Response(json: try await offServer { try report(question).json })
  }

  var engine: InsightEngine {
    InsightEngine(archive: archive, zone: zone, timelines: timelines)
  }

  /// Parses a question.
  ///
  /// - Throws: `WebFailure` 400 with the name of the argument.
  func question(_ topic: InsightTopic, _ fields: FormFields) throws -> InsightQuestion {
    do throws(FieldError) {
      return try InsightQuestion(topic, today: zone.dayKey(at: archive.clock.now)) {
        fields.text($0)
      }
    } catch {
      throw WebFailure(
        .badRequest, "Invalid value", error.description + ".", field: error.field)
    }
  }

  /// Returns the report.
  ///
  /// - Throws: `WebFailure` 400 if an argument names something that the archive doesn't have.
  func report(_ question: InsightQuestion) throws -> InsightReport {
    do {
      return try engine.report(question)
    } catch let error as FieldError {
      throw WebFailure(
        .badRequest, "Invalid value", error.description + ".", field: error.field)
    }
  }
}
