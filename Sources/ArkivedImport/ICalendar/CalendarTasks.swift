import ArkivedCore
import Foundation

/// Collects the tasks (VTODO) of a file.
///
/// A finished task becomes an entry for the day on which it was finished. The other tasks become
/// the checkboxes of one note per list, which Arkived shows as promises.
struct CalendarTasks {
  /// A task of a list.
  struct Task {
    var uid: String
    var parent: String?
    var text: String
    var details: String?
    var tags: [String]
    var due: DayKey?
    var start: DayKey?
    var recurs = false
    var isDone = false
    var line: Int
  }

  /// The tasks of each calendar object, in order.
  private var lists: [Int: [Task]] = [:]
  private var names: [Int: String] = [:]

  /// The number of tasks in one note; a longer list is continued in a second one.
  private static let noteLimit = 2_000
  /// The deepest level of subtasks that is shown.
  private static let depthLimit = 8

  mutating func name(_ calendar: Int, _ name: String) {
    guard names[calendar] == nil, !name.isEmpty else { return }
    names[calendar] = String(name.prefix(200))
  }

  mutating func add(_ task: Task, to calendar: Int) {
    lists[calendar, default: []].append(task)
  }

  /// Records that a calendar has tasks, even if all of them are finished.
  mutating func touch(_ calendar: Int) {
    if lists[calendar] == nil { lists[calendar] = [] }
  }

  /// Returns the notes of all lists, each with the line of its first task.
  func notes(_ file: ImportFile, _ context: ImportContext) -> [(note: Note, line: Int)] {
    var notes: [(note: Note, line: Int)] = []
    let base = (file.name as NSString).lastPathComponent
    for (calendar, tasks) in lists.sorted(by: { $0.key < $1.key }) {
      var name = names[calendar] ?? (base as NSString).deletingPathExtension
      // Two lists of the same name in a run remain separate.
      if !context.notes.isFirst("task list \(name)") { name += " (\(file.name))" }
      let ordered = Self.ordered(tasks)
      let pages = max(1, (ordered.count + Self.noteLimit - 1) / Self.noteLimit)
      for page in 0..<pages {
        let part = ordered.dropFirst(page * Self.noteLimit).prefix(Self.noteLimit)
        let title = pages == 1 ? "Tasks: \(name)" : "Tasks: \(name) (\(page + 1))"
        let text = part.map { Self.lines($0.task, depth: $0.depth) }.joined(separator: "\n")
        let note = Note(
          id: DerivedIdentity.of("ics tasks", name, "\(page)"), title: title,
          text: text.isEmpty ? "No open tasks." : text,
          tags: Tag.names(part.flatMap { $0.task.tags }), createdAt: context.now,
          updatedAt: context.now)
        notes.append((note, part.first?.task.line ?? 1))
      }
    }
    return notes
  }

  /// Returns the tasks with subtasks after their parents.
  private static func ordered(_ tasks: [Task]) -> [(task: Task, depth: Int)] {
    let known = Set(tasks.map(\.uid))
    let children = Dictionary(grouping: tasks.indices) { index -> String in
      let parent = tasks[index].parent
      return parent.map { known.contains($0) && $0 != tasks[index].uid ? $0 : "" } ?? ""
    }
    var found: [(task: Task, depth: Int)] = []
    var seen: Set<Int> = []
    func add(_ index: Int, _ depth: Int) {
      guard seen.insert(index).inserted else { return }
      found.append((tasks[index], min(depth, depthLimit)))
      guard depth < depthLimit, !tasks[index].uid.isEmpty else { return }
      for child in children[tasks[index].uid] ?? [] { add(child, depth + 1) }
    }
    for index in children[""] ?? [] { add(index, 0) }
    // Adds tasks that refer to each other in a circle, or are nested deeper.
    for index in tasks.indices { add(index, 0) }
    return found
  }

  private static func lines(_ task: Task, depth: Int) -> String {
    let indent = String(repeating: "  ", count: depth)
    var facts: [String] = []
    if let start = task.start, task.due == nil { facts.append("starts \(start)") }
    if let due = task.due { facts.append("due \(due)") }
    if task.recurs { facts.append("repeats") }
    var line = "\(indent)- [\(task.isDone ? "x" : " ")] \(task.text)"
    if !facts.isEmpty { line += " (\(facts.joined(separator: ", ")))" }
    guard let details = task.details else { return line }
    let rest = details.split(whereSeparator: \.isNewline)
      .map { "\(indent)  \($0)" }
    return ([line] + rest).joined(separator: "\n")
  }
}
