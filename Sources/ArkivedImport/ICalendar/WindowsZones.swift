package import ArkivedCore
import Foundation

/// The Windows time zone names that Outlook and Exchange write as TZID, and a few old POSIX names,
/// with the IANA zones that the Unicode CLDR assigns to them (`windowsZones`, territory 001).
package enum WindowsZones {
  /// Returns the IANA name for a Windows name, ignoring case.
  package static func iana(_ name: String) -> String? { byName[name.lowercased()] }

  /// The names of the table for which this machine has no rules.
  package static var unknownHere: [String] { pairs.filter { Zone($0.iana) == nil }.map(\.windows) }

  /// The table's zones in order, a selection of well-known places around the world.
  package static let wholeWorld: [Zone] = {
    var seen: Set<String> = []
    return pairs.compactMap { pair in
      seen.insert(pair.iana).inserted ? Zone(pair.iana) : nil
    }
  }()

  private static let byName: [String: String] = Dictionary(
    pairs.map { ($0.windows.lowercased(), $0.iana) }, uniquingKeysWith: { first, _ in first })

  private static let pairs: [(windows: String, iana: String)] = table.split(separator: "\n")
    .compactMap { line in
      let parts = line.split(separator: "=", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }

  private static let table = """
    UTC=UTC
    GMT Standard Time=Europe/London
    Greenwich Standard Time=Atlantic/Reykjavik
    W. Europe Standard Time=Europe/Berlin
    Central Europe Standard Time=Europe/Budapest
    Romance Standard Time=Europe/Paris
    Central European Standard Time=Europe/Warsaw
    GTB Standard Time=Europe/Bucharest
    FLE Standard Time=Europe/Kyiv
    E. Europe Standard Time=Europe/Chisinau
    Eastern Standard Time=America/New_York
    US Eastern Standard Time=America/Indiana/Indianapolis
    Central Standard Time=America/Chicago
    Mountain Standard Time=America/Denver
    US Mountain Standard Time=America/Phoenix
    Pacific Standard Time=America/Los_Angeles
    Alaskan Standard Time=America/Anchorage
    Hawaiian Standard Time=Pacific/Honolulu
    Aleutian Standard Time=America/Adak
    Atlantic Standard Time=America/Halifax
    Newfoundland Standard Time=America/St_Johns
    E. South America Standard Time=America/Sao_Paulo
    Argentina Standard Time=America/Argentina/Buenos_Aires
    SA Pacific Standard Time=America/Bogota
    SA Western Standard Time=America/La_Paz
    SA Eastern Standard Time=America/Cayenne
    Pacific SA Standard Time=America/Santiago
    Venezuela Standard Time=America/Caracas
    Central Brazilian Standard Time=America/Cuiaba
    Paraguay Standard Time=America/Asuncion
    Montevideo Standard Time=America/Montevideo
    Bahia Standard Time=America/Bahia
    Tocantins Standard Time=America/Araguaina
    Magallanes Standard Time=America/Punta_Arenas
    Greenland Standard Time=America/Nuuk
    Saint Pierre Standard Time=America/Miquelon
    Cuba Standard Time=America/Havana
    Haiti Standard Time=America/Port-au-Prince
    Turks And Caicos Standard Time=America/Grand_Turk
    Eastern Standard Time (Mexico)=America/Cancun
    Central Standard Time (Mexico)=America/Mexico_City
    Mountain Standard Time (Mexico)=America/Mazatlan
    Pacific Standard Time (Mexico)=America/Tijuana
    Central America Standard Time=America/Guatemala
    Canada Central Standard Time=America/Regina
    Yukon Standard Time=America/Whitehorse
    Easter Island Standard Time=Pacific/Easter
    Azores Standard Time=Atlantic/Azores
    Cape Verde Standard Time=Atlantic/Cape_Verde
    Mid-Atlantic Standard Time=Atlantic/South_Georgia
    Morocco Standard Time=Africa/Casablanca
    Sao Tome Standard Time=Africa/Sao_Tome
    W. Central Africa Standard Time=Africa/Lagos
    Egypt Standard Time=Africa/Cairo
    Libya Standard Time=Africa/Tripoli
    South Africa Standard Time=Africa/Johannesburg
    Sudan Standard Time=Africa/Khartoum
    South Sudan Standard Time=Africa/Juba
    Namibia Standard Time=Africa/Windhoek
    E. Africa Standard Time=Africa/Nairobi
    Israel Standard Time=Asia/Jerusalem
    Middle East Standard Time=Asia/Beirut
    Syria Standard Time=Asia/Damascus
    Jordan Standard Time=Asia/Amman
    West Bank Standard Time=Asia/Hebron
    Turkey Standard Time=Europe/Istanbul
    Kaliningrad Standard Time=Europe/Kaliningrad
    Russian Standard Time=Europe/Moscow
    Belarus Standard Time=Europe/Minsk
    Volgograd Standard Time=Europe/Volgograd
    Saratov Standard Time=Europe/Saratov
    Astrakhan Standard Time=Europe/Astrakhan
    Russia Time Zone 3=Europe/Samara
    Arab Standard Time=Asia/Riyadh
    Arabic Standard Time=Asia/Baghdad
    Arabian Standard Time=Asia/Dubai
    Iran Standard Time=Asia/Tehran
    Azerbaijan Standard Time=Asia/Baku
    Georgian Standard Time=Asia/Tbilisi
    Caucasus Standard Time=Asia/Yerevan
    Mauritius Standard Time=Indian/Mauritius
    Afghanistan Standard Time=Asia/Kabul
    Pakistan Standard Time=Asia/Karachi
    West Asia Standard Time=Asia/Tashkent
    Ekaterinburg Standard Time=Asia/Yekaterinburg
    Qyzylorda Standard Time=Asia/Qyzylorda
    India Standard Time=Asia/Kolkata
    Sri Lanka Standard Time=Asia/Colombo
    Nepal Standard Time=Asia/Kathmandu
    Central Asia Standard Time=Asia/Bishkek
    Bangladesh Standard Time=Asia/Dhaka
    Omsk Standard Time=Asia/Omsk
    Myanmar Standard Time=Asia/Yangon
    SE Asia Standard Time=Asia/Bangkok
    Altai Standard Time=Asia/Barnaul
    N. Central Asia Standard Time=Asia/Novosibirsk
    Tomsk Standard Time=Asia/Tomsk
    North Asia Standard Time=Asia/Krasnoyarsk
    W. Mongolia Standard Time=Asia/Hovd
    China Standard Time=Asia/Shanghai
    Singapore Standard Time=Asia/Singapore
    Taipei Standard Time=Asia/Taipei
    Ulaanbaatar Standard Time=Asia/Ulaanbaatar
    North Asia East Standard Time=Asia/Irkutsk
    W. Australia Standard Time=Australia/Perth
    Aus Central W. Standard Time=Australia/Eucla
    Tokyo Standard Time=Asia/Tokyo
    Korea Standard Time=Asia/Seoul
    North Korea Standard Time=Asia/Pyongyang
    Transbaikal Standard Time=Asia/Chita
    Yakutsk Standard Time=Asia/Yakutsk
    AUS Central Standard Time=Australia/Darwin
    Cen. Australia Standard Time=Australia/Adelaide
    AUS Eastern Standard Time=Australia/Sydney
    E. Australia Standard Time=Australia/Brisbane
    Tasmania Standard Time=Australia/Hobart
    Lord Howe Standard Time=Australia/Lord_Howe
    West Pacific Standard Time=Pacific/Port_Moresby
    Vladivostok Standard Time=Asia/Vladivostok
    Sakhalin Standard Time=Asia/Sakhalin
    Bougainville Standard Time=Pacific/Bougainville
    Central Pacific Standard Time=Pacific/Guadalcanal
    Russia Time Zone 10=Asia/Srednekolymsk
    Russia Time Zone 11=Asia/Kamchatka
    Kamchatka Standard Time=Asia/Kamchatka
    Magadan Standard Time=Asia/Magadan
    Norfolk Standard Time=Pacific/Norfolk
    New Zealand Standard Time=Pacific/Auckland
    Fiji Standard Time=Pacific/Fiji
    Chatham Islands Standard Time=Pacific/Chatham
    Tonga Standard Time=Pacific/Tongatapu
    Samoa Standard Time=Pacific/Apia
    Line Islands Standard Time=Pacific/Kiritimati
    Marquesas Standard Time=Pacific/Marquesas
    Dateline Standard Time=Etc/GMT+12
    UTC-11=Etc/GMT+11
    UTC-09=Etc/GMT+9
    UTC-08=Etc/GMT+8
    UTC-02=Etc/GMT+2
    UTC+12=Etc/GMT-12
    UTC+13=Etc/GMT-13
    EST5EDT=America/New_York
    CST6CDT=America/Chicago
    MST7MDT=America/Denver
    PST8PDT=America/Los_Angeles
    Japan=Asia/Tokyo
    Singapore=Asia/Singapore
    Hongkong=Asia/Hong_Kong
    Israel=Asia/Jerusalem
    Turkey=Europe/Istanbul
    Egypt=Africa/Cairo
    Iran=Asia/Tehran
    Poland=Europe/Warsaw
    Portugal=Europe/Lisbon
    Eire=Europe/Dublin
    GB=Europe/London
    NZ=Pacific/Auckland
    PRC=Asia/Shanghai
    ROK=Asia/Seoul
    Cuba=America/Havana
    Jamaica=America/Jamaica
    Iceland=Atlantic/Reykjavik
    Zulu=UTC
    Z=UTC
    """
}
