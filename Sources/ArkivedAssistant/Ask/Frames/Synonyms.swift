import Foundation

/// Words that diaries use interchangeably, as groups of keys.
package enum Synonyms {
  /// Returns the other words in a word's groups.
  package static func of(_ key: String) -> Set<String> {
    var result: Set<String> = []
    for position in index[key] ?? [] { result.formUnion(groups[position]) }
    result.formUnion(exact(key))
    result.remove(key)
    return result
  }

  /// Returns the words that always mean the same in a diary.
  package static func exact(_ key: String) -> Set<String> {
    var result: Set<String> = []
    for position in exactIndex[key] ?? [] { result.formUnion(exactGroups[position]) }
    result.remove(key)
    return result
  }

  /// Returns words with a related meaning, for words that the archive doesn't contain.
  package static func near(_ key: String) -> Set<String> {
    var result = of(key)
    for position in nearIndex[key] ?? [] { result.formUnion(nearGroups[position]) }
    result.remove(key)
    return result
  }

  private static let nearGroups: [Set<String>] = sets(
    """
    free release
    author writer by
    meet encounter run_into bump_into
    doctor surgery clinic hospital
    party celebrate celebration birthday feast
    shut closed close
    end finish stop
    ferry boat ship
    plane flight airport airline
    museum exhibition gallery
    concert music gig recital
    argue argument quarrel row
    marry married wedding marriage
    vet pet
    sight attraction landmark
    programme program show series
    baby birth born
    glasses optician spectacles
    tidy clean clear scrub
    wash laundry washing
    tired exhausted
    lecture talk
    exam test
    boat sailing dinghy
    trousers jeans
    bread sourdough loaf
    train station railway
    lamp light lightbulb
    rain wet raining
    snow snowy
    bill invoice
    broken repair break
    plant sow plot
    sweater jumper
    sofa couch
    arrive come
    post mail letter
    alarm clock
    sea beach
    boss manager
    """)
  private static let nearIndex = index(of: nearGroups)

  private static let exactGroups: [Set<String>] = sets(
    """
    bike bicycle cycle
    film movie
    tv telly television
    kid child
    ill sick unwell poorly
    mum mother mam
    dad father
    run jog
    buy purchase
    repair fix mend
    plane aeroplane flight
    haircut hairdresser
    photo photograph
    practise practice
    dentist tooth dental
    parcel package
    phone ring call telephone
    hike hiking
    clean scrub
    talk chat speak
    see watch
    lend lent
    sow plant
    """)
  private static let exactIndex = index(of: exactGroups)

  private static func sets(_ text: String) -> [Set<String>] {
    text.split(separator: "\n").map { Set($0.split(separator: " ").map { Lemma.key(String($0)) }) }
  }

  private static func index(of groups: [Set<String>]) -> [String: [Int]] {
    var result: [String: [Int]] = [:]
    for (position, group) in groups.enumerated() {
      for key in group { result[key, default: []].append(position) }
    }
    return result
  }

  private static let groups: [Set<String>] = sets(
    """
    bike cycling bicycle cyclist ride pedal
    film movie cinema
    ill sick unwell poorly illness cold flu fever cough
    call phone ring telephone
    mum mother mam
    dad father
    gran grandma grandmother nan
    book reading
    book novel
    run jog
    gym workout exercise
    talk discuss chat conversation
    vacation holiday trip journey
    buy purchase
    repair fix mend
    weigh weight scales
    finish complete
    allotment garden
    dinner supper cooking
    doctor gp physician
    dentist tooth
    flat apartment
    parcel package
    swim swimming
    walk stroll
    paint painting
    sing singing
    fly flight
    bake baking
    cook cooking
    concert gig
    colleague coworker workmate work
    practise practice rehearsal
    rehearsal choir
    run_into bump_into by_chance
    play game
    evening night
    pie tart
    aeroplane plane
    plane flight fly
    groceries shopping market
    vaccination jab shot
    match game
    therapist therapy
    haircut hairdresser barber
    commute commuting
    photo photograph picture
    present gift
    postcard card
    begin start
    train railway
    car drive
    kid child
    hike hiking
    write letter
    get_up wake
    """)

  private static let index = index(of: groups)
}

/// Words of questions that carry no information about entries.
package enum QuestionWords {
  /// Verbs so general that the rest of the question carries the meaning.
  package static let light = keys(
    """
    do go have be get take see meet spend happen come give visit attend cover involve use keep
    become show list tell find look want think know need try put let say record note log write
    manage turn appear join accompany attend enjoy experience contact hold held occur exist hear last
    """)

  /// Nouns and adverbs that only frame the question.
  package static let fillers = keys(
    """
    what whats when where who whom whose which why how did do does i me my mine we us our ours you
    your it its he him his she her they them their there here this that these those the a an and or
    of in on at to for from with by as is was were be been am are has have had will would can could
    shall should may might must if than then so just only also too very really quite please ever
    always all any some every each both another one ones time times thing things stuff something
    anything everything entry entries activity activities event events altogether total overall
    sum amount number figure many much often day days date dates archive diary journal life
    happened happening else exactly actually literally currently recorded recently up out off about
    into onto over between during within per again together myself yes no not got get hi hello tell
    list show give find count average mean typical typically usually normally favourite favorite
    most least more less fewer fewest highest lowest longest shortest furthest farthest biggest
    largest smallest best worst first last latest newest oldest earliest recent previous final
    better worse longer shorter further top number compare compared comparison versus vs against
    person people anyone anybody someone somebody nobody everyone everybody session sessions
    kind sort type kinds sorts types going visits visit years year month months week weeks own while whilst
    distance length duration long far piece place places single contact having been used frequent frequently common commonly usual regular popular favourites different distinct various separate whole entire altogether adding ranking
    total overall managed manage wonder possibly roughly exactly
    along across mostly mainly finally eventually
    """)

  static func keys(_ text: String) -> Set<String> {
    Set(text.split { $0 == " " || $0 == "\n" }.flatMap { [String($0), Lemma.key(String($0))] })
  }
}
