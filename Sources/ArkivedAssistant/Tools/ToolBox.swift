package import ArkivedCore
package import ArkivedSearch
package import ArkivedStore
package import Foundation

/// The tools of an archive, the same for the assistant, the API, MCP and the command line.
///
/// A tool reads, adds and proposes; what deletes or overwrites waits until the owner confirms it
/// (Documentation/Decisions/015-confirmation.md).
package struct ToolBox: Sendable {
  package let archive: Archive
  package let zone: Zone
  let indexes: SearchIndexes
  let timelines: ArchiveTimelines

  /// - Parameters:
  ///   - indexes: of search, kept open from one call to the next.
  ///   - timelines: what questions are answered from, kept open likewise.
  package init(
    archive: Archive, zone: Zone, indexes: SearchIndexes? = nil,
    timelines: ArchiveTimelines? = nil
  ) {
    self.archive = archive
    self.zone = zone
    self.indexes = indexes ?? SearchIndexes(archive)
    self.timelines = timelines ?? ArchiveTimelines(archive)
  }

  /// Every tool, in the order in which they are told.
  package static let tools: [ToolDescription] = ToolTable.all.map(\.description)

  /// Does what a call asks for; whatever is wrong with it becomes an error in the answer.
  ///
  /// It reads and writes the archive, so that it belongs on a thread that may wait.
  ///
  /// - Parameter progress: told while entries have to be read first, how many were and how many
  ///   there are at most.
  package func call(
    _ call: ToolCall, by caller: ToolCaller, progress: (Int, Int) -> Void = { _, _ in }
  ) -> ToolAnswer {
    // Programs and models read it, in whatever language its owner's pages are.
    ShownDates.speaking(.english) { answer(call, caller, progress) }
  }

  private func answer(
    _ call: ToolCall, _ caller: ToolCaller, _ progress: (Int, Int) -> Void
  ) -> ToolAnswer {
    guard let tool = ToolTable.named[call.name] else {
      let names = ToolTable.all.map(\.name).joined(separator: ", ")
      return ToolAnswer(
        to: call,
        .error(
          ToolError(
            .unknownTool,
            "There is no tool \(FieldError.shown(call.name)). There are \(names).")))
    }
    do {
      let arguments = try tool.checked(call.arguments)
      let result = try withoutActuallyEscaping(progress) { progress in
        try tool.run(
          ToolWork(
            box: self, caller: caller, tool: tool.name, arguments: arguments, progress: progress))
      }
      return ToolAnswer(to: call, .result(result))
    } catch {
      return ToolAnswer(to: call, .error(ToolError(error)))
    }
  }

  // MARK: The owner's side

  /// Acts that wait for the owner, the newest first.
  ///
  /// - Parameter all: also those that are decided about or expired.
  package func pendingActs(all: Bool = false, limit: Int = 200) throws -> [PendingAct] {
    try archive.pendingActs(all: all, limit: limit)
  }

  /// - Throws: `ArchiveError.notFound`.
  package func pendingAct(_ id: UUID) throws -> PendingAct { try archive.pendingAct(id) }

  /// Carries an act out: the owner's yes, which no model and no agent may give.
  ///
  /// - Throws: `ArchiveError.notFound`, `.refused` where it is decided about or expired, `.conflict`
  ///   where what it is about was changed since.
  package func confirm(_ id: UUID) throws -> PendingAct { try archive.carryOutAct(id) }

  /// The owner's no.
  package func decline(_ id: UUID) throws -> PendingAct { try archive.declineAct(id) }
}

extension ToolError {
  /// What any error means to who called. Text of unknown errors stays inside.
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
        self.init(.failed, "The archive cannot be used as it is. Run arkived doctor.")
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
