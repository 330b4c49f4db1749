/// The words of the sample life, as texts that `SampleMaterial` parses.
enum SampleWords {
  /// The people, with name, she or he, roles, weight, years, key, short name, other names, and
  /// relationship to Nell.
  static let people = """
    Jonas Brandt|h|partner|9|0-9999|jonas||Jo|Partner since 2013, cabinet maker. Married in September 2022.
    Margaret Ashworth|s|family|5|0-9999|mum|Mum|Mum;Margaret|Mother, in Whitby. Retired school librarian.
    Peter Ashworth|h|family|5|0-9999|dad|Dad|Dad|Father, in Whitby. Boat builder, retired in 2017 in theory.
    Tom Ashworth|h|family|4|0-9999|tom||Tommy|Brother, in Leeds. Teaches physics.
    Beth Ashworth|s|family|2|0-9999|beth|||Tom's wife, a midwife.
    Maisie Ashworth|s|family|1|0-9999|maisie|||Niece, born 2010. Collects facts.
    Jack Ashworth|h|family|1|0-9999|jack|||Nephew, born 2013.
    Edith Ashworth|s|family|3|0-2021|gran|Gran|Gran;Edie|Dad's mother, in Whitby. Played the organ for forty years.
    Alex Moreau|s|closest|6|0-9999|alex||Alexandra;Lexi|Closest friend. Translator from Lyon, lives near the canal.
    Alex Kim|h|office,newoffice|4|0-9999|alexkim|Alex Kim|AK|Developer; came along when I changed jobs.
    Alex Petersen|h|choir|3|2019-9999|alexp|Alex Petersen||Tenor, keeps the choir's accounts.
    Priya Raman|s|office,friend|6|0-2022|priya|||Researcher at work and friend. Moved to London in early 2023.
    Leyla Yıldız|s|friend|5|0-9999|leyla|||Doctor on a children's ward. Flatmate in my first Hamburg years.
    Marek Novák|h|friend|2|0-9999|marek|||Leyla's husband, plays the double bass.
    Ingrid Brandt|s|brandts|4|0-9999|ingrid|||Jonas's mother, in Lüneburg.
    Uwe Brandt|h|brandts|2|0-9999|uwe|||Jonas's father, retired railwayman.
    Katrin Brandt|s|brandts|4|0-9999|katrin|||Jonas's sister, a vet.
    Emil Brandt|h|brandts|2|0-9999|emil|||Katrin's son, born 2011.
    Frieda Brandt|s|brandts|2|0-9999|frieda|||Katrin's daughter, born 2014.
    Henning Vogt|h|office|3|0-2020|henning|||First boss at the ferry office. Speaks in tides.
    Agnes Lindholm|s|newoffice|3|2021-9999|agnes|||Boss at the planning studio since 2021.
    Ruben Castillo|h|office|4|0-2020|ruben|||Designer with the desk opposite mine.
    Mei Chen|s|office|4|0-2020|mei|||Data analyst; knows every tide table by heart.
    Oskar Nyström|h|office|3|0-2020|oskar|||Developer, three monitors, one plant.
    Zofia Kowalczyk|s|office|4|0-2020|zofia|||Project manager with a whistle.
    Tobias Kern|h|office|3|0-2020|tobias|||Sells what we make, sometimes before we make it.
    Fatima El Amrani|s|office|3|2017-2020|fatima|||Tester. Finds things.
    Anna Reuter|s|office|2|0-2020|annar|Anna||Accounts, and the keeper of the biscuit tin.
    Jan Siemers|h|office|2|0-2019||||Came as a trainee, left as a colleague.
    Birgit Ahlers|s|office|2|0-2020||||Reception; nothing happens without her.
    Noah Adeyemi|h|newoffice|4|2021-9999|noah|||Cartographer, vegetarian, competitive about quizzes.
    Carla Fontana|s|newoffice|4|2021-9999|carla|||Designer at the studio.
    Stefan Ruge|h|newoffice|3|2021-9999|stefan|||Traffic engineer, collects bus tickets.
    Hanna Koskinen|s|newoffice|4|2021-9999|hanna|||Researcher; grew up on an island.
    Deniz Aksoy|h|newoffice|3|2021-9999|deniz|||Developer, bakes under pressure.
    Wiebke Jansen|s|newoffice|3|2021-9999|wiebke|||Project manager, calm in all weathers.
    Lukas Hoffmann|h|newoffice|2|2022-9999||||Trainee who asks the right questions.
    Sarah Okafor|s|newoffice|3|2022-9999|sarahok|Sarah||Writes the words that go on the screens.
    Dagmar Lorenz|s|client|2|0-9999|dagmar|||Head of operations at the harbour ferries.
    Peter Thomsen|h|client|1|0-2022|pthomsen|Peter Thomsen||Runs the night buses.
    Gesa Harms|s|client|1|0-9999|gesa|||Skipper turned planner for the island ferries.
    Klaus Wendt|h|client|1|0-2022|klaus|||Crew planner; owns the last fax machine.
    Marlies Petersen|s|client|1|0-9999|marlies|||Looks after luggage on the island line.
    Tanja Brückner|s|client|1|0-9999|tanja|||Works for better access to public transport.
    Volker Stahl|h|client|1|0-9999|volker|||City roads; says no first and yes later.
    Elif Kaya|s|client|1|2020-9999|elif|||Parks department.
    Dr. Arne Möller|h|client|1|2021-9999|arne|Arne Möller||Ornithologist, counts terns.
    Susanne Pohl|s|client|1|2022-9999|susanne|||Head teacher of a primary school.
    Frank Duval|h|client|1|2023-9999|frank|||Street lighting; cheerful about darkness.
    Greta Olsen|s|client|1|2024-9999|greta|||Curator at the harbour museum.
    Matthias Rohde|h|client|1|2025-9999|matthias|||Flood protection.
    Renate Thiele|s|conductor|5|0-9999|renate|||Leads the choir, with one eyebrow.
    Bärbel Hinz|s|choir|3|0-9999|baerbel|||Second alto on my left.
    Søren Dahl|h|choir|3|0-9999|soeren|||Bass from Aarhus, brings cake.
    Johanna Wiese|s|choir|2|0-9999||||Soprano, also our best page turner.
    Tom Hartwig|h|choir|2|2017-9999|tomh|Tom Hartwig||Tenor. Not my brother Tom.
    Maria Lopes|s|choir|2|2018-9999|||||
    Eva Sander|s|choir|2|0-2019||||Alto until she moved to Kiel.
    Ulrike Behn|s|choir|1|0-9999||||Librarian of the choir's scores.
    Heinz Gerdes|h|choir|1|0-2021||||Oldest bass; sang under four conductors.
    Lena Fuhrmann|s|choir|2|2022-9999||||Youngest alto; reads anything at sight.
    Yuki Tanabe|s|teacher|1|0-9999|yuki|||Taught me Japanese, patiently.
    Silvia Greco|s|teacher|1|0-9999|silvia|||Taught me Italian, loudly.
    Marek Dvořák|h|health|1|0-9999|physio|Marek Dvořák||Physiotherapist with the cold hands.
    Dr. Susanne Bach|s|health|1|0-9999|dentist|Dr. Bach||Dentist who hums.
    Dr. Ömer Şahin|h|health|1|0-9999|gp|Dr. Şahin||Our doctor round the corner.
    Anneliese Kruse|s|neighbour|3|2018-9999|anneliese|Frau Kruse||Neighbour at the allotment, eighty and faster than me.
    Günther Schröder|h|neighbour|3|0-2018|schroeder|Herr Schröder||Downstairs at the old flat; writes notices for the stairwell.
    Nermin Yılmaz|s|neighbour|3|2019-9999|nermin|||Upstairs at the new flat. Three children and a trumpet.
    Paul Yılmaz|h|neighbour,known|2|2019-9999|||||
    Ella Yılmaz|s|neighbour|1|2019-9999|ella|||The trumpet.
    Kenji Mori|h|far|2|0-9999|kenji|||Friend in Tokyo, potter by evening.
    Haruka Sato|s|far|2|2016-9999|haruka|||Tandem partner, now back in Kyoto.
    Eleni Papadaki|s|far|2|0-9999|eleni|||Rents us the room on Naxos; by now a friend.
    Inês Carvalho|s|far|2|0-9999|ines|||Friend from university, in Lisbon.
    Dana Whitfield|s|far|3|0-9999|dana|||Cousin of sorts in Brooklyn.
    Giulia Ferri|s|far|2|0-9999|giulia|||Alex's friend in Rome, now mine too.
    Lars Mikkelsen|h|far|1|0-9999|larsm|Lars||Keeps the smokehouse on Bornholm.
    Vesela Ivanova|s|far|1|2022-9999|vesela|||Runs a small press in Plovdiv.
    Julia Hagedorn|s|friend|3|0-9999|juliah|Julia||Potter, teaches at the community college.
    Nils Grabow|h|friend|3|0-9999|nils|||Jonas's friend from his apprenticeship.
    Sarah Lindner|s|friend|2|0-9999|sarahl|Sarah||Nils's partner, a radio reporter.
    Amara Diallo|s|friend|3|2017-9999|amara|||Neighbour of Alex, cellist, runs faster than she says.
    Henrik Paulsen|h|friend|2|0-2021||||University friend; moved to Oslo.
    Clara Weiss|s|friend|2|0-9999|clara|||Bookseller on the corner.
    Anna Bielski|s|friend|3|2018-9999|annab|Anna||Met at the half marathon, both lost.
    Jan Overbeck|h|friend|2|2019-9999|jano|Jan||Builds boats with too much varnish.
    Thea Martens|s|friend|2|2021-9999||||Clara's sister; set up the Thursday quiz.
    Yusuf Demir|h|friend|2|0-9999||||Leyla's cousin, cooks for twenty as for two.
    Ida Rasmussen|s|pottery|2|2023-9999||||Throws bowls as thin as paper.
    Lukas Brehm|h|pottery|2|2023-9999||||Only makes mugs.
    Maria Seidel|s|pottery|1|2023-9999||||Runs the kiln.
    Eva Thorn|s|sailing|3|2024-9999||||Sailing teacher who never raises her voice.
    Philipp Nagel|h|sailing|2|2024-9999||||In my boat, always on the wrong side.
    Katrin Ebert|s|sailing|2|2024-9999||||Also in my boat; brings the thermos.
    """ + "\n" + acquaintances
}
