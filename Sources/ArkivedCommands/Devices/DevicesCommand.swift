import ArgumentParser
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// `devices`: the same archive on several computers, through a shared folder.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Keep the archive in step on several computers, through a folder they share.",
    discussion: """
      arkived devices init ~/Sync/Arkived       the first computer: name the shared folder
      arkived devices add                       show a code for another computer
      arkived devices join ~/Sync/Arkived CODE  the other computer: type the code there
      arkived devices                           who is in step, and what waits
      arkived devices now                       exchange changes now; serve does so by itself
      arkived devices rename "Old laptop"
      arkived devices revoke "Old laptop"

      The folder is one that something you use already carries about: Syncthing, a cloud drive, a NAS, a \
      USB stick. What lies in it is encrypted for your devices; nobody else can read or forge it.
      """,
    subcommands: [
      DevicesStatus.self, DevicesInit.self, DevicesAdd.self, DevicesJoin.self, DevicesNow.self,
      DevicesRename.self, DevicesRevoke.self, DevicesFolder.self, DevicesLeave.self,
    ], defaultSubcommand: DevicesStatus.self)

  static func job(_ archive: Archive) throws -> DeviceSyncJob {
    if let job = try DeviceSyncJob(archive: archive) { return job }
    if let job = try DevicePairing.finish(archive) { return job }
    let isAsking = try DevicePairing.isAsking(archive)
    throw CommandFailure(
      .refused,
      isAsking
        ? said("The other device hasn’t let this one in yet. Confirm there, then run this again.")
        : said("This archive is on one device. Start with: arkived devices init FOLDER"))
  }

  /// The device that a name or an identity means.
  static func device(_ text: String, _ job: DeviceSyncJob) throws -> OwnDevice {
    let found = job.devices.filter {
      $0.id == text.lowercased() || NameFolding.key($0.name) == NameFolding.key(text)
    }
    guard let device = found.first, found.count == 1 else {
      throw CommandFailure(
        found.isEmpty ? .noInput : .usage,
        found.isEmpty
          ? said("No device is called “\(text)”. arkived devices lists them.")
          : said("Several devices are called “\(text)”. Name one by its identity."))
    }
    return device
  }

  static func folder(_ path: String) -> URL {
    let path = HomeFolder.expandingTilde(path, ProcessInfo.processInfo.environment)
    return URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
  }

  static var hostName: String {
    let name = ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init) ?? ""
    return name.isEmpty ? "computer" : String(name.prefix(60))
  }
}

struct DevicesStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show who is in step, what waits, and what was settled.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    var job = try DevicesCommand.job(try context.open())
    let status = try job.status()
    context.output.result(status.json, lines: Self.lines(status, context))
  }

  static func lines(_ status: DeviceSyncStatus, _ context: Context) -> [String] {
    var lines = [said("Shared folder: \(status.folder)")]
    for one in status.devices {
      var parts = [one.device.name]
      if one.isThisOne { parts.append(said("this device")) }
      if one.device.isRevoked { parts.append(said("revoked")) }
      if let seen = one.lastSeen, !one.isThisOne {
        parts.append(said("last seen \(context.timeText(seen))"))
      }
      if one.behind > 0, !one.isThisOne {
        parts.append(
          said(
            one.behind, one: "1 part not read there yet",
            other: "\(one.behind) parts not read there yet"))
      }
      lines.append("  " + parts.joined(separator: " · "))
    }
    lines += status.troubles.map(\.sentence)
    if status.missingFiles > 0 {
      lines.append(
        said(
          status.missingFiles, one: "1 file hasn’t arrived yet.",
          other: "\(status.missingFiles) files haven’t arrived yet."))
    }
    if !status.conflicts.isEmpty { lines.append(said("Settled lately:")) }
    for conflict in status.conflicts.prefix(5) {
      lines.append(
        "  \(context.timeText(conflict.at))  \(conflict.type.singular) · \(conflict.field)  "
          + said("other version: \(Self.shown(conflict.gaveWay))"))
    }
    return lines
  }

  private static func shown(_ value: JSON) -> String {
    String((value.string ?? value.text()).prefix(60))
      .replacingOccurrences(of: "\n", with: " ")
  }
}

struct DevicesInit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make this the first device, and name the shared folder.")

  @Argument(help: "A folder that reaches your other computers.") var folder: String
  @Option(help: "What this device is called; its host name otherwise.") var name: String?
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard archive.databaseFile != nil else {
      throw CommandFailure(
        .refused, said("An archive in memory can’t be synced. Name a folder for it."))
    }
    var job = try DevicePairing.start(
      archive, name: name ?? DevicesCommand.hostName, folder: DevicesCommand.folder(folder))
    try job.exchange()
    let status = try job.status()
    context.output.result(status.json, lines: DevicesStatus.lines(status, context))
    context.output.say(said("Show a code for another computer with: arkived devices add"))
  }
}

struct DevicesAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Show a code, and let another device in.",
    discussion: """
      Type the code on the other computer: arkived devices join FOLDER CODE
      Both show a number. Let the other one in only where both are the same.
      """)

  @Flag(help: "Let in whoever has the code, without asking; for scripts.") var yes = false
  @Option(help: "For how many seconds the other device is waited for.") var wait = 600
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    var job = try DevicesCommand.job(archive)
    let code = try job.invite()
    if context.output.isJSON {
      Output.write(JSON.object(["code": .string(code)]).text() + "\n", to: STDOUT_FILENO)
    } else {
      context.output.result([:], lines: [code])
    }
    context.output.say(
      said("On the other computer, within an hour: arkived devices join FOLDER \(code)"))
    let end = ContinuousClock.now + .seconds(max(0, wait))
    while true {
      if let request = try job.request() {
        try decide(request, &job, context)
        return
      }
      guard ContinuousClock.now < end else {
        throw CommandFailure(
          .unavailable, said("No device has answered. The code can’t be used any more."))
      }
      Thread.sleep(forTimeInterval: 0.5)
    }
  }

  private func decide(
    _ request: DevicePairing.Request, _ job: inout DeviceSyncJob, _ context: Context
  ) throws {
    context.output.say(said("“\(request.device.name)” asks to join: \(request.comparison)"))
    if !yes {
      guard StandardInput.isInteractive else {
        throw CommandFailure(
          .refused, said("Compare the numbers, then answer at a terminal, or use --yes."))
      }
      Output.write(said("Does it show the same number? [y/N] "), to: STDERR_FILENO)
      let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
      guard ["y", "yes", said("y"), said("yes")].contains(answer) else {
        throw CommandFailure(.refused, said("It was not let in."))
      }
    }
    try job.accept(request)
    context.output.say(said("“\(request.device.name)” belongs to your devices now."))
  }
}

struct DevicesJoin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Join your other devices with the code that one of them shows.")

  @Argument(help: "The shared folder, as it is on this computer.") var folder: String
  @Argument(help: "The code.") var code: String
  @Option(help: "What this device is called; its host name otherwise.") var name: String?
  @Option(help: "For how many seconds the other device is waited for.") var wait = 600
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let comparison = try DevicePairing.ask(
      archive, name: name ?? DevicesCommand.hostName, folder: DevicesCommand.folder(folder),
      code: code)
    context.output.say(said("Compare this number with the other device: \(comparison)"))
    let end = ContinuousClock.now + .seconds(max(0, wait))
    while true {
      if var job = try DevicePairing.finish(archive) {
        try job.exchange()
        let status = try job.status()
        context.output.result(status.json, lines: DevicesStatus.lines(status, context))
        return
      }
      guard ContinuousClock.now < end else {
        throw CommandFailure(
          .unavailable,
          said("The other device hasn’t let this one in yet. Confirm there, then run this again."))
      }
      Thread.sleep(forTimeInterval: 0.5)
    }
  }
}

struct DevicesNow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Exchange changes with the other devices now.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    var job = try DevicesCommand.job(try context.open())
    let report = try job.exchange()
    let status = try job.status()
    var object = report.json.object ?? JSONObject()
    object["status"] = status.json
    context.output.result(
      .object(object),
      lines: [
        said("\(report.sent) sent, \(report.received) received, \(report.conflicts) settled")
      ] + status.troubles.map(\.sentence))
    if status.troubles.contains(where: \.isStuck) {
      throw CommandFailure(.unavailable, said("Not everything gets through; see above."))
    }
  }
}

struct DevicesRename: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a device another name.")

  @Argument(help: "Its name or identity, or only the new name of this device.") var names: [String]
  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard (1...2).contains(names.count) else {
      throw ValidationError(said("Name the device and its new name."))
    }
  }

  func run() throws {
    let context = try Context(options)
    var job = try DevicesCommand.job(try context.open())
    let id = names.count == 2 ? try DevicesCommand.device(names[0], job).id : job.thisDevice
    let name = names[names.count - 1]
    try job.rename(id, to: name)
    try job.exchange()
    context.output.result(
      ["renamed": ["id": .string(id), "name": .string(name)]],
      lines: [said("It is called “\(name)” now.")])
  }
}

struct DevicesRevoke: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "End a device’s part, such as of a lost one.",
    discussion: """
      What it wrote until now stays. The others use new keys from now on, so that it reads nothing new. \
      What it already holds, it keeps.
      """)

  @Argument(help: "Its name or identity.") var name: String
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    var job = try DevicesCommand.job(try context.open())
    let device = try DevicesCommand.device(name, job)
    try job.revoke(device.id)
    try job.exchange()
    context.output.result(
      ["revoked": ["id": .string(device.id), "name": .string(device.name)]],
      lines: [said("“\(device.name)” reads nothing new.")])
  }
}

struct DevicesFolder: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "folder", abstract: "Use another folder, such as after it was renamed.")

  @Argument(help: "The shared folder.") var folder: String
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    var job = try DevicesCommand.job(try context.open())
    try job.move(to: DevicesCommand.folder(folder))
    try job.exchange()
    let status = try job.status()
    context.output.result(status.json, lines: DevicesStatus.lines(status, context))
  }
}

struct DevicesLeave: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "Stop syncing this device; its archive stays as it is.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    try DevicePairing.leave(archive)
    context.output.result(
      ["left": true], lines: [said("This device isn’t synced any more. Revoke it on another one.")])
  }
}
