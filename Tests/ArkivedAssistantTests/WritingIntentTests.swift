import Testing

@testable import ArkivedAssistant

@Suite("A model writes only if the owner's own words ask for it")
struct WritingIntentTests {
  @Test(arguments: [
    "What book did I read in May?", "which notes did I change last week", "What's my record?",
    "When did we set the date?", "How many entries have the tag work?", "Did I move in 2024?",
    "And what did I note about the boiler?", "Where did I put the keys?", "When did I last swim",
    "", "Show me the note about the boiler", "find my training log from May",
    "Can you list the runs with the tag sport?", "Tell me what book I read, and the last record",
    "please give me every entry, and the log", "Summarise my record of May",
  ])
  func aQuestionNeverDoesWhateverItsWords(_ message: String) {
    #expect(!WritingIntent.isStated(in: message))
  }

  @Test(arguments: [
    "add lunch with Sam", "Please write something nice about my run into the archive",
    "Can you tag my runs as sport?", "Could you delete the dentist entry?",
    "When I ran yesterday it was 6 km, change that", "How about you add a note about it?",
    "What did I do yesterday? Delete the first one.", "okay then: remove the tag work",
    "Find the run of Monday and tag it as sport", "Show me my lunches, then delete the first",
    "give the run the tag sport",
  ])
  func anInstructionDoes(_ message: String) {
    #expect(WritingIntent.isStated(in: message))
  }
}
