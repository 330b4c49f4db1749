/// The vocabulary of German questions and diaries.
extension QuestionWording {
  /// English singular and plural, German singular; German plural.
  ///
  /// The archive's own word takes precedence.
  static let germanNouns = """
    *day days: tag; tage tagen
    *night nights: nacht; nächte nächten
    *week weeks: woche; wochen
    *month months: monat; monate monaten
    *quarter quarters: quartal; quartale
    *year years: jahr; jahre jahren
    *weekday weekdays: wochentag; wochentage wochentagen
    *weekend weekends: wochenende; wochenenden
    *hour hours: stunde; stunden
    *minute minutes: minute; minuten
    *kilometer kilometers: kilometer; kilometer kilometern
    *mile miles: meile; meilen
    *page pages: seite; seiten
    *step steps: schritt; schritte schritten
    *euro euros: euro; euro euros
    *dollar dollars: dollar; dollar dollars
    *franc francs: franken; franken
    *mood mood: stimmung laune; stimmungen
    *energy energy: energie;
    *weight weight: gewicht;
    *pulse pulse: puls;
    *resting-heart-rate resting-heart-rate: ruhepuls herzfrequenz;
    *sleep sleep: schlaf;
    *entry entries: eintrag; einträge einträgen
    *people people: ; leute leuten personen menschen
    friend friends: freund freundin; freunde freunden freundinnen
    colleague colleagues: kollege kollegin; kollegen kolleginnen
    *place places: ort; orte orten
    city cities: stadt; städte städten
    country countries: land; länder ländern
    dentist dentists: zahnarzt zahnärztin zahnarzttermin zahnarztbesuch;
    doctor doctors: arzt ärztin arzttermin hausarzt; ärzte
    optician opticians: optiker augenarzt;
    hairdresser hairdressers: friseur frisör;
    lunch lunches: mittagessen mittag;
    dinner dinners: abendessen;
    breakfast breakfasts: frühstück;
    coffee coffees: kaffee; kaffees
    tea teas: tee;
    cake cakes: kuchen torte;
    bread breads: brot; brote
    soup soups: suppe; suppen
    film films: film; filme filmen
    book books: buch; bücher büchern
    cinema cinemas: kino; kinos
    theatre theatres: theater;
    opera operas: oper; opern
    concert concerts: konzert; konzerte konzerten
    exhibition exhibitions: ausstellung; ausstellungen
    museum museums: museum museumsbesuch; museen museumsbesuche
    chess chess: schach;
    choir choirs: chor; chöre
    choir-rehearsal choir-rehearsals: chorprobe; chorproben
    choir-evening choir-evenings: chorabend; chorabende
    pottery-evening pottery-evenings: töpferabend; töpferabende
    birthday-present birthday-presents: geburtstagsgeschenk; geburtstagsgeschenke
    total-time total-time: gesamtzeit;
    Italian-lesson Italian-lessons: italienischstunde; italienischstunden
    party parties: party feier; partys feiern
    meeting meetings: besprechung treffen termin; besprechungen treffen termine terminen
    visit visits: besuch; besuche besuchen
    call calls: anruf telefonat telefongespräch; anrufe anrufen telefonate telefonaten
    letter letters: brief; briefe briefen
    parcel parcels: paket päckchen; pakete paketen
    postcard postcards: postkarte; postkarten
    present presents: geschenk; geschenke geschenken
    ride rides: radtour; radtouren
    hike hikes: wanderung; wanderungen
    walk walks: spaziergang; spaziergänge spaziergängen
    run runs: lauf; läufe läufen
    trip trips: reise ausflug; reisen ausflüge
    holiday holidays: urlaub; ferien
    flight flights: flug; flüge flügen
    market markets: markt wochenmarkt; märkte
    allotment allotments: schrebergarten kleingarten;
    garden gardens: garten; gärten
    pub pubs: kneipe; kneipen
    office offices: büro; büros
    *work work: arbeit;
    school schools: schule; schulen
    gym gyms: fitnessstudio sportstudio;
    sport sports: sport;
    yoga yoga: yoga;
    pottery pottery: töpferei töpferkurs;
    music music: musik;
    song songs: lied; lieder liedern
    piece pieces: stück; stücke stücken
    sailing-exam sailing-exams: segelprüfung;
    exam exams: prüfung klausur; prüfungen klausuren
    recipe recipes: rezept; rezepte rezepten
    dish dishes: gericht; gerichte gerichten
    game games: spiel; spiele spielen
    umbrella umbrellas: regenschirm schirm; regenschirme
    mussel mussels: muschel; muscheln
    Italian Italian: italienisch italienischkurs;
    birthday birthdays: geburtstag; geburtstage
    dog dogs: hund; hunde hunden
    cat cats: katze; katzen
    sister sisters: schwester; schwestern
    brother brothers: bruder; brüder
    Mum Mum: mama mutti mutter;
    Dad Dad: papa vati vater;
    Grandma Grandma: oma großmutter;
    Grandpa Grandpa: opa großvater;
    kids kids: ; kinder kindern
    son sons: sohn; söhne
    daughter daughters: tochter; töchter
    boss bosses: chef chefin;
    vet vets: tierarzt tierarzttermin;
    hospital hospitals: krankenhaus klinik; krankenhäuser
    therapy therapies: therapie therapiesitzung;
    train trains: zug; züge zügen
    car cars: auto; autos
    bike bikes: fahrrad rad; fahrräder
    series series: serie; serien
    guitar guitars: gitarre;
    piano pianos: klavier;
    football football: fußball;
    sauna saunas: sauna saunabesuch;
    sea sea: meer;
    beach beaches: strand; strände
    mountain mountains: berg; berge bergen
    forest forests: wald; wälder
    church churches: kirche; kirchen
    library libraries: bibliothek bücherei;
    bakery bakeries: bäckerei;
    supermarket supermarkets: supermarkt; supermärkte
    shop shops: laden geschäft; läden geschäfte geschäften
    airport airports: flughafen;
    beer beers: bier; biere
    wine wines: wein; weine
    salad salads: salat; salate
    fish fish: fisch; fische
    meat meat: fleisch;
    cheese cheese: käse;
    parents parents: ; eltern
    uncle uncles: onkel;
    aunt aunts: tante;
    neighbour neighbours: nachbar nachbarin; nachbarn
    teacher teachers: lehrer lehrerin;
    wedding weddings: hochzeit; hochzeiten
    bill bills: rechnung; rechnungen
    headache headaches: ; kopfschmerzen
    migraine migraines: migräne;
    cold colds: erkältung; erkältungen
    fever fever: fieber;
    vaccination vaccinations: impfung; impfungen
    Lisbon Lisbon: lissabon;
    Rome Rome: rom;
    Greece Greece: griechenland;
    Vienna Vienna: wien;
    """

  /// Nouns that are verbs when written in lower case.
  static let germanCapitals = """
    meal: Essen
    food: Essen
    reading: Lesen
    sailing: Segeln
    pottery: Töpfern
    running: Laufen Joggen
    swimming: Schwimmen
    cooking: Kochen
    walking: Gehen
    cycling: Radfahren
    skiing: Skifahren
    """

  static let germanAdjectives = """
    *longest: längste
    *shortest: kürzeste
    *highest: höchste
    *lowest: niedrigste tiefste
    *furthest: weiteste
    *biggest: größte
    *smallest: kleinste
    *heaviest: schwerste
    *best: beste
    *worst: schlechteste
    *most: meiste
    *fewest: wenigste
    *most-frequent: häufigste
    *first: erste
    *last: letzte
    *second: zweite
    *third: dritte
    *average: durchschnittliche mittlere
    *total: gesamte
    *different: verschiedene
    *long: lange
    *new: neue
    *good: gute
    blue: blaue
    red: rote
    green: grüne
    ill: krank kranke
    Japanese: japanische
    Italian: italienische
    *alone: allein alleine
    *read: gelesene
    *cycled: geradelte gefahrene
    """

  /// English stem and past; German participle and infinitive; past forms; present forms; then the
  /// nouns that diaries use for it.
  static let germanVerbs = """
    *do did: gemacht machen getan tun unternommen; machte machten; mache machen
    *have had: gehabt haben;;
    *happen happened: passiert geschehen los;;
    *be was: gewesen;;
    run ran: gelaufen laufen gejoggt joggen; lief liefen; laufe läuft jogge; lauf läufe jogging joggen
    cycle cycled: geradelt radeln; radelte; radle; radtour fahrrad radfahren rad
    drive drove: gefahren fahren; fuhr fuhren; fahre fährt; fahrt auto
    walk walked: gewandert wandern spaziert; wanderte; wandere; wanderung spaziergang
    swim swam: geschwommen schwimmen; schwamm; schwimme schwimmt; schwimmbad
    sail sailed: gesegelt segeln; segelte; segle; segeln
    fly flew: geflogen fliegen; flog flogen; fliege fliegt; flug
    travel travelled: gereist reisen verreist; reiste; reise; reise
    *sleep slept: geschlafen schlafen; schlief; schlafe schläft; schlaf
    eat ate: gegessen essen; aß aßen; esse isst; essen
    drink drank: getrunken trinken; trank tranken; trinke trinkt;
    cook cooked: gekocht kochen; kochte kochten; koche kocht; kochen
    bake baked: gebacken backen; backte buk; backe backt; backen
    read read: gelesen lesen; las lasen; lese liest; lesen lektüre
    write wrote: geschrieben schreiben; schrieb schrieben; schreibe schreibt;
    *see saw: gesehen sehen; sah sahen; sehe sieht;
    watch watched: geschaut angeschaut angesehen schauen geguckt gucken; schaute; schaue;
    hear heard: gehört hören angehört; hörte; höre hört;
    *meet met: getroffen treffen; traf trafen; treffe trifft; treffen
    work worked: gearbeitet arbeiten; arbeitete; arbeite arbeitet; arbeit
    call called: telefoniert telefonieren angerufen anrufen; telefonierte; telefoniere; anruf telefonat
    play played: gespielt spielen; spielte spielten; spiele spielt;
    sing sang: gesungen singen; sang sangen; singe singt;
    train trained: trainiert trainieren; trainierte; trainiere; training
    dance danced: getanzt tanzen; tanzte; tanze;
    ski skied: skigefahren;;
    learn learned: gelernt lernen; lernte; lerne lernt;
    buy bought: gekauft kaufen eingekauft einkaufen; kaufte; kaufe kauft; einkauf
    send sent: geschickt schicken verschickt; schickte; schicke schickt;
    bring brought: gebracht bringen mitgebracht; brachte; bringe bringt;
    *give gave: gegeben geben geschenkt; gab; gebe gibt;
    *promise promised: versprochen versprechen; versprach; verspreche verspricht;
    *owe owed: geschuldet schulden; schuldete; schulde schuldet;
    *decide decided: entschieden beschlossen; entschied beschloss;;
    talk talked: gesprochen sprechen geredet reden; sprach; spreche spricht; gespräch
    *spend spent: verbracht verbringen ausgegeben ausgeben; verbrachte; verbringe verbringt;
    pick-up picked-up: abgeholt abholen;;
    repair repaired: repariert reparieren; reparierte; repariere;
    clean cleaned: geputzt putzen; putzte; putze;
    lose lost: verloren verlieren; verlor; verliere;
    find found: gefunden finden; fand; finde findet;
    pass passed: bestanden bestehen; bestand;;
    *weigh weighed: gewogen wiegen; wog; wiege wiegt;
    win won: gewonnen gewinnen; gewann;;
    visit visited: besucht besuchen; besuchte; besuche; besuch
    *begin began: angefangen anfangen begonnen beginnen; begann;;
    *last lasted: gedauert dauern; dauerte; dauert;
    *go went: gegangen gehen; ging gingen; gehe geht;
    *come came: gekommen kommen; kam kamen; komme kommt;
    knit knitted: gestrickt stricken; strickte; stricke;
    paint painted: gemalt malen; malte; male;
    smoke smoked: geraucht rauchen; rauchte; rauche;
    get-up got-up: aufgestanden aufstehen;;;
    wake woke: aufgewacht aufwachen;;;
    move moved: umgezogen umziehen;;; umzug
    argue argued: gestritten streiten;;; streit
    celebrate celebrated: gefeiert feiern; feierte; feiere; feier
    invite invited: eingeladen einladen;;; einladung
    tell told: erzählt erzählen; erzählte;;
    help helped: geholfen helfen; half; helfe hilft; hilfe
    pay paid: bezahlt bezahlen gezahlt zahlen; bezahlte zahlte; bezahle zahle;
    *cost cost: gekostet kosten; kostete; kostet;
    try tried: probiert ausprobiert probieren; probierte;;
    borrow borrowed: geliehen ausgeliehen leihen;;;
    climb climbed: geklettert klettern bestiegen; kletterte; klettere; klettern
    order ordered: bestellt bestellen; bestellte;;
    *stay stayed: geblieben bleiben übernachtet; blieb; bleibe;
    arrive arrived: angekommen ankommen;;;
    marry married: geheiratet heiraten; heiratete;; hochzeit
    finish finished: beendet beenden abgeschlossen abschließen;;;
    *get got: bekommen erhalten; bekam;;
    """

  /// Function words whose order and form matter little: each with an English word, a name, a
  /// preposition or article.
  static let germanLittle = """
    with: mit
    without: ohne
    in the: im
    in the: ins
    at the: beim
    at: bei
    to the: zum zur
    to: zu nach
    on the: aufs
    in: in
    on: an auf
    for: für
    about: über
    from: aus
    the: der die das den dem des
    a: ein eine einen einem einer eines
    my: mein meine meinen meinem meiner meines
    our: unser unsere unseren unserem unserer
    no: kein keine keinen keinem keiner
    all: alle allen aller alles
    or: oder
    and: und sowie
    more: mehr
    fewer: weniger
    together: zusammen gemeinsam
    again: wieder
    somebody: jemand jemanden jemandem
    nobody: niemand niemanden niemandem
    me: mir mich
    us: uns
    """

  static let germanFinite = """
    have: habe hab haben hat hatte hatten
    be: bin ist sind
    was: war waren
    will: werde werden wird
    should: soll sollte sollen sollten kann könnte
    """

  static let germanDropped =
    "schon bisher bislang auch denn eigentlich bitte mal so noch eben genau wohl doch sich dabei es "
    + "gerade überhaupt ganz damals eh halt nochmal"

  /// Words that are essential to a question but can't be translated: if one remains, the question
  /// isn't parsed.
  static let germanUnread =
    "von vom um seit bis während wegen statt außer sein seine seinen seinem seiner ihr ihre ihren "
    + "ihrem er sie ihn ihm ihnen man du dir dich dein deine dass ob wenn weil obwohl damit nachdem "
    + "bevor sobald solange würde würden könnten wurde wurden worden geworden hätte hätten wäre "
    + "wären muss musste mussten wollte wollten darf durfte durften mag mochte mochten konnte "
    + "konnten viel viele vielen wenig wenige einige mehrere manche andere anderen anderer beide "
    + "beiden nichts etwas hin her hinter neben durch gegenüber trotz ab zwischen unter uhr anfang "
    + "mitte ende erst nur immer sehr gern lieber dort da hier dann danach davor vorher "
    + "nachher früher später bald jetzt nun sonst außerdem woher wessen womit wovon wofür wodurch "
    + "jeder jede jedes jeden jedem denen deren dessen diese dieser dieses diesem diesen vor "
    + "über unter als wie welche nächste nächsten nächstes nächster vorbei zurück weg los ein "
    + "auf an aus letzte letzten letztes letzter letztem gut besser schlechter größer kleiner heiß "
    + "am ans fürs übers ums durchs aber also daher darum deshalb trotzdem dazu daran darauf daraus "
    + "darin darüber davon dafür dagegen darunter hinein heraus hinaus hinauf herunter laut mittels "
    + "samt sobald sogar solche solcher solches solchen sondern weder entweder worauf woran worin "
    + "woraus wozu worum zwar einander miteinander selbst selber eigene eigenen eigenes allerdings "
    + "bloß lediglich mindestens höchstens wenigstens maximal minimal circa ca rund knapp genug "
    + "zuviel zumindest außerhalb innerhalb binnen bist hast seid habt kannst können könnt müssen "
    + "müsst dürfen wollen will sollst euer eure euch ja nein jene jener jenes wäret hattest "
    + "weitere weiteren weiterer letztens neulich kürzlich vorhin eben erstens desto umso samt "
    + "jeweils täglich wöchentlich monatlich jährlich stündlich meist oft häufig "
    + "selten manchmal fast etwa ungefähr kaum halb doppelt einmal zweimal dreimal"
}
