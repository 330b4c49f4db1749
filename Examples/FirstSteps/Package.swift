// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FirstSteps",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Arkived", path: "../..")],
  targets: [
    .executableTarget(
      name: "FirstSteps", dependencies: [.product(name: "ArkivedKit", package: "Arkived")])
  ]
)
