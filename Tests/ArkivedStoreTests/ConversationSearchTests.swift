import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Conversations by their words")
struct ConversationSearchTests {
  @Test(arguments: [
    ("übung", "Übungen"), ("ÜBUNG", "Übungen"), ("ärger", "Shoes"), ("100%", "Shoes"),
    ("SCHUHEN ärger", "Shoes"),
  ])
  func aWordIsFoundInAnyCase(query: String, title: String) throws {
    let test = try TestArchive()
    let now = test.clock.now
    for (title, text) in [
      ("Übungen", "How long did I train?"), ("Shoes", "Ärger mit den Schuhen? 100% sicher?"),
      ("Other", "What is 100 times 2?"),
    ] {
      let thread = ConversationThread(
        id: test.archive.identities.next(), title: title, createdAt: now, updatedAt: now)
      try test.archive.create(thread)
      try test.archive.create(
        ConversationMessage(
          id: test.archive.identities.next(), threadID: thread.id, role: .user, text: text,
          createdAt: now, updatedAt: now))
    }
    let found = try test.archive.threads(query: query)
    #expect(found.threads.map(\.thread.title) == [title] && found.total == 1)
  }
}
