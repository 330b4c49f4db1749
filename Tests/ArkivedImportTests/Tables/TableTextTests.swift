import ArkivedCore
import ArkivedImport
import Testing

@Suite("Texts of rows")
struct TableTextTests {
  @Test func aHabitThatWasNotDoneSaysSoIfItHasAComment() throws {
    let sink = try TableReading.read(
      """
      HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText
      Read,Read 20 pages,Mind,2024-01-05,1,
      Read,Read 20 pages,Mind,2024-01-06,0,
      Read,Read 20 pages,Mind,2024-01-07,0,sick
      Water,Glasses,Health,2024-01-05,5,
      """)
    #expect(sink.texts == ["Read", "Read: not done", "Water"])
    let sick = sink.activities[1]
    #expect(sick.notes == "sick" && sick.measurements.isEmpty)
    #expect(sink.diagnostics.contains { $0.message.contains("1 row with the value 0") })
    // Doing it after all changes the entry instead of adding another.
    let done = try TableReading.read(
      """
      HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText
      Read,Read 20 pages,Mind,2024-01-07,1,sick
      Water,Glasses,Health,2024-01-05,5,
      """)
    #expect(done.identities.first == sink.identities[1])
  }
}
