package import ArkivedCore
package import ArkivedSearch
package import ArkivedStore
package import Foundation

/// The tools of an archive, the same for the assistant, the API, MCP and the command line.
///
/// A tool reads, adds and proposes; deleting or overwriting waits for the owner's confirmation
/// (Documentation/Decisions/015-confirmation.md).
package struct ToolBox: Sendable {
  package let archive: Archive
  package let zone: Zone
  let indexes: SearchIndexes
  let timelines: ArchiveTimelines

  /// Creates the tools of an archive.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - zone: the time zone.
  ///   - indexes: the search indexes, which stay open between calls.
  ///   - timelines: the data for answers, which stays open as well.
  package init(
    archive: Archive, zone: Zone, indexes: SearchIndexes? = nil,
    timelines: ArchiveTimelines? = nil
  ) {
    self.archive = archive
    self.zone = zone
    let indexes = indexes ?? SearchIndexes(archive)
    self.indexes = indexes
    self.timelines = timelines ?? ArchiveTimelines(archive, indexes: indexes)
  }

  /// All tools, in display order.
  package static let tools: [ToolDescription] = ToolTable.all.map(\.description)

  /// Runs a call and reports any problem as an error in the answer.
  ///
  /// The call reads and writes the archive, so it belongs on a thread that may block.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - caller: who calls.
  ///   - once: the request; nil if it may not be repeated.
  ///   - progress: called while entries are being read for the first time, with the number read and
  ///     the maximum total.
  /// - Returns: the answer.
  package func call(
    _ call: ToolCall, by caller: ToolCaller, once: ToolRequest? = nil,
    progress: (Int, Int) -> Void = { _, _ in }
  ) -> ToolAnswer {
    // Programs and models read it, regardless of the language of the owner's pages.
    ShownDates.speaking(.english) { answer(call, caller, once, progress) }
  }

  private func answer(
    _ call: ToolCall, _ caller: ToolCaller, _ once: ToolRequest?, _ progress: (Int, Int) -> Void
  ) -> ToolAnswer {
    guard let tool = ToolTable.named[call.name] else {
      let names = ToolTable.all.map(\.name).joined(separator: ", ")
      return ToolAnswer(
        to: call,
        .error(
          ToolError(
            .unknownTool,
            "No tool named \(FieldError.shown(call.name)). Available: \(names).")))
    }
    do {
      let arguments = try tool.checked(call.arguments)
      let result = try withoutActuallyEscaping(progress) { progress in
        try tool.run(
          ToolWork(
            box: self, caller: caller, tool: tool.name, arguments: arguments, call: call,
            once: once, progress: progress))
      }
      return ToolAnswer(to: call, .result(result))
    } catch {
      return ToolAnswer(to: call, .error(ToolError(error)))
    }
  }

  // MARK: Confirmation by the owner

  /// Returns acts that are waiting for the owner, newest first.
  ///
  /// - Parameters:
  ///   - all: true to include those that were decided or have expired.
  ///   - limit: the maximum number of acts.
  /// - Returns: the acts.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func pendingActs(all: Bool = false, limit: Int = 200) throws -> [PendingAct] {
    try archive.pendingActs(all: all, limit: limit)
  }

  /// Returns the number of these acts, without a limit.
  package func countPendingActs(all: Bool = false) throws -> Int {
    try archive.countPendingActs(all: all)
  }

  /// Returns an act.
  ///
  /// - Throws: `ArchiveError.notFound` if there is no such act.
  package func pendingAct(_ id: UUID) throws -> PendingAct { try archive.pendingAct(id) }

  /// Carries out an act that the owner confirmed, which no model and no agent can do.
  ///
  /// - Throws: `ArchiveError.notFound`, `.refused` if it was decided or has expired, `.conflict` if
  ///   its subject has changed in the meantime.
  package func confirm(_ id: UUID) throws -> PendingAct { try archive.carryOutAct(id) }

  /// Declines an act on the owner's behalf.
  package func decline(_ id: UUID) throws -> PendingAct { try archive.declineAct(id) }
}

extension ToolError {
  /// Converts any error for the caller.
  ///
  /// The text of unknown errors isn't disclosed.
  package init(_ error: any Error) {
    switch error {
    case let error as ToolError: self = error
    case let error as FieldError:
      self.init(.invalidArgument, "\(error).", argument: error.field)
    case let error as ArchiveError:
      switch error {
      case .notFound: self.init(.notFound, error.description)
      case .ambiguous: self.init(.invalidArgument, error.description)
      case .conflict: self.init(.conflict, error.description)
      case .busy: self.init(.busy, error.description)
      case .refused, .notEmpty: self.init(.refused, error.description)
      case .newerArchive, .cannotOpen, .displaced, .damaged, .missing, .otherArchive, .torn:
        self.init(.failed, "The archive can’t be used in its current state. Run arkived doctor.")
      }
    default:
      if let trouble = StorageTrouble(error) {
        self.init(trouble == .busy ? .busy : .failed, trouble.sentence)
      } else {
        self.init(.failed, "This should not have happened. Nothing was changed.")
      }
    }
  }
}
