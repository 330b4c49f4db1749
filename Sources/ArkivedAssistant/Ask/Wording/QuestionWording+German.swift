/// German questions, as data.
///
/// `QuestionWording` describes the format.
extension QuestionWording {
  static let german = QuestionWording(
    markers: "the did does do what when where who whom how which my our have has been with of and "
      + "from for is are to on at you we i much many often",
    shared:
      "in am an so was die war hat also mal je vs tag man art gut jan feb apr jun jul aug sep "
      + "sept nov land brief lied chef sang tee bad rat hut rock boot see name wild warm",
    spellings: ["ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"],
    captures: [
      "M": germanMonths, "D": germanWeekdays, "N": germanNumbers, "U": germanUnits,
      "S": germanSeasons, "F": germanFeasts, "P": germanParts,
    ],
    rules: [
      (.order, germanOrders), (.noun, germanNames), (.little, germanPlaces), (.time, germanTimes),
      (.asking, germanAsking),
      (.clause, germanClauses), (.before, germanBefore), (.behind, germanBehind),
      (.verb, germanVerbPhrases), (.phrase, germanPhrases),
    ],
    nouns: germanNouns, capitals: germanCapitals, adjectives: germanAdjectives,
    verbs: germanVerbs, little: germanLittle, finite: germanFinite, dropped: germanDropped,
    unread: germanUnread)

  // MARK: Times

  private static let germanMonths = """
    January: januar jänner jan
    February: februar feb
    March: märz mär
    April: april apr
    May: mai
    June: juni jun
    July: juli jul
    August: august aug
    September: september sept sep
    October: oktober okt
    November: november nov
    December: dezember dez
    """
  private static let germanWeekdays = """
    Monday: montag
    Tuesday: dienstag
    Wednesday: mittwoch
    Thursday: donnerstag
    Friday: freitag
    Saturday: samstag sonnabend
    Sunday: sonntag
    """
  private static let germanNumbers = """
    1: einem einer einen eine ein
    2: zwei
    3: drei
    4: vier
    5: fünf
    6: sechs
    7: sieben
    8: acht
    9: neun
    10: zehn
    11: elf
    12: zwölf
    14: vierzehn
    20: zwanzig
    30: dreißig
    """
  private static let germanUnits = """
    days: tagen tage tag
    weeks: wochen woche
    months: monaten monate monat
    years: jahren jahre jahr
    """
  private static let germanSeasons = """
    spring: frühling frühjahr
    summer: sommer
    autumn: herbst
    winter: winter
    """
  private static let germanFeasts = """
    Christmas Eve: heiligabend
    Christmas: weihnachten
    New Year's Eve: silvester
    New Year's Day: neujahr
    Easter: ostern
    Pentecost: pfingsten
    Good Friday: karfreitag
    Easter Monday: ostermontag
    Easter Sunday: ostersonntag
    """
  private static let germanParts = """
    morning: morgen vormittag früh
    afternoon: nachmittag
    evening: abend
    night: nacht
    """

  /// Phrases for times: `{…}` matches a word from a list in `captures`, `{Y}` a year, `{n}` a
  /// number in digits.
  private static let germanTimes = #"""
    (?:vom|von|zwischen) (?:dem )?{n}\. (?:bis|und)(?: zum| dem)? {n}\. {M} {Y} => between $1 $3 $4 and $2 $3 $4
    (?:vom|von|zwischen) (?:dem )?{n}\. {M} (?:bis|und)(?: zum| dem)? {n}\. {M} {Y} => between $1 $2 $5 and $3 $4 $5
    (?:vom|von|zwischen) (?:dem )?{n}\. {M} {Y} (?:bis|und)(?: zum| dem)? {n}\. {M} {Y} => between $1 $2 $3 and $4 $5 $6
    (?:vom|von|zwischen) (?:dem )?{n}\. {M} (?:bis|und)(?: zum| dem)? {n}\. {M} => between $1 $2 and $3 $4
    (?:vom|von|zwischen) (?:dem )?{n}\. (?:bis|und)(?: zum| dem)? {n}\. {M} => between $1 $3 and $2 $3
    (?:von|zwischen) {M} {Y} (?:bis|und) {M} {Y} => from $1 $2 to $3 $4
    (?:von|zwischen) {M} (?:bis|und) {M} {Y} => from $1 $3 to $2 $3
    (?:von|zwischen) {M} (?:bis|und) {M} => between $1 and $2
    (?:von|zwischen) {Y} (?:bis|und) {Y} => from $1 to $2
    in der woche vom {n}\. {M} {Y} => in the week of $1 $2 $3
    in der woche vom {n}\. {M} => in the week of $1 $2
    (?:in der |die )?ersten? {M}woche {Y} => in the first week of $1 $2
    (?:in der |die )?letzten? {M}woche {Y} => in the last week of $1 $2
    (?:in der |die )?ersten? woche (?:im|des) {M} {Y} => in the first week of $1 $2
    (?:im )?(?:1\.|ersten) quartal(?: von| des jahres)? {Y} => in the first quarter of $1
    (?:im )?(?:2\.|zweiten) quartal(?: von| des jahres)? {Y} => in the second quarter of $1
    (?:im )?(?:3\.|dritten) quartal(?: von| des jahres)? {Y} => in the third quarter of $1
    (?:im )?(?:4\.|vierten|letzten) quartal(?: von| des jahres)? {Y} => in the fourth quarter of $1
    (?:im )?q{q}/? ?{Y} => in Q$1 $2
    (?:im )?letzten quartal => last quarter
    (?:in der |im )?(?:1\.|ersten) (?:hälfte von|hälfte des jahres|hälfte|halbjahr) {Y} => in the first half of $1
    (?:in der |im )?(?:2\.|zweiten) (?:hälfte von|hälfte des jahres|hälfte|halbjahr) {Y} => in the second half of $1
    seit (?:dem )?{n}\. {M} {Y} => since $1 $2 $3
    seit (?:dem )?{n}\. {M} => since $1 $2
    seit (?:anfang )?{M} {Y} => since $1 $2
    seit {M} => since $1
    seit {Y} => since $1
    seit {F} {Y} => since $1 $2
    seit {F} => since $1
    seit gestern => since yesterday
    seit vorgestern => since the day before yesterday
    seit letztem {M} => since last $1
    seit letztem {D} => since last $1
    seit letzter woche => since last week
    seit letztem monat => since last month
    seit letztem jahr => since last year
    bis (?:zum )?{n}\. {M} {Y} => until $1 $2 $3
    bis {M} {Y} => until $1 $2
    vor {F} {Y} => before $1 and in $2
    nach {F} {Y} => after $1 and in $2
    vor (?:dem )?{n}\. {M} {Y} => before $1 $2 $3
    nach (?:dem )?{n}\. {M} {Y} => after $1 $2 $3
    vor {M} {Y} => before $1 $2
    nach {M} {Y} => after $1 $2
    vor {Y} => before $1
    nach {Y} => after $1
    vor {n} {U} => $1 $2 ago
    vor {N} {U} => $1 $2 ago
    (?:in den |die )?(?:letzten|vergangenen) {n} {U} => in the past $1 $2
    (?:in den |die )?(?:letzten|vergangenen) {N} {U} => in the past $1 $2
    (?:im |den )?(?:letzten|vorigen|vergangenen) monat => last month
    (?:in der |die )?(?:letzte|letzter|letzten|vorige|voriger|vorigen|vergangene|vergangenen) woche => last week
    (?:im |das )?(?:letzte|letztes|letzten|vorige|voriges|vorigen|vergangene|vergangenes|vergangenen) jahr => last year
    (?:am |das )?(?:letzte|letztes|letzten|vergangene|vergangenes|vergangenen|vorige|voriges|vorigen) wochenende => last weekend
    (?:in der |die )?(?:letzte|letzten|vergangene|vergangenen) nacht => last night
    (?:am |den )?(?:letzten|vergangenen|vorigen) {D} => last $1
    (?:im |den )?(?:letzten|letztes|vergangenen|vorigen) {M} => last $1
    (?:im |den )?(?:letzten|letztes|vergangenen|vorigen) {S} => last $1
    (?:letzten|letztes|letzte) {F} => last $1
    (?:nächsten|nächstes|nächste) {F} => next $1
    (?:in der )?(?:diese|dieser) woche => this week
    (?:in |im )?(?:diesem|diesen) monat => this month
    (?:in )?(?:diesem|dieses) jahr => this year
    heuer => this year
    (?:an )?(?:diesem|dieses) wochenende => this weekend
    (?:an )?(?:diesem|diesen) {D} => this $1
    (?:in |im )?(?:diesem|diesen) {S} => this $1
    (?:in |im )?(?:nächsten) monat => next month
    (?:nächste|nächster) woche => next week
    (?:nächstes|im nächsten) jahr => next year
    (?:am )?nächsten {D} => next $1
    heute {P} => this $1
    heute => today
    vorgestern => the day before yesterday
    gestern nacht => last night
    gestern {P} => yesterday $1
    gestern => yesterday
    übermorgen => the day after tomorrow
    morgen(?= *[?.!]*$) => tomorrow
    (?:am )?{D},? (?:den |dem )?{n}\. {M} {Y} => on $2 $3 $4
    (?:am |den )?{n}\. ?{M} {Y} => on $1 $2 $3
    (?:am |den )?{n}\. ?{M} => on $1 $2
    (?:am |den )?{n}\.{n}\.{Y} => on $1.$2.$3
    (?:am )?ersten weihnachtstag {Y} => on Christmas Day $1
    (?:am )?ersten weihnachtstag => on Christmas Day
    (?:an |am |zu )?{F} {Y} => on $1 $2
    (?:an |am |zu ){F} => on $1
    {F} => on $1
    anfang {M} {Y} => in early $1 $2
    mitte {M} {Y} => in mid $1 $2
    ende {M} {Y} => in late $1 $2
    anfang {M} => in early $1
    mitte {M} => in mid $1
    ende {M} => in late $1
    (?:im |in |den )?{M} oder (?:im )?{M} {Y} => in $1 $3 or in $2 $3
    (?:im )?{M} gegen {M} {Y} => $1 $3 versus $2 $3
    (?:im |in |vom |des )?{M} {Y} => in $1 $2
    (?:im |in |vom |des ){M} => in $1
    (?:im |in )?{S} {Y} => in $1 $2
    im {S} => in $1
    {M}(?= *[?.!]*$) => in $1
    am {D}{P} => on $1 $2
    am {D} => on $1
    (?:an )?{D}en => on $1s
    {D}s => on $1s
    an {D}s => on $1s
    (?:an wochenenden|an den wochenenden) => on weekends
    am wochenende => at the weekend
    (?:unter der woche|werktags|an werktagen) => on weekdays
    (?:am abend|abends) => in the evening
    (?:am nachmittag|nachmittags) => in the afternoon
    (?:am morgen|morgens|am vormittag|vormittags) => in the morning
    (?:im jahre?|in|von) {Y} => in $1
    {Y} gegen {Y} => $1 versus $2
    {Y} => in $1
    """#

  // MARK: Question forms

  private static let germanAsking = #"""
    wie oft|wie häufig|wie viele male?|wieviel mal => how often
    an wie vielen verschiedenen tagen|an wie vielen tagen|in wie vielen nächten => on how many days
    vor wie vielen tagen => how many days ago
    wie viel zeit|wieviel zeit => how much time
    wie viel geld|wieviel geld => how much money
    wie viele verschiedene[nr]? => how many different
    wie vielen?|wievielen? => how many
    wie viel|wieviel => how much
    wie lange ist es her,? (?:dass|seit|seitdem) (?:ich|wir) => how long is it since I
    wie viele tage ist es her,? (?:dass|seit|seitdem) (?:ich|wir) => how many days since I
    wie lange => how long
    wie weit => how far
    wie schwer => how heavy
    wie hoch(?= (?:war|ist)) => what
    um wie viel uhr|um wieviel uhr|zu welcher uhrzeit|um welche uhrzeit => what time
    mit wem => with whom
    für wen => for whom
    von wem => from whom
    an wen => to whom
    bei wem => at whose place
    in welche(?= \w) => to which
    (?:an|in) welche[nmr]? (?=tag|monat|jahr|woche|wochentag|quartal) => in which
    welche[rsnm]? => which
    was für (?:einen?|ein) => what kind of
    worüber => what about
    (?:warum|wieso|weshalb) => why
    wohin => where
    wann => when
    wie(?= (?:war|waren|ist)\b) => how
    wo => where
    wer => who
    wen => whom
    wem => to whom
    was => what
    zeig(?:e)? mir|liste(?: mir)?|nenn(?:e)? mir => show
    """#

  /// Clauses that end with their verb; the words before them are kept.
  private static let germanClauses = #"""
    ,? (?:die|das|den) ich => I
    ,? (?:die|das|den) wir => we
    ,? an denen ich => I
    ,? an denen wir => we
    ,? an dem ich => I
    ,? als ich => when I
    ,? als wir => when we
    """#

  private static let germanBefore = #"""
    (?:zum |das )?(?:aller)?erste[ns]? mal|erstmals => first
    (?:zum |das )?(?:aller)?letzte[ns]? mal|zuletzt|letztmals => last
    schon (?:ein)?mal|jemals|je|überhaupt (?:ein)?mal|irgendwann => ever
    nicht => not
    niemals|nie => never
    (?:zum|das) nächste mal|als nächstes => next
    normalerweise|gewöhnlich|üblicherweise|meistens => usually
    """#

  private static let germanBehind = #"""
    am (?:häufigsten|öftesten) => most often
    am meisten|am liebsten => most
    am seltensten => least often
    am wenigsten => least
    am längsten => longest
    am kürzesten => shortest
    am weitesten => furthest
    am besten => best
    am schlechtesten => worst
    am höchsten => highest
    am (?:niedrigsten|tiefsten) => lowest
    im durchschnitt|im schnitt|im mittel|durchschnittlich(?! \w+[en]s? \w+$) => on average
    insgesamt|zusammengerechnet|alles in allem => in total
    öfter|häufiger => more often
    seltener => less often
    länger => longer
    weiter(?! (?:als )?\d) => further
    hintereinander|in folge|am stück => in a row
    pro tag|je tag|am tag(?! (?:der|des|nach|vor|an|als|mit|von|mein)) => per day
    (?:pro|je) nacht => per night
    (?:pro|je|in der) woche => per week
    (?:pro|je|im) monat => per month
    (?:pro|je|im) jahr => per year
    nach wochentagen => by weekday
    nach wochen => by week
    nach monaten => by month
    nach jahren => by year
    jeden monat|in jedem monat => each month
    jede woche|in jeder woche => each week
    jedes jahr|in jedem jahr => each year
    """#

  private static let germanPhrases = #"""
    am tag nach (?:dem|der) => on the day after the
    am tag vor (?:dem|der) => on the day before the
    am tag (?:des|der) => on the day of the
    mehr als(?= \d) => more than
    weniger als(?= \d) => less than
    mindestens(?= \d) => at least
    höchstens(?= \d) => at most
    über(?= \d) => over
    unter(?= \d) => under
    länger als(?= \d) => longer than
    kürzer als(?= \d) => shorter than
    im vergleich zu|verglichen mit|versus|vs\.?|gegen => versus
    als(?= \S+ *$) => than
    bei(?= [1-5]\b) =>
    zu fuß => on foot
    mit dem (?:fahr)?rad => by bike
    mit dem zug => by train
    mit dem auto => by car
    mit dem bus => by bus
    zur arbeit => to work
    auf der arbeit => at work
    zu hause|daheim => at home
    nach hause => home
    ins bett => to bed
    gab es|gibt es => were there
    alle meine => all my
    im urlaub|in den ferien => on holiday
    """#

  /// "am" before a place; otherwise it begins a time or a superlative.
  private static let germanPlaces = #"""
    kein(?:e[nmrs]?)? einzige[nmrs]? => no
    am(?= (?:meer|strand|fluss|kanal|bahnhof|flughafen|hafen|schreibtisch|pier|deich|wasser)\b) => at the
    """#

  private static let germanNames = #"""
    (?:welche )?offenen? versprechen(?: gibt es| sind offen)? => open promises
    botanische[nr]? garten => botanical garden
    new york => New York
    """#

  /// Verbs of several words, with their stem and past form.
  private static let germanVerbPhrases = #"""
    (?:fahr)?rad (?:gefahren|fahren)|(?:rad|fahrrad)gefahren => cycle cycled
    mit dem (?:fahr)?rad (?:gefahren|gekommen) => cycle cycled
    zu fuß (?:gegangen|gelaufen) => walk walked
    spazieren (?:gegangen|gehen)|spazieren => walk walked
    ski (?:gefahren|fahren) => ski skied
    fertig ?gelesen|zu ende gelesen|ausgelesen => finish finished
    (?:zufällig )(?:getroffen|begegnet)|über den weg gelaufen => bump into bumped into
    essen (?:gegangen|gewesen) => eat ate
    einkaufen (?:gegangen|gewesen) => shop shopped
    (?:zu )?mittag(?:essen)? (?:gegessen|gewesen)|mittagessen(?= *[?.!]*$) => have lunch had lunch
    zu abend gegessen|abendessen(?= *[?.!]*$) => have dinner had dinner
    gefrühstückt|frühstücken => have breakfast had breakfast
    """#

  private static let germanOrders =
    "(?:bitte )?(?:lösche?|lösch|entferne?|füge|erstelle?|trage?|ändere?|verschiebe?|exportiere?|"
    + "importiere?|erinnere?|schreibe?|markiere?|benenne?) .* => delete all entries"
}
