import ArkivedCore
import Foundation

extension AnswerWork {
  // MARK: People

  /// Returns the people of an entry who answer the question: those in the requested role if the
  /// sentence states it.
  func people(of entry: TimelineEntry, role: String?) -> [String] {
    let known = Set(
      question.people.filter { !$0.isExcluded }.flatMap { $0.names })
    if let role, !role.isEmpty {
      let frame = frames.frame(of: entry, timeline)
      let inRole =
        role == "subject" ? frame.subjects : frame.peopleByRole[role] ?? []
      let left = inRole.filter { !known.contains($0) }
      if !left.isEmpty { return left }
    }
    let people = entry.people.filter { !known.contains($0) }
    return people.isEmpty ? AnswerWork.ownCompany(entry.words).map { [$0] } ?? [] : people
  }

  /// Returns "myself" if a sentence says that the owner was alone: "lunch with myself".
  private static func ownCompany(_ words: [Word]) -> String? {
    words.indices.dropFirst().first { index in
      words[index].lower == "myself"
        && ReaderLexicon.shared.lead(words[index - 1].lower) == "company"
    }.map { words[$0].text }
  }

  var personRole: String? {
    let text = " " + question.text.lowercased()
    if question.lightVerbs.contains("by") { return "by" }
    if text.range(
      of:
        #" with (?:me|us)\b| me for |\b(?:join|joins|joined|accompany|accompanied|company|partner)\b|\b(?:came|come|comes|went) along\b"#,
      options: .regularExpression) != nil
    {
      return nil
    }
    if text.contains(" for whom") || text.contains(" for?") { return "for" }
    for role in ["for", "to", "from"]
    where text.range(
      of: "\\b(?:i|we)\\b.* \(role)\\s*(?:\\?|\\(|$)", options: .regularExpression) != nil
    {
      return role
    }
    // "who's the person I chat with most": the verb's subject is the owner.
    let isMine =
      text.range(
        of:
          #"^ who(?:(?!\b(?:when|while|after|before|since|until|days?|that)\b)[^?])*?\b(?:i|we)\b"#,
        options: .regularExpression) != nil
    return text.hasPrefix(" who ") && !isMine ? "subject" : nil
  }

  func who(_ selection: Selection) -> TimelineAnswer {
    var limited = selection
    if personRole == "subject" {
      var sayings = Sayings<Bool>()
      let acting = selection.entries.filter { entry in
        sayings.of(entry) { !frames.frame(of: $0, timeline).subjects.isEmpty }
      }
      if !acting.isEmpty, question.terms.contains(where: \.isVerb) { limited.entries = acting }
    }
    if personRole == "by" { return authors(selection) }
    if let role = personRole, ["for", "to", "from"].contains(role) {
      var sayings = Sayings<Bool>()
      let fitting = selection.entries.filter { entry in
        sayings.of(entry) { !(frames.frame(of: $0, timeline).peopleByRole[role] ?? []).isEmpty }
      }
      if !fitting.isEmpty { limited.entries = fitting }
    }
    if limited.entries.count < selection.entries.count {
      limited.doubts.append(
        Doubts.further(
          selection.entries.count - limited.entries.count, said("with people in another role")))
    }
    var counts: [String: Int] = [:]
    var order: [String] = []
    let role = personRole
    var sayings = Sayings<[String]>()
    for entry in limited.entries {
      let named = sayings.of(entry) { people(of: $0, role: role) }
      for name in noteLimited(named, entry, limited) {
        if counts[name] == nil { order.append(name) }
        counts[name, default: 0] += 1
      }
    }
    guard !order.isEmpty else {
      // If nobody matches with the verb, the object alone may identify someone.
      var bare = question
      bare.terms.removeAll { $0.isVerb && !$0.isExcluded }
      if bare.terms.count < question.terms.count, !bare.terms.isEmpty {
        return with(bare).who(selector.select(bare))
      }
      return none(
        said("\(counted(selection))\(circumstances(selection)), but nobody is named."))
    }
    // Someone unnamed may have been present.
    let silent = limited.entries.count { $0.hasNobody }
    if silent > 0, silent * 2 <= limited.entries.count, !limited.isFromNotes {
      limited.doubts.append(
        Doubts.further(
          silent, said(silent, one: "that names nobody", other: "that name nobody")))
    }
    let ranked = order.sorted { counts[$0] ?? 0 > counts[$1] ?? 0 }
    let shown = ranked.prefix(8).map {
      "\($0)\((counts[$0] ?? 0) > 1 ? " (\(counts[$0] ?? 0))" : "")"
    }
    return finish(
      "\(enumeration(shown, more: ranked.count - shown.count))\(circumstances(limited)), "
        + "\(inEntries(limited.entries.count, limited)).", "who",
      values: ranked.map { .string($0) }, labels: ranked.map { String(counts[$0] ?? 0) }, limited)
  }

  /// Keeps only the people of a note that the matching sentence mentions.
  private func noteLimited(
    _ names: [String], _ entry: TimelineEntry, _ selection: Selection
  ) -> [String] {
    guard let sentence = selection.sentences[entry.id] else { return names }
    let keys = Set(sentence.filter(\.isCapitalised).map(\.key))
    if personRole == "subject",
      let first = sentence.first(where: { word in
        word.isCapitalised && names.contains { selector.words(of: $0).contains(word.key) }
      })
    {
      return names.filter { selector.words(of: $0).contains(first.key) }
    }
    return names.filter { name in !keys.isDisjoint(with: selector.words(of: name)) }
  }

  /// Answers with authors, as in "by Ruth Nakagawa".
  private func authors(_ selection: Selection) -> TimelineAnswer {
    var names: [String] = []
    var sayings = Sayings<String?>()
    for entry in selection.entries {
      if let name = sayings.of(entry, author(of:)), !names.contains(name) { names.append(name) }
    }
    guard !names.isEmpty else {
      return none(
        said("\(counted(selection))\(circumstances(selection)), but no mention of who it was by."))
    }
    return finish(
      "\(enumeration(names))\(circumstances(selection)).", "who",
      values: names.map { .string($0) }, selection)
  }

  /// Returns the author of an entry: "by Ruth Nakagawa", or a name of several words at the end, as
  /// in "27 pages of Oona Pell".
  func author(of entry: TimelineEntry) -> String? {
    // "by M. Haddow"
    if let by = entry.words.lastIndex(where: { $0.lower == "by" }) {
      let name = AnswerWork.name(entry.words[(by + 1)...])
      if !name.isEmpty { return name }
    }
    let tail = entry.words.reversed().prefix { $0.isCapitalised && !$0.isQuoted }.reversed()
    return tail.count > 1 ? tail.map(\.text).joined(separator: " ") : nil
  }

  /// Returns the leading capitalised words; a single letter is an initial.
  private static func name(_ words: ArraySlice<Word>) -> String {
    var name = ""
    var isInitial = true
    for word in words {
      guard word.isCapitalised, !word.isQuoted,
        word.sign == nil || isInitial && (word.sign == "." || name.isEmpty)
      else { break }
      isInitial = word.text.count == 1
      name += (name.isEmpty ? "" : " ") + word.text + (isInitial ? "." : "")
    }
    return name
  }

  /// Returns the places whose names contain the requested kind if there are any, such as museums
  /// among all places.
  func ofKind(_ names: [String]) -> [String] {
    guard let mark = question.lightVerbs.first(where: { $0.hasPrefix("@") }) else { return names }
    let key = String(mark.dropFirst())
    // Shop names seldom contain the word "shop".
    if ["shop", "store"].contains(key) { return names }
    let kind = Ontology.members(of: key).union([key])
    let fitting = names.filter { name in
      WordCutter.words(of: name).contains { kind.contains($0.key) }
    }
    return fitting.isEmpty ? names : fitting
  }
}
