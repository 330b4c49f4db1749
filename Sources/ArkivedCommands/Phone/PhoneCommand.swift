import ArgumentParser
import ArkivedCore
import ArkivedStore
import ArkivedWeb
import Foundation

/// `phone`: the door to the home network, and the devices that are paired there.
struct PhoneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phone",
    abstract: "Read and write from your phone, over your home network.",
    discussion: """
      arkived phone pair            choose an address, and show a code for the phone's camera
      arkived phone status          how the door stands
      arkived phone list            what is paired
      arkived phone revoke "iPhone"
      arkived phone off             shut the door; devices stay paired

      The door is shut until you open it. While arkived serve runs, paired devices come in by TLS at
      the one address that you choose; nothing else there answers. They read, add, change and ask.
      How to install the certificate on the phone: Documentation/Phone.md
      """,
    subcommands: [
      PhonePair.self, PhoneOpen.self, PhoneStatus.self, PhoneList.self, PhoneRevoke.self,
      PhoneCertificate.self, PhoneOff.self,
    ], defaultSubcommand: PhoneStatus.self)
}

/// Where phones come in.
struct PhoneDoorOptions: ParsableArguments {
  @Option(help: "The address of this computer for phones; asked for at a terminal.")
  var address: String?
  @Option(help: "The port; 8443 where none was chosen.")
  var port: Int?
  @Option(help: "A name of this computer below .local, where your network knows it.")
  var name: String?

  /// The door as it is open then: as it was, or as these options and their owner say.
  func open(_ context: Context, _ setup: PhoneSetup, _ kept: PhoneDoorSettings?) throws
    -> PhoneDoorSettings
  {
    let standing = kept.flatMap { $0.isOpen && PhoneSetup.isPresent($0) ? $0 : nil }
    if let standing, address == nil, port == nil, name == nil { return standing }
    let chosen = try address ?? standing?.address ?? choose(context)
    return try setup.open(
      address: chosen, port: port ?? kept?.port ?? PhoneSetup.usualPort,
      name: name ?? kept?.name ?? chooseName(at: chosen, context))
  }

  /// Offers the name that the network has for this computer, where somebody can answer.
  private func chooseName(at address: String, _ context: Context) -> String? {
    guard StandardInput.isInteractive, !context.output.isJSON,
      let known = PhoneSetup.knownName(at: address)
    else { return nil }
    context.output.say(
      said(
        """
        Your network knows this computer as \(known). By that name phones find it also when its \
        address changes, and stay paired; Android from version 12 on.
        """))
    Output.write(said("Use the name? [y/N] "), to: STDERR_FILENO)
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    return ["y", "yes", said("y"), said("yes")].contains(answer) ? known : nil
  }

  /// Asks for one of this computer's addresses.
  private func choose(_ context: Context) throws -> String {
    let places = try HomeNetwork.places()
    guard !places.isEmpty else {
      throw CommandFailure(
        .unavailable, said("This computer has no address in a home network now. Connect it first."))
    }
    let list = places.map { "\($0.address.text) (\($0.interface))" }
    guard StandardInput.isInteractive, !context.output.isJSON else {
      throw CommandFailure(
        .usage,
        said(
          "Choose at which address phones come in with --address: \(list.joined(separator: ", ")).")
      )
    }
    context.output.say(said("At which address of this computer may phones come in?"))
    for (number, line) in list.enumerated() { context.output.say("  \(number + 1)  \(line)") }
    Output.write(said("Number: "), to: STDERR_FILENO)
    guard let number = readLine().flatMap({ Int($0.trimmingCharacters(in: .whitespaces)) }),
      places.indices.contains(number - 1)
    else {
      throw CommandFailure(.refused, said("That is none of them; nothing was opened."))
    }
    return places[number - 1].address.text
  }
}

struct PhonePair: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Open the door, and show a code that pairs one phone.")

  @OptionGroup var door: PhoneDoorOptions
  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let archive = try context.open()
    let setup = PhoneSetup(archive: archive)
    let settings = try door.open(context, setup, try archive.phoneDoor())
    let pairing = try setup.makeCode(for: settings)
    let authority = try setup.authority()
    let answers = await PhoneSetup.answers(settings, within: 3)
    let output = context.output
    output.result(
      [
        "url": .string(pairing.url), "addressURL": JSON(pairing.addressURL),
        "code": .string(pairing.code),
        "expiresAt": JSON(pairing.expiresAt), "address": .string(settings.address),
        "port": JSON(settings.port), "fingerprint": .string(authority.fingerprint),
        "isAnswering": .bool(answers),
      ], lines: [])
    guard !output.isJSON else { return }
    draw(pairing, output)
    output.say(
      said(
        """
        Point the phone's camera at it, or open \(pairing.url)
        The code alone: \(pairing.code), once, until \(context.timeText(pairing.expiresAt)).
        If the phone's browser warns, install the certificate that it offers first. Its SHA-256 is
        \(authority.fingerprint)
        """))
    if let plain = pairing.addressURL {
      output.say(said("A phone that does not find that name opens \(plain)"))
    }
    if !answers {
      output.say(said("No server answers at that address yet: start arkived serve."))
    }
    guard StandardInput.isInteractive else { return }
    try await wait(setup, pairing, archive, output)
  }

  private func draw(_ pairing: PhoneSetup.Pairing, _ output: Output) {
    guard let code = QRCode(pairing.url) else { return }
    // Dark on light, as readers expect it, whatever the terminal's own colours are.
    let (start, end) = output.isStyled ? ("\u{1B}[38;5;16;48;5;231m", "\u{1B}[0m") : ("", "")
    for line in code.lines(isOnDark: !output.isStyled) {
      Output.write(start + line + end + "\n", to: STDOUT_FILENO)
    }
  }

  /// Waits at the terminal until a phone has used the code.
  private func wait(
    _ setup: PhoneSetup, _ pairing: PhoneSetup.Pairing, _ archive: Archive, _ output: Output
  ) async throws {
    let before = Set(try archive.devices().map(\.lastSeenAt))
    output.say(said("Waiting for the phone; Ctrl-C stops waiting, and the code stays good."))
    while try setup.waits(pairing) { try await Task.sleep(for: .milliseconds(500)) }
    let seen = try archive.devices().filter { !before.contains($0.lastSeenAt) }
      .max { $0.lastSeenAt < $1.lastSeenAt }
    // While the code grew too old, another phone may have been here.
    let paired = archive.clock.now > pairing.expiresAt ? nil : seen
    output.say(
      paired.map { said("Paired: \($0.name).") }
        ?? said("Nothing was paired; arkived phone pair makes a new code."))
  }
}

struct PhoneOpen: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open the door, or move it to another address; devices stay paired.")

  @OptionGroup var door: PhoneDoorOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let settings = try door.open(context, PhoneSetup(archive: archive), try archive.phoneDoor())
    context.output.result(
      ["door": settings.json],
      lines: [said("Phones come in at \(PhoneSetup.url(of: settings) ?? settings.address)")])
  }
}

struct PhoneStatus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "How the door stands.")

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let archive = try context.open()
    let count = try archive.devices().count
    guard let settings = try archive.phoneDoor(), settings.isOpen else {
      context.output.result(
        ["isOpen": false, "devices": JSON(count)],
        lines: [said("The door is shut: no phone can come in."), Self.paired(count)])
      return
    }
    let isPresent = PhoneSetup.isPresent(settings)
    var answers = false
    if isPresent { answers = await PhoneSetup.answers(settings, within: 0) }
    let authority = try PhoneSetup(archive: archive).authority()
    let sentence =
      !isPresent
      ? said(
        """
        This computer does not have the address \(settings.address) any more, so no phone can come \
        in. Choose another: arkived phone open --address ADDRESS. Devices stay paired.
        """)
      : answers
        ? said("Phones come in there.") : said("No server answers there: start arkived serve.")
    context.output.result(
      [
        "isOpen": true, "address": .string(settings.address), "port": JSON(settings.port),
        "name": JSON(settings.name), "url": JSON(PhoneSetup.url(of: settings)),
        "isPresent": .bool(isPresent), "isAnswering": .bool(answers),
        "certificate": [
          "fingerprint": .string(authority.fingerprint), "since": JSON(authority.since),
          "until": JSON(authority.until),
        ], "devices": JSON(count),
      ],
      lines: [
        said("The door is open at \(PhoneSetup.url(of: settings) ?? settings.address)"), sentence,
        Self.paired(count),
        said(
          """
          The certificate that phones install was made \(context.timeText(authority.since)) and is \
          good until \(context.timeText(authority.until)). Its SHA-256:
          """), authority.fingerprint,
      ])
  }

  private static func paired(_ count: Int) -> String {
    switch count {
    case 0: said("No device is paired.")
    case 1: said("One device is paired.")
    default: said("\(count) devices are paired.")
    }
  }
}

struct PhoneList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the paired devices.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let devices = try context.open().devices()
    context.output.result(
      ["devices": .array(devices.map(\.json)), "total": JSON(devices.count)],
      lines: devices.isEmpty
        ? [said("No device is paired.")]
        : devices.map { device in
          said(
            """
            \(device.name)  since \(context.timeText(device.createdAt))  last here \
            \(context.timeText(device.lastSeenAt))
            """)
        })
  }
}

struct PhoneRevoke: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Let a device in no longer.")

  @Argument(help: "Its name or identity.") var name: String
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let device = try context.open().removeDevice(name)
    context.output.result(
      ["deleted": .array([device.json])], lines: [said("\(device.name) is let in no longer.")])
  }
}

struct PhoneCertificate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "certificate",
    abstract: "Write the certificate that phones install, to carry it there yourself.")

  @Option(name: [.short, .long], help: "The file, such as arkived-at-home.crt.")
  var output: String
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let authority = try PhoneSetup(archive: try context.open()).authority()
    let path = HomeFolder.expandingTilde(output)
    guard !FileManager.default.fileExists(atPath: path) else {
      throw CommandFailure(.cannotCreate, said("\(path) is there already; name another file."))
    }
    try DurableFile.write(authority.certificate, to: URL(fileURLWithPath: path))
    context.output.result(
      ["path": .string(path), "fingerprint": .string(authority.fingerprint)],
      lines: ["\(path), SHA-256 \(authority.fingerprint)"])
  }
}

struct PhoneOff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Shut the door; devices stay paired.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    try PhoneSetup(archive: try context.open()).close()
    context.output.result(
      ["isOpen": false], lines: [said("The door is shut: no phone can come in.")])
  }
}
