import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

@testable import ArkivedAssistant

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Recordings are written down on this computer")
struct VoiceTests {
  /// A helper that is a shell script in the place of Python.
  private func helper(
    _ script: String, limit: Duration = .seconds(600)
  ) throws -> (WhisperTranscriber, TemporaryFolder) {
    let folder = try TemporaryFolder()
    _ = try folder.script("venv/bin/python", script)
    _ = try folder.file("transcribe.py", "")
    let found = WhisperTranscriber(environment: ["ARKIVED_VOICE": folder.url.path], limit: limit)
    return (try #require(found), folder)
  }

  private func recording(_ test: TestArchive, notes: String? = nil) throws -> VoiceNotes.Recording {
    let now = test.archive.clock.now
    let stored = try test.archive.store(
      Data("RIFF0000WAVEfmt ".utf8),
      as: Attachment(
        id: test.archive.identities.next(), type: .audioNote, mediaType: "audio/wav",
        originalName: "memo.wav", createdAt: now, updatedAt: now))
    let activity = try test.add("memo")
    _ = try test.archive.updateActivity(activity.id) {
      $0.attachments = [stored]
      $0.notes = notes
    }
    return try VoiceNotes(archive: test.archive).recording(stored.id)
  }

  @Test("Nothing is there before it is installed")
  func absent() throws {
    let folder = try TemporaryFolder()
    #expect(WhisperTranscriber(environment: ["ARKIVED_VOICE": folder.url.path]) == nil)
  }

  @Test("The text stands in the entry's notes, progress is told, and a search finds it")
  func written() async throws {
    let test = try TestArchive()
    // It sees the recording it is given and nothing of the surroundings.
    let (voice, folder) = try helper(
      """
      [ -f "$5" ] && [ -z "$ARKIVED_HOME" ] && [ "$HF_HUB_OFFLINE" = 1 ] || exit 9
      echo '{"progress": 0.5}'; echo 'no JSON'; echo '{"text": " Buy more marmalade. "}'
      """)
    let shares = Mutex<[Double]>([])
    let notes = VoiceNotes(archive: test.archive)
    let done = try await notes.write(down: try recording(test), by: voice) { share in
      shares.withLock { $0.append(share) }
    }
    #expect(done.text == "Buy more marmalade." && done.change?.author == .assistant)
    #expect(shares.withLock { $0 } == [0.5])
    let found = try test.archive.search(
      SearchRequest(query: "marmalade"), words: WordQuery("marmalade"))
    #expect(found.map(\.title) == ["memo"])
    let answer = try AskEngine(archive: test.archive, zone: test.zone).answer(
      "when did I mention marmalade?", citationLimit: 5)
    #expect(answer.citations.map(\.title) == ["memo"])
    #expect(try notes.waiting().isEmpty)
    withExtendedLifetime(folder) {}
  }

  @Test("What the owner wrote stays, and the same text is not added twice")
  func beside() async throws {
    let test = try TestArchive()
    let (voice, folder) = try helper(#"echo '{"text": "Buy marmalade."}'"#)
    let notes = VoiceNotes(archive: test.archive)
    let recording = try recording(test, notes: "Mine.")
    _ = try await notes.write(down: recording, by: voice)
    let again = try await notes.write(down: recording, by: voice)
    #expect(again.change == nil)
    let beside = try notes.recording(recording.attachment.id).beside
    #expect(beside == "Mine.\n\nBuy marmalade.")
    withExtendedLifetime(folder) {}
  }

  @Test("Words that are part of what the owner wrote are written down all the same")
  func part() async throws {
    let test = try TestArchive()
    let (voice, folder) = try helper(#"echo '{"text": "Yes."}'"#)
    let notes = VoiceNotes(archive: test.archive)
    let recording = try recording(test, notes: "She asked. Yes. I said no.")
    for _ in 0..<2 { _ = try await notes.write(down: recording, by: voice) }
    let beside = try notes.recording(recording.attachment.id).beside
    #expect(beside == "She asked. Yes. I said no.\n\nYes.")
    withExtendedLifetime(folder) {}
  }

  @Test(
    "A helper that fails, floods or hangs is ended, and nothing is written",
    arguments: [
      (#"echo '{"error": "it is no sound"}'; exit 1"#, "it is no sound"),
      ("exit 3", "voice fetch"), ("kill -9 $$", "signal 9"),
      (#"exec yes "$(printf '%08000d' 0)""#, "too much"), ("sleep 600", "too long"),
      (#"echo '{"text": "half"}'; exit 1"#, "failed"),
    ])
  func failing(_ script: String, _ words: String) async throws {
    let test = try TestArchive()
    let (voice, folder) = try helper(script, limit: .seconds(script.contains("sleep") ? 1 : 600))
    let notes = VoiceNotes(archive: test.archive)
    let recording = try recording(test)
    let failure = await #expect(throws: TranscriptionFailure.self) {
      _ = try await notes.write(down: recording, by: voice)
    }
    #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    #expect(try notes.waiting().count == 1)
    withExtendedLifetime(folder) {}
  }

  // MARK: The real script

  /// The real script with other modules in the place of those it needs.
  private func script(
    _ modules: [String: String]
  ) throws -> (WhisperTranscriber, TemporaryFolder) {
    let (voice, folder) = try helper(
      #"shift 2; PYTHONPATH="${0%/*}/modules" exec python3 -B "$@""#)
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let script = try Data(contentsOf: root.appending(path: "Scripts/transcribe.py"))
    _ = try folder.file("transcribe.py", script)
    for (name, text) in modules { _ = try folder.file("venv/bin/modules/\(name).py", text) }
    return (voice, folder)
  }

  private func failure(_ modules: [String: String]) async throws -> String {
    let test = try TestArchive()
    let (voice, folder) = try script(modules)
    let recording = try recording(test)
    let failure = await #expect(throws: TranscriptionFailure.self) {
      _ = try await VoiceNotes(archive: test.archive).write(down: recording, by: voice)
    }
    withExtendedLifetime(folder) {}
    return failure?.description ?? ""
  }

  #if os(Linux)
    /// What decodes a recording is native code, which Python's own refusals don't reach.
    @Test("What decodes a recording reaches no network, no other process and no file")
    func confined() async throws {
      // Like the connections of the server, it isn't closed when a program starts.
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      let inherited = fcntl(file, F_DUPFD, 300)
      try #require(inherited >= 300)
      defer { close(inherited) }
      let words = try await failure([
        "faster_whisper": """
        import ctypes, os, resource

        system = ctypes.CDLL(None)

        def forks():
            process = system.fork()
            if process == 0:
                os._exit(0)
            return process > 0

        def writes():
            # Landlock tells its version, where there is one.
            file = os.path.join(os.path.dirname(__file__), "left").encode()
            return system.syscall(444, None, 0, 1) > 0 and system.open(file, 0o101, 0o600) >= 0

        class WhisperModel:
            def __init__(self, *given, **options):
                reached = {
                    "network": system.socket(2, 1, 0) >= 0,
                    "process": forks(),
                    "parent": system.kill(os.getppid(), 0) == 0,
                    "file": writes(),
                    "connection": system.fcntl(\(inherited), 1) >= 0,
                    "memory": resource.getrlimit(resource.RLIMIT_DATA)[1] == resource.RLIM_INFINITY,
                }
                raise ValueError(f"reached {[name for name in reached if reached[name]]}")
        """
      ])
      #expect(words.contains("reached []"), "\(words)")
    }
  #endif

  /// A small file can hold days of silence, which would fill the memory.
  @Test("No more of a recording is decoded than is written down")
  func endless() async throws {
    let words = try await failure([
      "numpy": "",
      "faster_whisper": """
      class WhisperModel:
          def __init__(self, *given, **options):
              pass

          def transcribe(self, *given, **options):
              raise ValueError("all of it is decoded")
      """,
      "av": """
      class error:
          class InvalidDataError(Exception):
              pass

      class Frame:
          pts = None

      class Piece:
          def to_ndarray(self):
              return self

          def reshape(self, shape):
              return self

          def __len__(self):
              return 16_000 * 3600

      class AudioResampler:
          def __init__(self, **options):
              pass

          def resample(self, frame):
              return [Piece()]

      class Container:
          def __enter__(self):
              return self

          def __exit__(self, *ended):
              return False

          def decode(self, audio):
              while True:
                  yield Frame()

      def open(*given, **options):
          return Container()
      """,
    ])
    #expect(words.contains("longer than four hours"), "\(words)")
  }

  @Test("Whoever does not wait any longer ends it")
  func cancelled() async throws {
    let test = try TestArchive()
    let (voice, folder) = try helper("sleep 600")
    let notes = VoiceNotes(archive: test.archive)
    let recording = try recording(test)
    let work = Task { try await notes.write(down: recording, by: voice) }
    work.cancel()
    await #expect(throws: CancellationError.self) { _ = try await work.value }
    withExtendedLifetime(folder) {}
  }

  /// After `./setup --voice`, with `ARKIVED_TEST_VOICE` naming a WAV file in which somebody speaks
  /// English.
  @Test(
    "The real helper writes down real speech",
    .enabled(if: ProcessInfo.processInfo.environment["ARKIVED_TEST_VOICE"] != nil))
  func real() async throws {
    let environment = ProcessInfo.processInfo.environment
    let voice = try #require(WhisperTranscriber(environment: environment))
    let file = URL(fileURLWithPath: try #require(environment["ARKIVED_TEST_VOICE"]))
    let text = try await voice.text(of: file, name: file.lastPathComponent) { _ in }
    #expect(text.contains { $0.isLetter })
  }
}
