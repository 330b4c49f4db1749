extension SampleWords {
  /// Acquaintances, in the same format.
  static let acquaintances = """
    Kai Behrens|h|known|2|2019-9999||||Runs the bike shop on the corner.
    Ralf Lund|h|known|1|2018-9999||||From the plot by the gate; grows dahlias.
    Ian Harker|h|known|1|0-9999||||Met on the night train, kept in touch.
    Derek Matthiesen|h|known|1|0-9999||||Guest at Leyla's wedding; we danced badly.
    Björn Hebden|h|known|1|0-2022||||Teacher in the evening school.
    Pavel Haddad|h|known|1|0-9999||||Sells bread at the Saturday market.
    Inga Kuhlmann|s|known|1|0-2020||||
    Emma Reimers|s|known|1|0-9999||||Alex's editor.
    Ute Brandes|s|known|1|2021-9999||||Friend of Mum's from the library.
    Martin Oelrichs|h|known|1|0-9999||||Hairdresser.
    Swantje Costa|s|known|2|0-9999||||From the Italian course.
    Nadine Kovács|s|known|1|0-9999||||
    Roy Byrne|h|known|1|0-9999||||Works at the library desk.
    Anna Struve|s|known|2|2019-9999||||Leyla's colleague on the ward.
    Niamh Popescu|s|known|1|0-9999||||Neighbour of my parents.
    Holger Pennock|h|known|2|2021-9999||||Tax adviser.
    Karim Tiedemann|h|known|1|0-9999||||Former colleague, now in Bremen.
    Anders Kröger|h|known|1|2021-9999||||Piano tuner; tunes the choir's grand.
    Olga Hinrichs|s|known|1|2018-9999||||Allotment treasurer.
    Alan Pickering|h|known|1|2021-9999||||
    Colin Arndt|h|known|1|0-9999||||
    Signe Raine|s|known|1|0-9999||||Cleans windows and knows everybody's curtains.
    Malte Silva|h|known|1|0-9999||||From the old running group.
    Anna Walsh|s|known|2|2018-9999||||
    Sven Uhl|h|known|1|2017-9999||||
    Meike Frahm|s|known|2|0-9999||||Drives the number 15 and always waves.
    Karin Lührs|s|known|2|2018-9999||||Runs the café by the bridge.
    Stuart Eggers|h|known|1|0-9999||||From the Japanese course.
    Hauke Svensson|h|known|1|0-2018||||Sells cheese at the market and opinions with it.
    Sven Bauer|h|known|1|0-2023||||Plumber, comes when he says.
    Felix Murphy|h|known|1|0-9999||||Alex's neighbour.
    Chloé Nowicka|s|known|2|2017-9999||||Friend of Dad's from the boatyard.
    Martin Stehr|h|known|2|0-9999||||Electrician who also keeps bees.
    Sofia Paasch|s|known|1|0-9999||||Caretaker of the office building.
    Thorsten Pereira|h|known|1|0-9999||||School friend from Whitby.
    Mehmet Albers|h|known|2|0-9999||||Vet nurse at Katrin's practice.
    Fiete Marchetti|h|known|2|0-9999||||Priya's flatmate for a while.
    Per Storr|h|known|1|0-9999||||Used to sit in the row behind at choir.
    Tim Voss|h|known|1|0-2021||||Rents the workshop next to Jonas.
    Jana Horváth|s|known|1|2017-9999||||Parent at Emil's school gate, via Katrin.
    Sofía Sugden|s|known|1|0-2019||||Runs the bike shop on the corner.
    Matteo Schütt|h|known|1|2018-9999||||
    Piotr Cropton|h|known|1|0-9999||||
    David Gehrke|h|known|1|0-2019||||Guest at Leyla's wedding; we danced badly.
    Rosa Meinert|s|known|1|0-9999||||Teacher in the evening school.
    Astrid Karstens|s|known|1|0-9999||||
    Dirk Schlüter|h|known|1|2021-9999||||
    Ole Iversen|h|known|1|0-9999||||
    Joan Dyson|s|known|1|2020-9999||||Friend of Mum's from the library.
    Andrei Böttcher|h|known|1|0-9999||||
    Graham Kahl|h|known|1|0-9999||||From the Italian course.
    Wendy Aalto|s|known|1|0-9999||||Was at university with me in Leeds.
    Hélène Riedel|s|known|2|0-2022||||Works at the library desk.
    Frauke Hansen|s|known|2|0-9999||||Leyla's colleague on the ward.
    Camille Verrill|s|known|2|0-9999||||Neighbour of my parents.
    Silke Ehlers|s|known|1|0-9999||||Tax adviser.
    Tarek Feddersen|h|known|1|0-9999||||Former colleague, now in Bremen.
    Rieke Haase|s|known|1|0-9999||||Piano tuner; tunes the choir's grand.
    Jörg Rahman|h|known|1|2018-9999||||Allotment treasurer.
    Sheila Groth|s|known|1|0-9999||||Met at the Lisbon conference.
    Doreen Dobson|s|known|2|0-9999||||Plays in the band at the summer fair.
    Yasmin Sass|s|known|1|0-9999||||Cleans windows and knows everybody's curtains.
    Tomasz Dupont|h|known|1|0-9999||||From the old running group.
    Nikos Becker|h|known|1|2018-9999||||Jonas's apprentice.
    Jiří Lange|h|known|1|2018-9999||||Pharmacist.
    Fiona Nissen|s|known|1|2019-9999||||Drives the number 15 and always waves.
    Lena Marsden|s|known|1|2022-9999||||Runs the café by the bridge.
    Igor Jessen|h|known|1|0-9999||||From the Japanese course.
    Nina Ott|s|known|1|0-9999||||Sells cheese at the market and opinions with it.
    Bridget Tamm|s|known|1|0-9999||||Plumber, comes when she says.
    Lucie Holm|s|known|1|0-9999||||Alex's neighbour.
    Dörte Berg|s|known|1|0-9999||||Friend of Dad's from the boatyard.
    Martin Lüders|h|known|1|2019-9999||||Electrician who also keeps bees.
    Peter Claasen|h|known|2|0-9999||||Caretaker of the office building.
    Aylin Quast|s|known|1|2017-9999||||School friend from Whitby.
    Neil Virtanen|h|known|1|0-2023||||Vet nurse at Katrin's practice.
    Monika Zander|s|known|1|2021-9999||||
    Hazel Barkhausen|s|known|1|0-2017||||Used to sit in the row behind at choir.
    Paula Detlefs|s|known|2|0-9999||||Rents the workshop next to Jonas.
    Jan Engel|h|known|1|0-2018||||
    Étienne Heitmann|h|known|1|2021-9999||||
    Pierre Mensah|h|known|2|2018-9999||||
    Julia Wulf|s|known|1|0-9999||||Met on the night train, kept in touch.
    Keith Fink|h|known|1|0-2023||||
    Ioana Rathje|s|known|1|0-9999||||Teacher in the evening school.
    Gudrun Mahler|s|known|1|0-9999||||Sells bread at the Saturday market.
    Grace Behrens|s|known|1|0-9999||||
    Petra Lund|s|known|1|0-9999||||Alex's editor.
    Marta Harker|s|known|1|0-9999||||Friend of Mum's from the library.
    Martin Matthiesen|h|known|1|0-9999||||Hairdresser.
    Mirela Hebden|s|known|1|2022-9999||||From the Italian course.
    Irina Haddad|s|known|1|0-9999||||Was at university with me in Leeds.
    Ebba Kuhlmann|s|known|1|2018-9999||||Works at the library desk.
    Antje Reimers|s|known|1|0-9999||||
    Katarzyna Brandes|s|known|1|0-9999||||Neighbour of my parents.
    Omar Oelrichs|h|known|1|0-2022||||Tax adviser.
    Max Costa|h|known|2|0-9999||||Former colleague, now in Bremen.
    Elena Kovács|s|known|1|2020-9999||||Piano tuner; tunes the choir's grand.
    Agnieszka Byrne|s|known|1|2018-9999||||
    Stavros Struve|h|known|1|0-9999||||Met at the Lisbon conference.
    Heike Popescu|s|known|1|0-9999||||Plays in the band at the summer fair.
    Imke Pennock|s|known|1|2020-9999||||
    Peter Tiedemann|h|known|2|0-2020||||
    Samira Kröger|s|known|1|2018-2021||||Jonas's apprentice.
    Mats Hinrichs|h|known|1|0-9999||||Pharmacist.
    Luca Pickering|h|known|1|0-9999||||Drives the number 15 and always waves.
    Birte Arndt|s|known|1|0-9999||||Runs the café by the bridge.
    Daniel Raine|h|known|1|0-9999||||From the Japanese course.
    George Silva|h|known|2|0-9999||||
    Jan Walsh|h|known|1|0-9999||||Plumber, comes when he says.
    """
}
