import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// A process that examines and reads files, started with the first request.
///
/// Parsers receive files from anywhere, and some are C libraries. They run in a child of this
/// program with limited memory and time, without network, and with a single writable folder
/// (Documentation/Decisions/018). A failure there affects only the file. If this is not the program
/// itself, as in tests of its parts, files are read in this process.
final class ReaderProcess: Sendable {
  /// An error that reports that the reader ended at a file, and that its state of the run is lost.
  struct Lost: Error {
    /// The message about the file.
    let refusal: ImportRefusal
  }

  private struct State {
    var child: ReaderChild?
    /// The notes of the child's context; retained so no other object can be mistaken for it.
    var notes: RunNotes?
    var isOver = false
  }

  /// The message for a folder with too many file names for one request.
  static let tooMany = "it contains too many files for one import. Import its folders one by one"
  /// The interval in milliseconds between two checks for cancellation.
  private static let round: Int32 = 100
  /// The number of files that may end the reader before the rest are refused.
  static let lossLimit = 20

  private let program: ReaderProgram
  private let scratch: ScratchFolder
  private let isCancelled: @Sendable () -> Bool
  private let state = Mutex(State())

  /// Creates a reader process.
  ///
  /// - Parameters:
  ///   - program: the program that reads.
  ///   - scratch: the folder below which the reader may write; it must outlive the results.
  ///   - isCancelled: called several times a second.
  init(
    _ program: ReaderProgram, in scratch: ScratchFolder,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.program = program
    self.scratch = scratch
    self.isCancelled = isCancelled
  }

  deinit { end() }

  /// The identifier of the process, if there is one.
  var processNumber: Int32? { state.withLock { $0.child?.number } }

  /// Ends the process immediately and permanently.
  func end() {
    let child = state.withLock { state in
      state.isOver = true
      return state.child
    }
    _ = child?.conclude(waits: false)
  }

  // MARK: Finding

  /// Finds the formats of a path's files.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - importers: the importers to choose from.
  ///   - look: called several times a second; if it throws, the reader ends.
  /// - Returns: the result.
  /// - Throws: as `ImportFinder.find`.
  func find(
    _ path: URL, _ importers: [any Importer], look: () throws -> Void
  ) throws -> ImportFinder.Found {
    let forms = importers.compactMap { ImporterForm.json($0) }
    guard program.path != nil, forms.count == importers.count,
      !importers.allSatisfy({ $0 is JSONLinesImporter }),
      FileManager.default.fileExists(atPath: path.path)
    else {
      return try ImportFinder(importers, scratch).find(path)
    }
    var losses: [ImportRefusal] = []
    while true {
      let question = FindQuestion(
        importers: forms, path: path, scratch: try scratch.make(), besides: losses.map(\.place))
      do {
        var found = try find(question, importers, look)
        found.notes += losses.map(Self.note)
        return found
      } catch let lost as Lost {
        // A single file is the request itself, and retrying after repeated losses would never end.
        guard lost.refusal.place != path.lastPathComponent, losses.count < Self.lossLimit,
          !losses.contains(where: { $0.place == lost.refusal.place })
        else { throw lost.refusal }
        losses.append(lost.refusal)
      } catch let refusal as ImportRefusal {
        throw losses.first ?? refusal
      }
    }
  }

  /// Returns the remaining files of a run that restarts without one of its files.
  ///
  /// - Parameters:
  ///   - files: the files.
  ///   - lost: the file at which the reader ended.
  ///   - losses: the number of files skipped before.
  /// - Returns: the files.
  /// - Throws: the reason the file is skipped, if no run can continue without it.
  static func rest(
    of files: [ImportFile], without lost: Lost, after losses: Int
  ) throws -> [ImportFile] {
    let rest = files.filter { $0.name != lost.refusal.place }
    guard !rest.isEmpty, rest.count < files.count, losses < lossLimit else { throw lost.refusal }
    return rest
  }

  /// Returns the message about a file that ended the reader.
  static func note(on loss: ImportRefusal) -> Diagnostic {
    Diagnostic(.skipped, place: loss.place, message: loss.message, mayPass: true)
  }

  private func find(
    _ question: FindQuestion, _ importers: [any Importer], _ look: () throws -> Void
  ) throws -> ImportFinder.Found {
    var groups: [ImportFinder.Group] = []
    var notes: [Diagnostic] = []
    var place = question.path.lastPathComponent
    var frames = FrameWriter()
    let isWhole = question.write(into: &frames)
    try converse(isWhole ? frames.bytes : [], at: { place }, look) { answer, frame in
      switch answer {
      case .at:
        place = try frame.string()
        try frame.end()
      case .group:
        let format = try frame.string()
        var files = try frame.list { try $0.importFile() }
        try frame.end()
        guard let importer = importers.first(where: { $0.format == format }), !files.isEmpty
        else { throw BrokenFrame() }
        // The path itself is passed on as given.
        let given = question.path.absoluteURL.path
        for index in files.indices where files[index].url.path == given {
          files[index] = ImportFile(url: question.path, name: files[index].name)
        }
        groups.append((importer, files))
      case .diagnostic: notes.append(try frame.diagnostic())
      default: throw BrokenFrame()
      }
    }
    return (groups, notes)
  }

  // MARK: Reading

  /// Returns the importer itself, or one whose files this process's child reads.
  ///
  /// - Parameters:
  ///   - importer: the importer.
  ///   - isOneOfMany: true if a file that ends the child causes `Lost`, so that the run
  ///     restarts without it; otherwise it is refused.
  /// - Returns: the importer.
  func confined(_ importer: any Importer, isOneOfMany: Bool = false) -> any Importer {
    // The lines would be sent exactly as read, and a Swift reader would parse them in either
    // process.
    guard program.path != nil, !(importer is JSONLinesImporter),
      let form = ImporterForm.json(importer)
    else { return importer }
    return ConfinedImporter(
      importer: importer, form: form, reader: self, isOneOfMany: isOneOfMany)
  }

  fileprivate func read(
    _ file: ImportFile, _ form: JSON, _ context: ImportContext, into sink: any ImportSink
  ) throws {
    let defaults = EntryDefaults(
      now: context.now, homeZone: context.homeZone, identities: context.identities)
    var frames = FrameWriter()
    var isWhole = true
    let isNew = state.withLock { state in
      defer { state.notes = context.notes }
      return state.notes !== context.notes || state.child == nil
    }
    if isNew {
      isWhole = try ContextQuestion(importer: form, context: context).write(into: &frames)
    }
    isWhole = frames.frame(ReaderQuestion.read.rawValue) { $0.put(file) } && isWhole
    let look = {
      if sink.isOver { throw RecordChannel.Closed() }
    }
    try converse(isWhole ? frames.bytes : [], at: { file.name }, look) { answer, frame in
      switch answer {
      case .record:
        do {
          try sink.take(try frame.record(defaults))
        } catch let invalid as InvalidRecord {
          sink.diagnose(invalid.diagnostic)
        }
      case .diagnostic: sink.diagnose(try frame.diagnostic())
      case .reach: sink.reach(try frame.int())
      case .goOn: sink.goOn()
      default: throw BrokenFrame()
      }
    }
  }

  // MARK: Messages

  private enum Ending {
    case done
    case refusal(ImportRefusal)
    case trouble(ReaderTrouble)
  }

  /// Sends a request, and receives the pieces of the answer until it ends.
  ///
  /// Any failure except a refusal ends the child, which may be in the middle of its answer.
  ///
  /// - Parameters:
  ///   - question: empty if it is too long to send.
  ///   - place: the item being examined.
  ///   - look: called several times a second; if it throws, the reader ends.
  ///   - take: receives each piece of the answer.
  /// - Throws: what `look` and `take` throw, and what the reader reports.
  private func converse(
    _ question: [UInt8], at place: () -> String, _ look: () throws -> Void,
    _ take: (ReaderAnswer, inout FrameReader) throws -> Void
  ) throws {
    guard !question.isEmpty else {
      throw ImportRefusal(place: place(), message: Self.tooMany)
    }
    let child = try present(at: place())
    let ending: Ending
    do {
      guard child.send(question) else { throw ReaderLoss.gone }
      ending = try listen(to: child, look, take)
    } catch {
      throw lose(error, at: place())
    }
    switch ending {
    case .done: return
    case .refusal(let refusal): throw refusal
    case .trouble(let trouble): throw trouble.error(at: place())
    }
  }

  private func listen(
    to child: ReaderChild, _ look: () throws -> Void,
    _ take: (ReaderAnswer, inout FrameReader) throws -> Void
  ) throws -> Ending {
    let patience = Duration.seconds(program.patience)
    var buffer = FrameBuffer()
    // Time during which the computer sleeps must not count as a stalled reader.
    var lastNews = SuspendingClock.now
    while true {
      switch child.receive(into: &buffer, milliseconds: Self.round) {
      case .end: throw ReaderLoss.gone
      case .nothing:
        guard lastNews.duration(to: SuspendingClock.now) < patience else {
          throw ReaderLoss.standstill
        }
      case .bytes:
        while let piece = try buffer.next({ try Self.piece($0, &$1, take) }) {
          guard let ending = piece else { continue }
          guard buffer.isEmpty else { throw BrokenFrame() }
          return ending
        }
        // Processing an answer here takes time too.
        lastNews = SuspendingClock.now
      }
      if isCancelled() { throw ImportCancelled() }
      try look()
    }
  }

  /// Parses a frame of an answer.
  ///
  /// - Returns: nil for a piece that is not the last.
  private static func piece(
    _ kind: UInt8, _ frame: inout FrameReader,
    _ take: (ReaderAnswer, inout FrameReader) throws -> Void
  ) throws -> Ending? {
    switch ReaderAnswer(rawValue: kind) {
    case .done: return .done
    case .refusal:
      return .refusal(ImportRefusal(place: try frame.string(), message: try frame.string()))
    case .failure: return .trouble(try ReaderTrouble(&frame))
    case .beat: return nil
    case let answer?:
      try take(answer, &frame)
      return nil
    case nil: throw BrokenFrame()
    }
  }

  private func present(at place: String) throws -> ReaderChild {
    let folder = try scratch.make()
    return try state.withLock { state in
      guard !state.isOver else { throw RecordChannel.Closed() }
      if let child = state.child { return child }
      guard let path = program.path, let child = ReaderChild(path, writingIn: folder) else {
        throw ImportRefusal(
          place: place,
          message: "the process that reads files couldn’t be started. Try again when the computer "
            + "has free memory", mayPass: true)
      }
      state.child = child
      return child
    }
  }

  /// Ends the child, and returns the error for the request.
  private func lose(_ error: any Error, at place: String) -> any Error {
    let (child, isOver) = state.withLock { state in
      defer { (state.child, state.notes) = (nil, nil) }
      return (state.child, state.isOver)
    }
    guard let loss = error as? ReaderLoss ?? (error is BrokenFrame ? .nonsense : nil) else {
      _ = child?.conclude(waits: false)
      return error
    }
    let end = child?.conclude(waits: loss == .gone) ?? .ended
    guard !isOver else { return RecordChannel.Closed() }
    let reason = loss == .gone ? ReaderLoss(end) : loss
    return Lost(refusal: ImportRefusal(place: place, message: reason.message))
  }
}

/// A reason a reader did not reach the end of a file.
private enum ReaderLoss: Error {
  case memory, time, standstill, fault, killed, nonsense
  /// The process has exited for a reason yet to be determined.
  case gone

  init(_ end: ReaderChild.End) {
    switch end {
    case .memory: self = .memory
    case .time: self = .time
    case .killed: self = .killed
    case .fault, .ended: self = .fault
    }
  }

  /// The message with the cause and the remedy.
  var message: String {
    switch self {
    case .memory:
      "reading the file took more than the 2 GB of memory allowed, so nothing was imported from "
        + "it. It may be damaged or malicious. If you trust it, split it"
    case .time, .standstill:
      "reading the file got stuck and was stopped, so nothing was imported from it. It may be "
        + "damaged or malicious. Export it again"
    case .fault, .gone:
      "the file reader crashed while reading this file, so nothing was imported from it. It may "
        + "be damaged or malicious. Export it again"
    case .killed:
      "the file reader was stopped by the system, perhaps for lack of memory, so nothing was "
        + "imported from it. Try again"
    case .nonsense:
      "the file reader returned invalid results, so nothing was imported from it. It may be "
        + "damaged or malicious. Export it again"
    }
  }
}

/// An importer whose files are read by a separate process.
private struct ConfinedImporter: Importer {
  let importer: any Importer
  let form: JSON
  let reader: ReaderProcess
  let isOneOfMany: Bool

  var format: String { importer.format }
  var settings: String { importer.settings }
  var namesPaths: Bool { importer.namesPaths }

  func recognises(head: [UInt8], fileName: String) -> Bool {
    importer.recognises(head: head, fileName: fileName)
  }

  func surroundings(of file: ImportFile) -> [String]? { importer.surroundings(of: file) }
  func readsName(of file: ImportFile) -> Bool { importer.readsName(of: file) }

  func read(_ file: ImportFile, context: ImportContext, into sink: any ImportSink) throws {
    do {
      try reader.read(file, form, context, into: sink)
    } catch let lost as ReaderProcess.Lost {
      if isOneOfMany { throw lost }
      throw lost.refusal
    }
  }
}
