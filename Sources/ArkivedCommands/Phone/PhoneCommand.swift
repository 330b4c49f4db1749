import ArgumentParser
import ArkivedCore
import ArkivedStore
import ArkivedWeb
import Foundation

/// The `phone` command: access from the home network, and the devices paired there.
struct PhoneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phone",
    abstract: "Read and write from your phone over your home network.",
    discussion: """
      arkived phone pair            choose an address and show a code for the phone’s camera
      arkived phone status          show whether phone access is on
      arkived phone list            list paired devices
      arkived phone revoke "iPhone"
      arkived phone off             switch phone access off; devices stay paired

      Phone access is off until you switch it on. While arkived serve runs, paired devices connect \
      over
      TLS at the one address you choose. Nothing else answers there. They can read, add, change \
      and ask.
      How to install the certificate on the phone: Documentation/Phone.md
      """,
    subcommands: [
      PhonePair.self, PhoneOpen.self, PhoneStatus.self, PhoneList.self, PhoneRevoke.self,
      PhoneCertificate.self, PhoneOff.self,
    ], defaultSubcommand: PhoneStatus.self)
}

/// The address at which phones connect.
struct PhoneDoorOptions: ParsableArguments {
  @Option(
    help:
      "The address phones use to connect to this computer. In a terminal, you’ll be prompted for it."
  )
  var address: String?
  @Option(help: "The port. Default: the one used before, or 8443.")
  var port: Int?
  @Option(help: "This computer’s name ending in .local, if your network knows it.")
  var name: String?

  /// Returns the network access to enable: as before, or as specified by these options and the
  /// owner.
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

  /// Offers the computer's network name, if somebody can answer.
  private func chooseName(at address: String, _ context: Context) -> String? {
    guard StandardInput.isInteractive, !context.output.isJSON,
      let known = PhoneSetup.knownName(at: address)
    else { return nil }
    context.output.say(
      said(
        """
        Your network knows this computer as \(known). With this name, phones can find it even if \
        its address changes, and they stay paired. On Android, this needs version 12 or later.
        """))
    Output.write(said("Use this name? [y/N] "), to: STDERR_FILENO)
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    return ["y", "yes", said("y"), said("yes")].contains(answer) ? known : nil
  }

  /// Asks for one of this computer's addresses.
  private func choose(_ context: Context) throws -> String {
    let places = try HomeNetwork.places()
    guard !places.isEmpty else {
      throw CommandFailure(
        .unavailable, said("This computer isn’t connected to a home network. Connect it first."))
    }
    let list = places.map { "\($0.address.text) (\($0.interface))" }
    guard StandardInput.isInteractive, !context.output.isJSON else {
      throw CommandFailure(
        .usage,
        said(
          "Choose the address for phones with --address: \(list.joined(separator: ", ")).")
      )
    }
    context.output.say(said("Which address of this computer should phones connect to?"))
    for (number, line) in list.enumerated() { context.output.say("  \(number + 1)  \(line)") }
    Output.write(said("Number: "), to: STDERR_FILENO)
    guard let number = readLine().flatMap({ Int($0.trimmingCharacters(in: .whitespaces)) }),
      places.indices.contains(number - 1)
    else {
      throw CommandFailure(.refused, said("Invalid number. Phone access wasn’t changed."))
    }
    return places[number - 1].address.text
  }
}

struct PhonePair: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Switch phone access on and show a code for pairing one phone.")

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
        Point the phone’s camera at it, or open \(pairing.url)
        Code: \(pairing.code). It works once, until \(context.timeText(pairing.expiresAt)).
        If the phone’s browser shows a warning, first install the certificate it offers. Its \
        SHA-256 fingerprint is
        \(authority.fingerprint)
        """))
    if let plain = pairing.addressURL {
      output.say(said("If a phone can’t find that name, open \(plain)"))
    }
    if !answers {
      output.say(said("No server is answering at that address yet. Start `arkived serve`."))
    }
    guard StandardInput.isInteractive else { return }
    try await wait(setup, pairing, archive, output)
  }

  private func draw(_ pairing: PhoneSetup.Pairing, _ output: Output) {
    guard let code = QRCode(pairing.url) else { return }
    // Dark on light, as scanners expect, regardless of the terminal's own colours.
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
    output.say(said("Waiting for the phone. Press Ctrl-C to stop waiting; the code stays valid."))
    while try setup.waits(pairing) { try await Task.sleep(for: .milliseconds(500)) }
    let seen = try archive.devices().filter { !before.contains($0.lastSeenAt) }
      .max { $0.lastSeenAt < $1.lastSeenAt }
    // A different phone may have connected while the code was expiring.
    let paired = archive.clock.now > pairing.expiresAt ? nil : seen
    output.say(
      paired.map { said("Paired: \($0.name).") }
        ?? said("No phone was paired. For a new code: `arkived phone pair`."))
  }
}

struct PhoneOpen: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Switch phone access on, or change its address. Devices stay paired.")

  @OptionGroup var door: PhoneDoorOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let settings = try door.open(context, PhoneSetup(archive: archive), try archive.phoneDoor())
    context.output.result(
      ["door": settings.json],
      lines: [said("Phones connect to \(PhoneSetup.url(of: settings) ?? settings.address)")])
  }
}

struct PhoneStatus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show whether phone access is on.")

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let archive = try context.open()
    let count = try archive.devices().count
    guard let settings = try archive.phoneDoor(), settings.isOpen else {
      context.output.result(
        ["isOpen": false, "devices": JSON(count)],
        lines: [said("Phone access is off. No phone can connect."), Self.paired(count)])
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
        This computer no longer has the address \(settings.address), so phones can’t connect. Choose \
        another: `arkived phone open --address ADDRESS`. Devices stay paired.
        """)
      : answers
        ? said("Phones can connect.") : said("No server is answering there. Start `arkived serve`.")
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
        said("Phone access is on at \(PhoneSetup.url(of: settings) ?? settings.address)"), sentence,
        Self.paired(count),
        said(
          """
          The certificate that phones install was created on \(context.timeText(authority.since)) \
          and is valid until \(context.timeText(authority.until)). Its SHA-256 fingerprint:
          """), authority.fingerprint,
      ])
  }

  private static func paired(_ count: Int) -> String {
    switch count {
    case 0: said("No devices paired.")
    case 1: said("One device paired.")
    default: said("\(count) devices paired.")
    }
  }
}

struct PhoneList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List paired devices.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let devices = try context.open().devices()
    context.output.result(
      ["devices": .array(devices.map(\.json)), "total": JSON(devices.count)],
      lines: devices.isEmpty
        ? [said("No devices paired.")]
        : devices.map { device in
          said(
            """
            \(device.name)  since \(context.timeText(device.createdAt))  last seen \
            \(context.timeText(device.lastSeenAt))
            """)
        })
  }
}

struct PhoneRevoke: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a device’s access.")

  @Argument(help: "The name or ID.") var name: String
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let device = try context.open().removeDevice(name)
    context.output.result(
      ["deleted": .array([device.json])], lines: [said("Access revoked for \(device.name).")])
  }
}

struct PhoneCertificate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "certificate",
    abstract: "Save the certificate that phones install, to transfer it yourself.")

  @Option(name: [.short, .long], help: "The file, such as arkived-at-home.crt.")
  var output: String
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let authority = try PhoneSetup(archive: try context.open()).authority()
    try CommandPath.check(output)
    let path = HomeFolder.expandingTilde(output)
    guard !FileManager.default.fileExists(atPath: path) else {
      throw CommandFailure(.cannotCreate, said("\(path) already exists. Choose another file name."))
    }
    try DurableFile.write(authority.certificate, to: URL(fileURLWithPath: path))
    context.output.result(
      ["path": .string(path), "fingerprint": .string(authority.fingerprint)],
      lines: ["\(path), SHA-256 \(authority.fingerprint)"])
  }
}

struct PhoneOff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Switch phone access off. Devices stay paired.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    try PhoneSetup(archive: try context.open()).close()
    context.output.result(
      ["isOpen": false], lines: [said("Phone access is off. No phone can connect.")])
  }
}
