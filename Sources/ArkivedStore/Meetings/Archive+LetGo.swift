package import ArkivedCore
package import Foundation

/// A promise in a note as displayed.
package struct ShownPromise: Hashable, Sendable {
  package var noteID: UUID
  /// The line number in the note, from 1.
  package var line: Int
  package var text: String

  package init(noteID: UUID, line: Int, text: String) {
    self.noteID = noteID
    self.line = line
    self.text = text
  }

  package var json: JSON {
    ["noteId": .string(noteID.uuidString), "line": JSON(line), "text": .string(text)]
  }
}

extension Archive {
  /// Lets go of open promises, in one change: each checkbox becomes `[-]`, the mark that several
  /// task plugins use for tasks that were given up, and the rest of its note stays unchanged.
  ///
  /// - Returns: the promises that were let go, except those that are done, gone or changed by now.
  package func letGo(
    of shown: [ShownPromise], by author: Author = .owner
  ) throws -> Saved<[ShownPromise]> {
    let (value, change) = try write(by: author, "edit", "") { scope in
      var done: [ShownPromise] = []
      let byNote = Dictionary(grouping: shown, by: \.noteID)
      for id in byNote.keys.sorted(by: { $0.uuidString < $1.uuidString }) {
        guard var note = try Note.fetchOne(scope.db, id: id) else { continue }
        let old = note.updatedAt
        let before = done.count
        for one in byNote[id] ?? [] {
          guard let text = PromiseMark.letGo(line: one.line, in: note.text, expecting: one.text)
          else { continue }
          note.text = text
          done.append(one)
        }
        guard done.count > before else { continue }
        note.updatedAt = max(scope.now, Instant(milliseconds: old.milliseconds + 1))
        try scope.updateEntity(note)
      }
      guard !done.isEmpty else {
        try scope.forget()
        return done
      }
      try scope.summarise(
        done.count == 1
          ? "Let go of “\(done[0].text.prefix(120))”" : "Let go of \(done.count) promises")
      return done
    }
    return Saved(value: value, change: value.isEmpty ? nil : change)
  }
}
