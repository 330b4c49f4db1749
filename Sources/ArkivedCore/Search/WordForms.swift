import Foundation

/// English words whose forms no stemmer relates: irregular verbs and plurals.
package struct WordForms: Sendable {
  package static let english = WordForms()

  private let families: [[String]]
  private let index: [String: [Int]]

  private init() {
    let families = WordForms.verbs + WordForms.nouns
    var index: [String: [Int]] = [:]
    for (position, family) in families.enumerated() {
      for word in Set(family) { index[word, default: []].append(position) }
    }
    self.families = families
    self.index = index
  }

  /// Returns all irregular forms with the same base as a word, including the word itself, base
  /// first; only the word if it has none.
  ///
  /// "ran" gives run, ran; "found" gives find, found. The word is compared in lower case, and the
  /// result is in lower case.
  package func forms(of word: String) -> [String] {
    let key = word.lowercased()
    guard key.utf8.count <= 24, let positions = index[key] else { return [key] }
    var result: [String] = []
    for position in positions {
      for form in families[position] where !result.contains(form) { result.append(form) }
    }
    return result
  }

  /// Returns the words that a search for a word finds as well: its irregular forms, and its
  /// spellings with “ß” or “ss”, which the tokenizer doesn't relate.
  package func searched(for word: String) -> [String] {
    let forms = forms(of: word)
    return forms + forms.flatMap(Self.spellings).filter { !forms.contains($0) }
  }

  /// Returns the other spellings of a word with “ß” or “ss”.
  private static func spellings(of word: String) -> [String] {
    if word.contains("ß") { return [word.replacing("ß", with: "ss")] }
    let parts = word.components(separatedBy: "ss")
    guard (2...4).contains(parts.count) else { return [] }
    // Either may stand in each place: “Straßenschluss”.
    var spellings = [parts[0]]
    for part in parts.dropFirst() {
      spellings = spellings.flatMap { [$0 + "ss" + part, $0 + "ß" + part] }
    }
    return spellings.filter { $0 != word }
  }

  /// The base, past and participle of each verb (each form once, variants in succession).
  private static let verbs: [[String]] = """
    arise arose arisen|awake awoke awoken|be am is are was were been|bear bore borne born
    beat beaten|become became|begin began begun|bend bent|bet|bid bade bidden|bind bound
    bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought
    broadcast|build built|burn burnt|burst|buy bought|catch caught|choose chose chosen
    cling clung|come came|cost|creep crept|cut|deal dealt|dig dug|dive dove|do does did done
    draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|dwell dwelt|eat ate eaten
    fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fling flung
    fly flew flown|forbid forbade forbidden|forecast|foresee foresaw foreseen
    forget forgot forgotten|forgive forgave forgiven|forsake forsook forsaken
    freeze froze frozen|get got gotten|give gave given|go goes went gone|grind ground
    grow grew grown|hang hung|have has had|hear heard|hide hid hidden|hit|hold held|hurt
    keep kept|kneel knelt|knit|know knew known|lay laid|lead led|lean leant|leap leapt
    learn learnt|leave left|lend lent|let|lie lay lain|light lit|lose lost|make made
    mean meant|meet met|mislead misled|mistake mistook mistaken|misunderstand misunderstood
    mow mown|outdo outdid outdone|outgrow outgrew outgrown|outrun outran|overcome overcame
    overdo overdid overdone|overhear overheard|oversee oversaw overseen|oversleep overslept
    overtake overtook overtaken|overthrow overthrew overthrown|pay paid|plead pled|prove proven
    put|quit|read|rebuild rebuilt|redo redid redone|remake remade|repay repaid|retell retold
    rethink rethought|rewrite rewrote rewritten|rid|ride rode ridden|ring rang rung
    rise rose risen|run ran|saw sawn|say said|see saw seen|seek sought|sell sold|send sent
    set|sew sewn|shake shook shaken|shave shaven|shear shorn|shed|shine shone|shoot shot
    show shown|shrink shrank shrunk|shut|sing sang sung|sink sank sunk|sit sat
    slay slew slain|sleep slept|slide slid|sling slung|slit|smell smelt|sow sown
    speak spoke spoken|speed sped|spell spelt|spend spent|spill spilt|spin spun span
    spit spat|split|spoil spoilt|spread|spring sprang sprung|stand stood|steal stole stolen
    stick stuck|sting stung|stink stank stunk|stride strode stridden|strike struck stricken
    string strung|strive strove striven|swear swore sworn|sweep swept|swell swollen
    swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told
    think thought|throw threw thrown|thrust|tread trod trodden|undergo underwent undergone
    understand understood|undertake undertook undertaken|undo undid undone|unwind unwound
    uphold upheld|upset|wake woke woken|wear wore worn|weave wove woven|weep wept|wet
    win won|wind wound|withdraw withdrew withdrawn|withhold withheld
    withstand withstood|wring wrung|write wrote written
    """.split { $0 == "|" || $0 == "\n" }.map { $0.split(separator: " ").map(String.init) }

  private static let nouns: [[String]] = """
    child children|person people|man men|woman women|foot feet|tooth teeth|goose geese
    mouse mice|louse lice|ox oxen|die dice|penny pence|brother brethren|life lives
    wife wives|knife knives|leaf leaves|half halves|calf calves|loaf loaves|shelf shelves
    self selves|thief thieves|wolf wolves|elf elves|scarf scarves|hoof hooves|wharf wharves
    cactus cacti|fungus fungi|nucleus nuclei|stimulus stimuli|syllabus syllabi
    alumnus alumni|analysis analyses|basis bases|crisis crises|diagnosis diagnoses
    hypothesis hypotheses|oasis oases|thesis theses|synthesis syntheses|axis axes
    criterion criteria|phenomenon phenomena|medium media|datum data|bacterium bacteria
    curriculum curricula|memorandum memoranda|index indices|appendix appendices
    matrix matrices|vertex vertices|formula formulae|antenna antennae|larva larvae
    gentleman gentlemen|policeman policemen|fireman firemen|grandchild grandchildren
    stepchild stepchildren|housewife housewives|midwife midwives|businessman businessmen
    salesman salesmen|fisherman fishermen|snowman snowmen|craftsman craftsmen
    """.split { $0 == "|" || $0 == "\n" }.map { $0.split(separator: " ").map(String.init) }
}

/// English words so common that they say nothing about the subject of an entry.
package enum StopWords {
  /// Returns true if a word is a stop word, in any case; typographic apostrophes equal plain ones.
  package static func contains(_ word: String) -> Bool {
    guard word.utf8.count <= 16 else { return false }
    return words.contains(word.lowercased().replacing("’", with: "'"))
  }

  package static let words = Set(
    """
    a about above after again against all am an and any are aren't as at be because been before
    being below between both but by can can't cannot could couldn't did didn't do does doesn't
    doing don't down during each few for from further had hadn't has hasn't have haven't having he
    he'd he'll he's her here here's hers herself him himself his how how's i i'd i'll i'm i've if
    in into is isn't it it's its itself just let's me more most mustn't my myself no nor not now of
    off on once only or other our ours ourselves out over own same shan't she she'd she'll she's
    should shouldn't so some such than that that's the their theirs them themselves then there
    there's these they they'd they'll they're they've this those through to too under until up very
    was wasn't we we'd we'll we're we've were weren't what what's when when's where where's which
    while who who's whom why why's will with won't would wouldn't you you'd you'll you're you've
    your yours yourself yourselves
    """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
