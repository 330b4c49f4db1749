import ArkivedCore
import Foundation

extension AnswerWork {
  // MARK: Things

  /// Returns the things of a kind that a sentence mentions: its object, the words after its colon,
  /// or the phrase with a word of that kind.
  func thing(of entry: TimelineEntry, kind key: String) -> [String] {
    let frame = frames.frame(of: entry, timeline)
    if asksWhatFor {
      guard let purpose = frame.role("for"), let first = purpose.first,
        Quantities.number(first.lower) == nil, !FrameWords.meals.contains(first.key)
      else { return [] }
      return [text(purpose)]
    }
    let quoted = entry.words.filter(\.isQuoted)
    if FrameWords.activities.contains(key) {
      let members = Ontology.members(of: key)
      // Watching a sport isn't doing it.
      if entry.words.contains(where: { $0.key == "watch" }) { return [] }
      guard timeline.isOfTextsOnly else {
        return entry.words.first {
          members.contains($0.key) && !FrameWords.activities.contains($0.key)
        }
        .map { [Ontology.word(for: $0.key)] } ?? []
      }
      // Fish that was eaten isn't the sport.
      if entry.words.contains(where: { FrameWords.meals.contains($0.key) || $0.key == "eat" }) {
        return []
      }
      return activity(entry.words, members).map { [$0] } ?? []
    }
    if key == "sight", let sight = FrameWords.sight(entry.words) { return [text(sight)] }
    if key == "sight" { return [] }
    if !FrameWords.listed.contains(key), !(isAbout(["buy"]) && Ontology.hasNames(key)),
      let object = laterObject(entry, frame)
    {
      return [text(object)]
    }
    let bookKeys: Set<String> = [Lemma.key("book"), Lemma.key("novel"), Lemma.key("title")]
    if bookKeys.contains(key) {
      guard !quoted.isEmpty else { return [] }
      return [quoted.map(\.text).joined(separator: " ")]
    }
    let isTalk =
      !["talk", "discuss", "chat"].allSatisfy { key in
        !question.terms.contains { $0.key == key }
      } || question.text.lowercased().contains(" about") || key == "topic"
    if isTalk {
      if key == "talk", let on = frame.role("on"), frame.object.contains(where: { $0.key == key }) {
        return [text(on)]
      }
      let calls: Set<String> = ["call", "ring", "phon", "phone", "video", "chat"]
      let isCall =
        !calls.isDisjoint(with: entry.keys)
        || !calls.isDisjoint(with: Set(entry.tags.map { Lemma.key($0) }))
      return FrameWords.topic(of: entry.words, isCall: isCall).map { [text($0)] } ?? []
    }
    var members = Ontology.members(of: key)
    if FrameWords.meals.contains(key), !["food", "dish", "meal"].contains(key),
      key != "cream"
    {
      return FrameWords.dish(entry.words).map { [text($0)] } ?? []
    }
    if FrameWords.listed.contains(key) || isAbout(["buy"]) && !members.isEmpty {
      // "stopped at the market and bought plums, leeks and salt": the words after the later verb
      // count as well.
      let verbs = Set(question.terms.filter { $0.isVerb && !$0.isExcluded }.map(\.key))
      let bought = laterObject(entry, frame)
      let phrases = (bought.map { [$0] } ?? []) + frame.phrases
      var names: [String] = []
      for phrase in phrases {
        for part in phrase.split(whereSeparator: { ["and", "or"].contains($0.lower) }) {
          let words = FrameReader.trimmed(Array(part))
          let isVerbal = bought != nil && words.contains { verbs.contains($0.key) }
          guard !isVerbal, FrameWords.head(of: words, in: members) else { continue }
          let name = text(words)
          if !names.contains(name) { names.append(name) }
        }
      }
      return names
    }
    if key.isEmpty, isAbout(["buy", "order"]) {
      let names = basket(of: entry, frame)
      if !names.isEmpty { return names }
    }
    let eats =
      isAbout(["eat", "cook", "serv", "shar", "tast"]) || ["dish", "food", "meal"].contains(key)
      || key.isEmpty && isAbout(["lunch", "dinner", "breakfast", "supper"])
    if members.isEmpty || ["dish", "food", "meal"].contains(key), eats {
      members = Ontology.members(of: "food").subtracting(FrameWords.meals)
    }
    if members.isEmpty, isAbout(["drink"]) { members = Ontology.members(of: "drink") }
    if !members.isEmpty {
      let wanted = members.union(key.isEmpty || eats ? [] : [key])
      if let phrase = frame.phrases.first(where: { FrameWords.head(of: $0, in: wanted) })
        ?? frame.phrases.first(where: { phrase in
          !eats && phrase.contains { wanted.contains($0.key) }
            || eats && phrase.first.map { FrameWords.cooked.contains($0.lower) } ?? false
        })
      {
        if let bare = bareKind(phrase, key, frame) { return [bare] }
        return [text(phrase)]
      }
      if eats || isAbout(["drink"]) {
        let verbs = question.terms.filter { $0.isVerb }.map(\.key)
        if let verb = frame.verb, FrameWords.eating.contains(verb) || verbs.contains(verb),
          !frame.object.isEmpty, !frame.object.allSatisfy({ FrameWords.meals.contains($0.key) })
        {
          return [text(frame.object)]
        }
        if eats, let dish = FrameWords.dish(entry.words) { return [text(dish)] }
        return []
      }
    }
    if !key.isEmpty, let phrase = frame.phrases.first(where: { $0.contains { $0.key == key } }) {
      return [bareKind(phrase, key, frame) ?? text(phrase)]
    }
    // "choir: the Bach chorale": the words after the activity's name.
    if frame.verb == nil, frame.object.allSatisfy({ isTold($0.key) }) {
      if let detail = frame.details.first(where: { !$0.allSatisfy { isTold($0.key) } }) {
        return [text(detail)]
      }
      if let at = frame.role("at"), entry.people.isEmpty { return [text(at)] }
      return []
    }
    return frame.object.isEmpty ? [] : [text(frame.object)]
  }

  /// Returns the activity that a sentence mentions, in the sentence's own words if it is named as a
  /// thing: "weight lifting", "learning a language"; otherwise its usual name, "run" for "ran".
  private func activity(_ words: [Word], _ members: Set<String>) -> String? {
    guard
      let place = words.firstIndex(where: {
        members.contains($0.key) && !FrameWords.activities.contains($0.key)
      })
    else { return nil }
    func isGerund(_ index: Int) -> Bool {
      words[index].lower.hasSuffix("ing") && words[index].lower.utf8.count > 4
    }
    func isPart(_ index: Int) -> Bool {
      words.indices.contains(index) && !StopWords.contains(words[index].lower)
        && !FrameReader.prepositions.contains(words[index].lower)
        && !FrameReader.isVerb(words[index], hasSubject: false)
        && !["time", "some", "today"].contains(words[index].lower)
        && Quantities.number(words[index].lower) == nil
    }
    var start = place
    while start > 0, isPart(start - 1), words[start].sign == nil { start -= 1 }
    // "learning a language", "doing judo"
    if start > 1, ["a", "an", "the"].contains(words[start - 1].lower), isGerund(start - 2) {
      start -= 2
    }
    var end = place + 1
    while isPart(end), words[end].sign == nil { end += 1 }
    let isNamed =
      end - start > 1 && start > 0
      && (end == words.count || words[end].sign != nil
        || StopWords.contains(words[end].lower))
      || isGerund(place) && start == place
    guard isNamed, words[start].isCapitalised == false, end - start <= 4 else {
      return Ontology.word(for: words[place].key)
    }
    return words[start..<end].map(\.text).joined(separator: " ")
  }

  /// Returns everything that was bought according to a sentence: "apples, oat milk and soap at the
  /// corner shop".
  private func basket(of entry: TimelineEntry, _ frame: SentenceFrame) -> [String] {
    let buying: Set<String> = ["buy", "order", "purchas", "get"]
    let later = laterObject(entry, frame)
    guard later != nil || frame.verb.map({ $0 == "do" || buying.contains($0) }) ?? true else {
      return []
    }
    let phrases = (later.map { [$0] } ?? [frame.object]) + frame.details
    let people = Set(entry.people.flatMap { selector.words(of: $0) })
    let asked = Set(question.terms.map(\.key))
    var names: [String] = []
    for phrase in phrases {
      for part in phrase.split(whereSeparator: { ["and", "or"].contains($0.lower) }) {
        guard let first = part.first, !FrameReader.isVerb(first, hasSubject: false),
          !part.contains(where: { word in
            Quantities.number(word.lower.filter { $0 != "€" && $0 != "£" && $0 != "$" }) != nil
              || people.contains(word.key) || buying.contains(word.key) || asked.contains(word.key)
              || ["shopping", "groceries", "i", "we"].contains(word.lower)
          })
        else { continue }
        let name = text(Array(part))
        if !name.isEmpty, !names.contains(name) { names.append(name) }
      }
    }
    return names
  }

  /// Returns the object of the question's verb if the sentence begins with another verb: "stayed in
  /// and baked scones".
  private func laterObject(_ entry: TimelineEntry, _ frame: SentenceFrame) -> [Word]? {
    guard let verb = question.terms.first(where: { $0.isVerb && !$0.isExcluded })?.key,
      frame.verb != verb,
      let place = entry.words.indices.dropFirst().first(where: {
        entry.words[$0].key == verb && FrameReader.isVerb(entry.words[$0], hasSubject: false)
      })
    else { return nil }
    let object = entry.words[(place + 1)...].prefix {
      $0.sign == nil && !FrameReader.prepositions.contains($0.lower)
    }
    return object.isEmpty ? nil : Array(object)
  }

  /// True for questions such as "What have I dug the bed over for most often".
  var asksWhatFor: Bool {
    question.text.range(
      of:
        #"^(?:what|which)\b(?!.* (?:talk|speak|spoke|talked|pay|paid|spend|spent)\b).*\w{3,}.* for(?: (?:the )?(?:most|least)(?: often)?| (?:in|on|last|since|during|this) [^?]*)?\s*\?*$"#,
      options: [.regularExpression, .caseInsensitive]) != nil
  }

  private func isAbout(_ keys: Set<String>) -> Bool {
    question.terms.contains { keys.contains($0.key) }
  }

  /// Returns true if the question contains a word, either directly or through a tag.
  private func isTold(_ key: String) -> Bool {
    question.terms.contains { $0.key == key || Synonyms.of($0.key).contains(key) }
      || ["practic", "session", "evening", "lesson", "class"].contains(key)
  }

  /// Returns the purpose or topic if a phrase names only the kind: "the bed for peas", "a talk on
  /// paper boats".
  private func bareKind(_ phrase: [Word], _ key: String, _ frame: SentenceFrame) -> String? {
    let content = phrase.filter { !["the", "a", "an"].contains($0.lower) }
    guard content.count == 1, content[0].key == key else { return nil }
    for preposition in ["for", "on", "about", "of", "called"] {
      if let words = frame.role(preposition) { return text(words) }
    }
    return nil
  }

  func text(_ words: [Word]) -> String {
    var words = FrameReader.trimmed(words)
    // "first go at the Bach chorale", "bowl of ramen"
    while words.count > 1, ["first", "go", "talked"].contains(words[0].lower) {
      words.removeFirst()
    }
    return words.map { $0.isPossessive ? $0.text + "'s" : $0.text }.joined(separator: " ")
  }

  /// Returns true if a sentence uses one of the words as a verb.
  private func says(_ verbs: Set<String>, in entry: TimelineEntry) -> Bool {
    if frames.frame(of: entry, timeline).verb.map(verbs.contains) ?? false { return true }
    let words = entry.words
    return words.indices.dropFirst().contains { index in
      verbs.contains(words[index].key)
        && !["a", "the", "my", "some"].contains(words[index - 1].lower)
        && FrameReader.isVerb(words[index], hasSubject: false)
    }
  }

  /// Keeps the entries whose own verb is the same as the question's, or whose object is of the
  /// requested kind, if there are any: "repaired the tap" instead of everything tagged #repairs.
  func acting(_ entries: [TimelineEntry], _ key: String) -> [TimelineEntry] {
    let verbs = Set(
      question.terms.filter {
        $0.isVerb && !$0.isExcluded && !ConceptResolver.told.contains($0.key)
      }.map(\.key))
    // Items on a grocery list were bought, regardless of the verb.
    if verbs == ["buy"], Ontology.hasNames(key) { return entries }
    var sayings = Sayings<Bool>()
    let same = entries.filter { entry in sayings.of(entry) { says(verbs, in: $0) } }
    if !same.isEmpty { return same }
    guard !key.isEmpty else { return entries }
    var objects = Sayings<Bool>()
    let heads = entries.filter { entry in
      objects.of(entry) { frames.frame(of: $0, timeline).object.contains { $0.key == key } }
    }
    return heads.isEmpty || Ontology.isKind(key) ? entries : heads
  }

  /// Returns the name of an entry that is itself of the requested kind, such as a film or a lunch.
  private func ownName(of entry: TimelineEntry) -> String {
    let quoted = entry.words.filter(\.isQuoted)
    if !quoted.isEmpty { return quoted.map(\.text).joined(separator: " ") }
    let frame = frames.frame(of: entry, timeline)
    return frame.verb != nil && !frame.object.isEmpty ? text(frame.object) : entry.text
  }

  func things(_ selection: Selection, _ key: String) -> TimelineAnswer? {
    guard !question.terms.isEmpty || !key.isEmpty, !question.excludesClauseEntries,
      !(Journeys.isAsked(selection) && AnswerWork.isTrip(key))
    else {
      return nil
    }
    // "What did I see in Porto?"
    if key.isEmpty, question.lightVerbs.contains("see") || question.lightVerbs.contains("visit"),
      selection.concepts.contains(where: { concept in
        concept.atoms.contains { if case .day = $0 { true } else { false } }
      }), question.terms.count == 1
    {
      return things(selection, "sight")
    }
    // "What have I had at the Anchor?"
    if key.isEmpty, !question.lightVerbs.isDisjoint(with: ["have", "hav"]),
      !question.terms.contains(where: \.isVerb),
      question.terms.contains(where: { $0.preposition == "at" }),
      let dishes = things(selection, "dish"),
      dishes.citations.count * 2 > selection.entries.count
    {
      return dishes
    }
    // "What did I do?" asks for entries, not for things.
    if key.isEmpty,
      !asksWhatFor,
      !question.terms.contains(where: { $0.isVerb || ConceptResolver.soft.contains($0.key) })
    {
      return nil
    }
    var order: [String] = []
    var cited: [TimelineEntry] = []
    var seen: Set<String> = []
    let hasTag =
      timeline.names.tagsByKey[key] != nil
      || Synonyms.of(key).contains { synonym in
        synonym != "read" && timeline.names.tagsByKey[synonym] != nil
      }
    let isTag = hasTag && !FrameWords.activities.contains(key)
    var sayings = Sayings<[(key: String, name: String)]>()
    for entry in isTag ? selection.entries : acting(selection.entries, key) {
      let found = sayings.of(entry) { entry in
        (isTag ? [ownName(of: entry)] : selection.isFromNotes ? [] : told(of: entry, kind: key))
          .map { (NameFolding.loose($0), $0) }
      }
      guard !found.isEmpty else { continue }
      cited.append(entry)
      for (key, name) in found where seen.insert(key).inserted { order.append(name) }
    }
    guard !order.isEmpty else { return nil }
    let shown = enumeration(order.prefix(8), more: order.count - 8)
    var selection = selection
    if asksWhatFor { selection.doubts.append(said("phrasings without “for”")) }
    if cited.count < selection.entries.count {
      selection.doubts.append(
        Doubts.further(selection.entries.count - cited.count, said("without matching details")))
    }
    return finish(
      "\(shown)\(circumstances(selection)), \(inEntries(cited.count, selection)).", "list",
      values: order.map { .string($0) }, labels: [], selection, citations: cited)
  }

  /// Returns the things of a kind that a sentence mentions; the whole sentence replaces a thing
  /// that only repeats the question.
  private func told(of entry: TimelineEntry, kind key: String) -> [String] {
    let asked = Set(question.terms.filter { !$0.isExcluded }.flatMap { [$0.key] + $0.also })
      .union([key])
    return thing(of: entry, kind: key).map { name in
      let words = WordCutter.words(of: name).filter { !StopWords.contains($0.text) }
      return words.allSatisfy { asked.contains($0.key) } ? entry.text : name
    }
  }
}
