import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

@testable import ArkivedAssistant

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
