import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The pages of insights, with their tables and charts as files.
struct InsightPageController: Sendable {
  let insights: InsightController
  let pages: Pages

  func addRoutes(to router: Router<WebContext>) {
    for topic in InsightTopic.allCases {
      router.get("\(InsightTab.topic(topic).href)") { request, _ in try await page(topic, request) }
      router.get("/insights/\(topic.rawValue).csv") { request, _ in
        try await table(topic, request)
      }
      router.get("/insights/\(topic.rawValue).svg") { request, _ in
        try await chart(topic, request)
      }
    }
  }

  private func page(_ topic: InsightTopic, _ request: Request) async throws -> Response {
    let question = try question(topic, request)
    let (newest, report) = try await offServer {
      (try insights.archive.newestChange(), try insights.report(question))
    }
    return try pages.page(
      "insights", title: said("Insights: \(report.title)"), section: .insights,
      known: .upTo(newest),
      InsightPage(report: report, question: question).context)
  }

  /// Parses a question from a form, which sends the days in its hidden fields even with another
  /// choice of span; that choice takes precedence.
  private func question(_ topic: InsightTopic, _ request: Request) throws -> InsightQuestion {
    let fields = request.fields
    guard let span = fields.text("span"), span != "days" else {
      return try insights.question(topic, fields)
    }
    return try insights.question(topic, fields.leavingOut(["from", "to"]))
  }

  private func table(_ topic: InsightTopic, _ request: Request) async throws -> Response {
    // Programs read the tables, so they are in English.
    var preferences = ShownDates.preferences
    preferences.language = .english
    let (_, section) = try await ShownDates.$preferences.withValue(preferences) {
      try await self.section(topic, request, where: { _ in true })
    }
    return file(
      Array(section.table.csv.utf8), "text/csv; charset=utf-8", topic, section.key, "csv")
  }

  private func chart(_ topic: InsightTopic, _ request: Request) async throws -> Response {
    let (report, section) = try await section(topic, request, where: { $0.chart != nil })
    guard let chart = section.chart else {
      throw WebFailure(.notFound, "No chart", "There’s no chart for this.")
    }
    let title = InsightPage.label(section, report, hasTable: false)
    let svg = InsightDrawings(target: .file, title: title).html(chart)
    return file(Array(svg.utf8), "image/svg+xml", topic, section.key, "svg")
  }

  /// Returns the section for a file: the one that is named, or the first suitable one.
  private func section(
    _ topic: InsightTopic, _ request: Request,
    where isFit: @escaping @Sendable (InsightReport.Section) -> Bool
  ) async throws -> (InsightReport, InsightReport.Section) {
    let question = try question(topic, request)
    let key = request.fields.text("section")
    let report = try await offServer { try insights.report(question) }
    let fit = report.sections.filter(isFit)
    guard let section = key.map({ key in fit.first { $0.key == key } }) ?? fit.first else {
      if let key, !fit.isEmpty {
        let known = fit.map(\.key).joined(separator: ", ")
        throw WebFailure(
          .badRequest, "Invalid value",
          "section is \(FieldError.shown(key)), but must be one of \(known).", field: "section")
      }
      throw WebFailure(
        .notFound, "Nothing to save", report.statements.first ?? "There’s nothing to save.")
    }
    return (report, section)
  }

  private func file(
    _ bytes: [UInt8], _ type: String, _ topic: InsightTopic, _ key: String, _ ending: String
  ) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: type,
        .contentDisposition: "attachment; filename=\"arkived-\(topic.rawValue)-\(key).\(ending)\"",
      ], body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
