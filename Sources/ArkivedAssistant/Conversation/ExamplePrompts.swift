/// Questions to try, in five kinds.
package enum ExamplePrompts {
  package struct Group: Hashable, Sendable {
    package var name: String
    package var prompts: [String]
  }

  package static let groups = [
    Group(
      name: "Reflective",
      prompts: [
        "What was I grateful for last month?", "When was I happiest this year?",
        "What did I write about on my worst days?", "What was my last week like?",
        "What have I stopped doing since last year?",
      ]),
    Group(
      name: "Analytical",
      prompts: [
        "How many times did I run this year?", "Which weekday do I walk most?",
        "Did I sleep more this month than last month?", "How many hours did I work last week?",
        "What is my average mood this year?",
      ]),
    Group(
      name: "Exploratory",
      prompts: [
        "Which places did I visit last summer?", "Who did I see most often last year?",
        "What did I do that I had never done before?", "Which topics come up in my notes?",
      ]),
    Group(
      name: "Specific",
      prompts: [
        "When was I last at the dentist?", "What did I do yesterday?",
        "With whom did I have lunch last week?", "What was the first thing I wrote down?",
      ]),
    Group(
      name: "Creative",
      prompts: [
        "Tell my last week as a short story", "What would be a title for last month?",
        "Describe my year in three sentences", "What should I do more often, by what I wrote?",
      ]),
  ]

  package static var all: [String] { groups.flatMap(\.prompts) }
}
