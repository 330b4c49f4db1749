import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// Has files looked into and read by a process of its own, which it starts when the first is asked for.
///
/// Parsers meet files from anywhere, by libraries in C among others. They run in a child of this program
/// with bounded memory and time, without network, and with one folder to write into
/// (Documentation/Decisions/018). What goes wrong there costs the file. Where this is not the program
/// itself, as in tests of its parts, files are read in this process.
final class ReaderProcess: Sendable {
  /// The reader came to its end at a file, and what it knew of the run is gone with it.
  struct Lost: Error {
    /// What to say of the file.
    let refusal: ImportRefusal
  }

  private struct State {
    var child: ReaderChild?
    /// Of the context that the child has; held, so that no other one is taken for it.
    var notes: RunNotes?
    var isOver = false
  }

  /// What is said of a folder whose files' names alone are more than one question holds.
  static let tooMany = "it contains too many files for one import. Import its folders one by one"
  /// Milliseconds between two looks at whether to go on.
  private static let round: Int32 = 100
  /// So many files are left out that end the reader, before all of them are.
  private static let lossLimit = 20

  private let program: ReaderProgram
  private let scratch: ScratchFolder
  private let isCancelled: @Sendable () -> Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - scratch: below which the reader may write; it has to outlive what is read.
  ///   - isCancelled: asked several times a second.
  init(
    _ program: ReaderProgram, in scratch: ScratchFolder,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.program = program
    self.scratch = scratch
    self.isCancelled = isCancelled
  }

  deinit { end() }

  /// The number of the process, while there is one.
  var processNumber: Int32? { state.withLock { $0.child?.number } }

  /// Ends the process for good, at once.
  func end() {
    let child = state.withLock { state in
      state.isOver = true
      return state.child
    }
    _ = child?.conclude(waits: false)
  }

  // MARK: Finding

  /// Finds out what the files of a path are.
  ///
  /// - Parameter look: called several times a second; what it throws ends the reader.
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
        // One by itself is what was asked for; a second loss at the same place would have no end.
        guard lost.refusal.place != path.lastPathComponent, losses.count < Self.lossLimit,
          !losses.contains(where: { $0.place == lost.refusal.place })
        else { throw lost.refusal }
        losses.append(lost.refusal)
      } catch let refusal as ImportRefusal {
        throw losses.first ?? refusal
      }
    }
  }

  /// The files of a run that is begun anew without one.
  ///
  /// - Parameter losses: how many were left out before.
  /// - Throws: why the file is left out, where no run can go on without it.
  static func rest(
    of files: [ImportFile], without lost: Lost, after losses: Int
  ) throws -> [ImportFile] {
    let rest = files.filter { $0.name != lost.refusal.place }
    guard !rest.isEmpty, rest.count < files.count, losses < lossLimit else { throw lost.refusal }
    return rest
  }

  /// What is told of a file that ended the reader.
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
        // The path itself stays as it was given.
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

  /// The importer itself, or one that has this process's child read.
  ///
  /// - Parameter isOneOfMany: whether a file at which the child ends is told as `Lost`, so that the run
  ///   is begun anew without it; else it is refused.
  func confined(_ importer: any Importer, isOneOfMany: Bool = false) -> any Importer {
    // What would cross are the very lines that it reads, and a reader in Swift meets them in either
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

  // MARK: Talking

  private enum Ending {
    case done
    case refusal(ImportRefusal)
    case trouble(ReaderTrouble)
  }

  /// Asks, and takes the pieces of the answer until it ends.
  ///
  /// Whatever goes wrong but a refusal ends the child: it may be in the midst of its answer.
  ///
  /// - Parameters:
  ///   - question: empty where it is too long to be asked.
  ///   - place: what is looked at just now.
  ///   - take: gets each piece of the answer.
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
    // A computer that sleeps does not make its reader stand still.
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
        // What is done with an answer here takes its own time.
        lastNews = SuspendingClock.now
      }
      if isCancelled() { throw ImportCancelled() }
      try look()
    }
  }

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
            + "has free memory")
      }
      state.child = child
      return child
    }
  }

  /// Ends the child, and tells what that means for what was asked.
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

/// Why a reader did not get to the end of a file.
private enum ReaderLoss: Error {
  case memory, time, standstill, fault, killed, nonsense
  /// It is not there any more; why is still to be asked.
  case gone

  init(_ end: ReaderChild.End) {
    switch end {
    case .memory: self = .memory
    case .time: self = .time
    case .killed: self = .killed
    case .fault, .ended: self = .fault
    }
  }

  /// What happened and what to do.
  var message: String {
    switch self {
    case .memory:
      "reading the file took more than the 2 GB of memory allowed, so nothing was imported from "
        + "it. It may be damaged or malicious. If you trust it, split it"
    case .time, .standstill:
      "reading the file got stuck and was stopped, so nothing was imported from it. It may be "
        + "damaged or malicious. Export it again"
    case .fault, .gone:
      "reading the file made the file reader crash, so nothing was imported from it. It may be "
        + "damaged or malicious. Export it again"
    case .killed:
      "the file reader was stopped by the system, perhaps for lack of memory, so nothing was "
        + "imported from it. Try again"
    case .nonsense:
      "the file reader returned invalid results, so nothing was imported from it. It may be "
        + "damaged or malicious. Export it again"
    }
  }
}

/// An importer whose files are read by a process of its own.
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
