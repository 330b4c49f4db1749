import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// The main program of the process that reads files: it drops its own privileges, and answers until
/// its caller exits.
package enum ReaderService {
  /// The processor time in seconds without a sign of work after which the system ends the process.
  static let processorSeconds: UInt32 = 600
  /// The interval in milliseconds between two checks that the caller still exists.
  private static let round: Int32 = 1_000

  package static func serve() -> Never {
    ReaderDuty.confine()
    let answers = AnswerSender()
    let thread = Thread {
      var desk = ReaderDesk(answers: answers)
      desk.work()
      ReaderDuty.end()
    }
    // Importers may recurse into nested input as deep as on the main thread.
    thread.stackSize = 8 << 20
    thread.start()
    // The caller may have exited while an endless file is being read.
    while !ReaderDuty.awaitEnd(milliseconds: round) { answers.tick() }
    ReaderDuty.end()
  }
}

/// Sends answers in large pieces, and occasional signs of activity.
private final class AnswerSender: Sendable {
  private struct State {
    var frames = FrameWriter()
    /// True if a request is being answered.
    var isBusy = false
    /// True if something was answered since the last check.
    var hasNews = false
    var traffic: UInt64 = 0
  }

  private static let pieceSize = 64 << 10

  private let state = Mutex(State())

  /// Begins to answer a request.
  func begin() {
    ReaderDuty.allow(seconds: ReaderService.processorSeconds)
    state.withLock { $0.isBusy = true }
  }

  /// Sends a frame, possibly later.
  ///
  /// - Parameters:
  ///   - kind: the kind of the frame.
  ///   - isUrgent: true if it is sent at once with everything before it.
  ///   - body: writes its content.
  /// - Returns: false if it is too long for a frame.
  @discardableResult
  func send(
    _ kind: ReaderAnswer, isUrgent: Bool = false, _ body: (inout FrameWriter) -> Void = { _ in }
  ) -> Bool {
    state.withLock { state in
      let isWhole = state.frames.frame(kind.rawValue, body)
      state.hasNews = true
      if isUrgent || state.frames.bytes.count >= Self.pieceSize { Self.flush(&state) }
      return isWhole
    }
  }

  /// Sends the last frame of an answer; nothing follows until the next request.
  func conclude(_ kind: ReaderAnswer, _ body: (inout FrameWriter) -> Void = { _ in }) {
    state.withLock { state in
      _ = state.frames.frame(kind.rawValue, body)
      state.isBusy = false
      Self.flush(&state)
    }
  }

  /// Records that work continues although there is nothing to send.
  func touch() { state.withLock { $0.hasNews = true } }

  /// Sends pending frames; if there are none, a sign that work continues or that files are read and
  /// written.
  func tick() {
    state.withLock { state in
      guard state.isBusy else { return }
      let traffic = ReaderDuty.traffic
      if traffic != state.traffic { state.hasNews = true }
      state.traffic = traffic
      if state.frames.isEmpty, state.hasNews {
        _ = state.frames.frame(ReaderAnswer.beat.rawValue) { _ in }
      }
      if !state.frames.isEmpty { Self.flush(&state) }
      if state.hasNews { ReaderDuty.allow(seconds: ReaderService.processorSeconds) }
      state.hasNews = false
    }
  }

  private static func flush(_ state: inout State) {
    guard ReaderDuty.write(state.frames.bytes) else { ReaderDuty.end() }
    state.frames.removeAll()
  }
}

/// A sink that passes on what an importer reads.
private final class AnswerSink: ImportSink {
  private let answers: AnswerSender
  private var reached = 0
  private var told = 0

  /// The number of bytes read between two progress reports.
  private static let newsBytes = 256 << 10

  init(_ answers: AnswerSender) { self.answers = answers }

  func take(_ record: ImportedRecord) throws {
    guard !answers.send(.record, { $0.put(record) }) else { return }
    diagnose(
      Diagnostic(
        .skipped, place: record.place,
        message: "skipped: it is longer than \(ZipFailure.size(Int64(FrameWriter.limit)))"))
  }

  func diagnose(_ diagnostic: Diagnostic) { answers.send(.diagnostic) { $0.put(diagnostic) } }

  func reach(_ offset: Int) {
    guard offset != reached else { return }
    reached = offset
    guard offset < told || offset - told >= Self.newsBytes else { return answers.touch() }
    told = offset
    answers.send(.reach) { $0.put(offset) }
  }

  func goOn() { answers.send(.goOn) }
}

/// A server that answers one request after the other.
private struct ReaderDesk {
  let answers: AnswerSender
  private var reading: (importer: any Importer, context: ImportContext)?
  private var buffer = FrameBuffer()

  init(answers: AnswerSender) { self.answers = answers }

  /// Works until the caller exits or sends an invalid request.
  mutating func work() {
    while ReaderDuty.read(into: &buffer) {
      do {
        while let question = try nextQuestion() { try answer(question) }
      } catch {
        return
      }
    }
  }

  private enum Question {
    case find(FindQuestion)
    case context(ContextQuestion)
    case read(ImportFile)
  }

  private mutating func nextQuestion() throws -> Question? {
    try buffer.next { kind, frame in
      switch ReaderQuestion(rawValue: kind) {
      case .find: return .find(try FindQuestion(&frame))
      case .context: return .context(try ContextQuestion(&frame))
      case .read: return .read(try frame.importFile())
      case nil: throw BrokenFrame()
      }
    }
  }

  private mutating func answer(_ question: Question) throws {
    switch question {
    case .context(let question):
      guard let importer = ImporterForm.importer(question.importer) else { throw BrokenFrame() }
      reading = (importer, question.context)
    case .find(let question):
      conclude { try find(question) }
    case .read(let file):
      guard let reading else { throw BrokenFrame() }
      conclude {
        try reading.importer.read(file, context: reading.context, into: AnswerSink(answers))
      }
    }
  }

  private func find(_ question: FindQuestion) throws {
    let importers = question.importers.compactMap { ImporterForm.importer($0) }
    var finder = ImportFinder(importers, ScratchFolder(at: question.scratch))
    finder.besides = Set(question.besides)
    finder.isLookingAt = { [answers] name in
      answers.send(.at, isUrgent: true) { $0.put(name) }
    }
    let found = try finder.find(question.path)
    for (importer, files) in found.groups {
      let isWhole = answers.send(.group) { frame in
        frame.put(importer.format)
        frame.list(files) { $0.put($1) }
      }
      guard isWhole else {
        throw ImportRefusal(place: question.path.path, message: ReaderProcess.tooMany)
      }
    }
    for note in found.notes { answers.send(.diagnostic) { $0.put(note) } }
  }

  /// Does the work of a request and reports the result.
  private func conclude(_ work: () throws -> Void) {
    answers.begin()
    do {
      try work()
      answers.conclude(.done)
    } catch let refusal as ImportRefusal {
      answers.conclude(.refusal) { frame in
        frame.put(refusal.place)
        frame.put(refusal.message)
      }
    } catch {
      let trouble = ReaderTrouble(error)
      answers.conclude(.failure) { trouble.write(into: &$0) }
    }
  }
}

/// An error of a reader that is not a refusal, in a form that is the same in the other process.
enum ReaderTrouble: Error, Hashable, Sendable {
  case busy(String)
  case system(code: Int, path: String?)
  case other(String)

  init(_ error: any Error) {
    if case .busy(let message)? = error as? ArchiveError {
      self = .busy(message)
    } else if let error = error as? CocoaError {
      let path = error.userInfo[NSFilePathErrorKey] as? String
      self = .system(code: error.code.rawValue, path: path)
    } else {
      self = .other("\(error)")
    }
  }

  init(_ frame: inout FrameReader) throws {
    switch try frame.byte() {
    case 0: self = .busy(try frame.string())
    case 1: self = .system(code: try frame.int(), path: try frame.optional { try $0.string() })
    case 2: self = .other(try frame.string())
    default: throw BrokenFrame()
    }
    try frame.end()
  }

  func write(into frame: inout FrameWriter) {
    switch self {
    case .busy(let message):
      frame.put(UInt8(0))
      frame.put(message)
    case .system(let code, let path):
      frame.put(UInt8(1))
      frame.put(code)
      frame.put(path)
    case .other(let message):
      frame.put(UInt8(2))
      frame.put(message)
    }
  }

  /// Returns the error that a reader in this process would have thrown.
  ///
  /// - Parameter place: the item that was read.
  /// - Returns: the error.
  func error(at place: String) -> any Error {
    switch self {
    case .busy(let message): return ArchiveError.busy(message)
    case .system(let code, let path):
      var info: [String: Any] = [:]
      if let path { info[NSFilePathErrorKey] = path }
      return CocoaError(CocoaError.Code(rawValue: code), userInfo: info)
    case .other(let message):
      return ImportRefusal(
        place: place, message: "the file can’t be read: \(message.prefix(300))")
    }
  }
}
