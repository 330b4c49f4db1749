import ArkivedCore
import ArkivedEngine
import Foundation

/// A job that reads another archive or a backup for the owner, who then decides what happens to it.
protocol ArchiveFileJob: Sendable, Identifiable where ID == UUID {
  /// The name that the owner knows.
  var name: String { get }
  var stage: ArchiveFileStage { get set }
  var progress: ImportProgress? { get set }
  var isCancelled: Bool { get set }
  /// The error, as a sentence.
  var problem: String? { get set }
}

extension ArchiveFileJob {
  var isRunning: Bool { stage == .reading || stage == .working }

  /// The state of the job for its page.
  var context: [String: Any] {
    var isForKey = false
    var isLocked = false
    if case .locked(let wantsKey) = stage { (isLocked, isForKey) = (true, wantsKey) }
    let percent = progress.map { min(100, max(0, Int($0.fraction * 100))) }
    return [
      "jobID": id.uuidString, "jobName": ClippedText.of(name, limit: 120),
      "isRunning": isRunning, "isLocked": isLocked, "isForKey": isForKey,
      "hasLook": stage == .ready, "hasEnded": stage == .ended, "isCancelling": isCancelled,
      "percent": "\(percent ?? 0)", "percentText": PercentText.shown(percent ?? 0),
      "hasPercent": percent != nil, "hasProblem": problem != nil,
      "problem": problem.map { ClippedText.of(saidAgain($0), limit: 500) } ?? "",
    ]
  }
}

/// The stage of a job that reads another archive or a backup.
enum ArchiveFileStage: Hashable, Sendable {
  case reading
  /// The file needs a passphrase or secret key that wasn't given yet.
  case locked(isForKey: Bool)
  /// The preview is complete and waits for the owner's choice.
  case ready
  case working
  case ended
}
