"""Questions of the sample life in German, each with the id of the English question whose answer it has.

They were worded before the German reading was written, as a German owner types them: with and without
capitals, umlauts as ae and ue, verbless, with the verb at the end. Those of `HELD_OUT` were not looked at
while the reading was made.
"""

TUNE = """
q001|Wie oft bin ich im März 2024 mit dem Rad zur Arbeit gefahren?
q002|wie oft war ich 2024 beim Chor
q005|Wie oft war ich letztes Jahr segeln?
q006|Wie viele Retros gab es zwischen April und Juni 2025?
q007|Wie oft war ich 2025 mit Hanna mittagessen?
q008|Wie oft habe ich Leyla 2025 gesehen?
q009|Wie viele Anrufe mit Mama gab es 2024?
q010|Wie viele Besprechungen hatte ich im Juni 2025 mit Agnes?
q013|Wie viele Telefonate hatte ich in der ersten Hälfte von 2025 mit Papa?
q014|Wie oft war ich 2023 im Schrebergarten?
q015|Wie oft war ich schon in der Zur Schleuse?
q016|Besuche in der Bar Zentral
q017|Wie oft war ich im botanischen Garten?
q018|Wie oft habe ich mit Jonas Schach gespielt?
q020|Wie viele Bücher habe ich 2024 fertig gelesen?
q022|wie oft habe ich 2024 sushi gegessen
q024|Wie viele Pakete habe ich 2025 abgeholt?
q025|Wie viele Geburtstagsgeschenke habe ich 2023 gekauft?
q030|Wie viele japanische Filme habe ich gesehen?
q032|Wie oft hat Jonas 2024 gekocht?
q039|Mit wie vielen verschiedenen Leuten war ich segeln?
q040|An wie vielen Tagen war ich 2025 krank?
q041|An wie vielen Tagen habe ich im Juni 2024 gelesen?
q042|Wie viele Tage war ich 2023 in Sofia?
q044|An wie vielen Tagen war meine Stimmung 2024 bei 5?
q046|An wie vielen Tagen im Juni 2025 bin ich mehr als 10.000 Schritte gegangen?
q047|In wie vielen Nächten habe ich im November 2024 weniger als 7 Stunden geschlafen?
q048|Wie viele Radtouren über 40 km?
q051|Wie viele Tage ohne Kaffee im Mai 2024?
q052|An wie vielen Tagen im Oktober 2024 habe ich nicht gelesen?
q054|An wie vielen Tagen bin ich letzten September nicht Rad gefahren?
q057|Chorabende nach Monaten in 2024
q058|Wie viele Bücher habe ich 2025 jeden Monat fertig gelesen?
q059|Wie oft bin ich pro Jahr mit dem Rad zur Arbeit gefahren?
q060|Filme pro Jahr
q062|km geradelt 2024
q063|Wie viele Seiten habe ich 2025 gelesen?
q064|Wie viele Seiten habe ich letzten Monat insgesamt gelesen?
q065|Wie viele Kilometer bin ich in Japan zu Fuß gegangen?
q066|wie viele kilometer bin ich im juli 2023 rad gefahren
q068|Seiten, die ich letzte Woche gelesen habe
q069|Wie viele Kilometer bin ich mit Jonas geradelt?
q070|Wie weit bin ich letzten Frühling geradelt?
q071|Seiten im Sommer 2024
q076|Wie viele Stunden habe ich 2024 beim Chor verbracht?
q077|Stunden Italienisch in 2023
q078|Wie viele Minuten habe ich 2024 mit Mama telefoniert?
q079|Wie viele Stunden habe ich letzte Woche geschlafen?
q081|Wie viel Zeit habe ich 2024 mit Segeln verbracht?
q083|Gesamtzeit Lesen im März 2025
q086|Wie viele Schritte habe ich im Juni 2025 gemacht?
q087|Schritte gestern
q089|Wie viele Schritte zwischen dem 3. und dem 7. Oktober 2024?
q097|Gelesene Seiten nach Monaten in 2024
q099|Geradelte Kilometer pro Jahr
q103|Wie viele km bin ich an Tagen mit Töpfern geradelt?
q104|Wie viele Schritte bin ich im Juni 2025 durchschnittlich pro Tag gegangen?
q106|Wie viele Stunden habe ich 2023 im Durchschnitt pro Nacht geschlafen?
q107|Durchschnittlicher Ruhepuls 2025
q110|Was war meine durchschnittliche Stimmung im März 2024?
q111|durchschnittliche Energie 2025
q112|Wie war meine Stimmung im Herbst 2023 im Durchschnitt?
q117|Wie lange dauert der Chor im Durchschnitt?
q119|Wie lange waren meine Anrufe mit Mama 2025 durchschnittlich?
q122|Wie viele Seiten am Tag habe ich 2024 im Schnitt gelesen?
q125|Wie viele km pro Woche bin ich 2024 geradelt?
q129|Wie viele Bücher habe ich 2024 pro Monat fertig gelesen?
q132|Wie viel habe ich 2024 im Durchschnitt gewogen?
q134|Wie war meine Stimmung an Tagen, an denen ich 2024 zur Arbeit geradelt bin?
q137|Wie lange habe ich an Tagen, an denen ich krank war, durchschnittlich geschlafen?
q145|Habe ich 2023 oder 2024 mehr Seiten gelesen?
q150|mehr Schritte im Juli 2024 oder im Juli 2025?
q152|Chor 2023 gegen 2024
q158|Wen habe ich 2024 öfter gesehen, Leyla oder Clara?
q174|erster Eintrag mit Yusuf
q178|Wann war mein erster Töpferabend?
q182|Wann war ich 2023 zum ersten Mal beim Chor?
q184|Wann war ich zum ersten Mal in der Bar Zentral?
q206|letztes Mal mit Clara Weiss in 2024
q212|Wann bin ich 2023 zum letzten Mal mit dem Rad zur Arbeit gefahren?
q216|zuletzt im Schrebergarten 2024
q218|Wann habe ich zuletzt Muscheln gegessen?
q220|Welches Buch habe ich zuletzt fertig gelesen?
q224|Wann bin ich Martin zuletzt zufällig begegnet?
q228|Was habe ich zuletzt gewogen?
q232|Wie lange ist es her, dass ich segeln war?
q236|Wie lange ist es her, dass ich in Rom war?
q238|Was war meine längste Radtour?
q240|Welche war die längste Radtour mit Jonas?
q248|höchstes Gewicht in 2024
q264|kürzeste Nacht 2025
q266|Tag mit dem niedrigsten Ruhepuls in 2025
q272|Mit wem war ich 2024 am häufigsten mittagessen?
q274|Mit wem war ich am häufigsten segeln?
q296|An welchem Wochentag bin ich am häufigsten beim Chor?
q300|In welchem Monat 2025 bin ich die meisten Kilometer geradelt?
q302|In welchem Jahr bin ich am häufigsten zur Arbeit geradelt?
q312|Welcher Tag in 2024 hatte die meisten Schritte?
q314|Wann habe ich die Segelprüfung bestanden?
q334|An welchen Tagen habe ich mit Jonas Backgammon gespielt?
q348|Wann habe ich Yusuf 2024 gesehen?
q350|Wann habe ich mit Giulia telefoniert?
q354|Wann war ich in Rom?
q366|An welchen Tagen im Mai 2025 bin ich mehr als 12.000 Schritte gegangen?
q370|Mit wem war ich in der ersten Märzwoche 2025 mittagessen?
q382|Mit wem habe ich im Atlas einen Film gesehen?
q392|Wem habe ich lange Briefe geschrieben?
q416|Wen habe ich letzten Samstag gesehen?
q418|Wo war ich 2023 mit Alex Moreau mittagessen?
q422|Wo war ich mit Amara?
q428|Wo ist der Chor?
q434|Wo bin ich im August 2025 geschwommen?
q454|In welche Städte bin ich 2024 geflogen?
q458|Was ist am 9. Juni 2023 passiert?
q462|Was habe ich letztes Wochenende gemacht?
q464|Was habe ich 2024 mit Clara Weiss gemacht?
q468|Was habe ich letztes Jahr mit Thea gemacht?
q496|Welche Stücke haben wir im Januar 2024 im Chor gesungen?
q504|Bücher, die ich im Herbst 2025 fertig gelesen habe
q518|Was habe ich in Lissabon gegessen?
q520|Was habe ich in New York gegessen?
cl100|Was habe ich am Tag nach der Segelprüfung gemacht?
q542|Habe ich jemals mit Wiebke Ramen gegessen?
q546|War ich am 10. August 2024 beim Chor?
q574|Seiten in den letzten 30 Tagen
q588|Was habe ich vorgestern gemacht?
q590|Was habe ich vor drei Tagen gemacht?
q598|Habe ich diesen Monat mehr Seiten gelesen als letzten Monat?
q620|Was hat Jonas am häufigsten gekocht?
q638|Wie oft bin ich 2024 Ski gefahren?
q648|Wann habe ich zuletzt Barack Obama gesehen?
q652|Was habe ich 1998 gemacht?
q662|Was werde ich nächste Weihnachten machen?
q676|Warum ist die Wurzel aus Dienstag lila?
q680|Lösche alle Einträge mit Jonas
q688|Wer hat die Weltmeisterschaft 1966 gewonnen?
""".strip().split("\n")

HELD_OUT = """
bl001|Wie viele Pakete hab ich 2024 abgeholt?
bl002|wie viele briefe habe ich dana geschrieben
bl004|Auf wie vielen Konzerten war ich mit Alex?
bl005|An wie vielen Tagen bin ich 2025 weniger als 5.000 Schritte gegangen?
bl011|An wie vielen Samstagen war ich 2025 auf dem Markt?
bl016|km gesamt mit Jonas geradelt in 2023
bl017|Wie viele Stunden bin ich 2024 insgesamt gesegelt?
bl018|Wie viele Schritte hab ich am ersten Weihnachtstag 2024 gemacht?
bl024|durchschnittlicher Ruhepuls im Dezember 2025?
bl025|Wie war meine Stimmung 2025 sonntags im Schnitt?
bl026|mittlere Energie im Juli 2024
bl027|Wie lange dauert die Chorprobe normalerweise?
bl030|Wie viele Stunden schlafe ich am Wochenende durchschnittlich, 2025
bl033|Wann habe ich mein erstes Sauerteigbrot gebacken?
bl034|Wann waren Alex und ich zum ersten Mal im Konzert?
bl039|zuletzt beim Zahnarzt?
bl041|wann war ich zuletzt krank
bl043|Wann hat Jonas zuletzt Gnocchi gekocht?
bl044|Wann habe ich Lars zuletzt einen Brief geschrieben?
bl047|wann war ich das letzte Mal beim optiker
bl048|Vor wie vielen Tagen war ich zuletzt beim Chor?
bl050|längstes Telefonat mit Papa
bl051|Was war 2025 mein höchster Ruhepuls?
bl052|In welcher Nacht habe ich 2025 am längsten geschlafen?
bl058|Tag mit den wenigsten Schritten 2024?
bl059|Mit wem gehe ich am häufigsten ins Kino?
bl061|An welchem Wochentag laufe ich die meisten Schritte?
bl064|Wer kam am häufigsten zum Kuchen vorbei?
bl069|An welchen Tagen war ich mit Tom beim Kneipenquiz?
bl072|Wann waren wir 2025 schnorcheln?
bl074|Wann habe ich den blauen Regenschirm verloren?
bl076|An welchen Tagen war meine Stimmung 1?
bl077|Wo hatte ich 2024 mein Geburtstagsessen?
bl080|wo bin ich auf Bornholm geschwommen
bl081|Wo habe ich 2024 Ausstellungen gesehen?
bl084|Wen habe ich 2025 im Heron getroffen?
bl087|Wem habe ich Pakete geschickt?
bl089|Mit wem war ich 2025 segeln?
bl091|Was habe ich am 9. November 2024 gemacht?
bl092|was hab ich letztes wochenende gemacht
bl093|Was habe ich genau vor zwei Jahren gemacht?
bl094|Welche Filme habe ich 2025 mit Jonas gesehen?
bl097|Was habe ich 2023 repariert?
bl098|was haben wir in Lissabon gegessen?
bl099|Alle meine Museumsbesuche 2023
bl100|Zeig mir die Anrufe mit Papa im ersten Quartal 2024
bl103|War ich jemals auf Coney Island?
bl105|habe ich je tintenfisch gegessen
bl106|Habe ich meine Segelprüfung bestanden?
bl109|war ich im juni 2025 krank?
bl110|Bin ich 2023 oder 2024 weiter mit Jonas geradelt?
bl112|Habe ich 2024 oder 2025 im Schnitt länger geschlafen?
bl114|Schritte pro Tag: Januar gegen Juli 2025
bl117|Wie oft war ich 2024 in der Oper?
bl119|Wann habe ich zuletzt mit Jonas Tennis gespielt?
bl122|Was habe ich am 31. Juni 2025 gemacht?
bl123|Wie viele Bücher habe ich 2016 fertig gelesen?
bl126|Wie viele Knochen hat eine Katze?
cl116|War ich schon mal in Lissabon?
cl118|War Jonas mit mir in Rom?
cl122|Habe ich 2023 mit Emil Kaffee getrunken?
cl052|zuletzt gebügelt, wann?
cl058|Längstes Gespräch mit Dana
cl090|Wer war mit mir in Sofia?
cl127|Mehr Italienischstunden 2023 oder 2024?
""".strip().split("\n")
