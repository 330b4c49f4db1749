// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Arkived",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "arkived", targets: ["arkived"]),
    .library(name: "ArkivedKit", targets: ["ArkivedKit"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // MARK: System libraries
    // CArchive, CIcal and CStemmer are linked on macOS alone; see CLibraries.
    .systemLibrary(
      name: "CArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .systemLibrary(
      name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
    .systemLibrary(
      name: "CIcal", pkgConfig: "libical", providers: [.apt(["libical-dev"]), .brew(["libical"])]),
    .systemLibrary(
      name: "CMark", pkgConfig: "libcmark", providers: [.apt(["libcmark-dev"]), .brew(["cmark"])]),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(
      name: "CQRCode", pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
    .systemLibrary(
      name: "CStemmer", providers: [.apt(["libstemmer-dev"]), .brew(["snowball"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),

    // MARK: Kernels in C, chosen for the processor at run time
    .target(name: "CKernels"),
    .target(name: "CVectorScan"),

    // MARK: What SQLite may do to an archive's files
    .target(name: "CArchiveFile", dependencies: ["CSQLite"]),

    // MARK: Large texts, which the Swift compiler would take minutes to put into the program
    .target(name: "CTexts"),

    // MARK: The files of the web app: pages, styles, scripts
    .target(name: "CWebFiles"),

    // MARK: Processes that read pictures and files: start and limits in C, and libvips for the former
    .target(name: "CImages", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),

    // MARK: libarchive, libical, libcrypto and libstemmer, loaded when they are first needed
    .target(
      name: "CLibraries",
      dependencies: [
        .target(name: "CArchive", condition: .when(platforms: [.macOS])),
        .target(name: "CIcal", condition: .when(platforms: [.macOS])),
        .target(name: "CStemmer", condition: .when(platforms: [.macOS])),
      ],
      linkerSettings: [
        .linkedLibrary("dl", .when(platforms: [.linux])),
        .linkedLibrary("crypto", .when(platforms: [.macOS])),
      ]),

    // MARK: ArkivedCore
    .target(name: "ArkivedCore", dependencies: ["CTexts"], exclude: ["Resources"]),
    .testTarget(
      name: "ArkivedCoreTests", dependencies: ["ArkivedCore", "ArkivedTestSupport"],
      exclude: ["PlainWords", "TimePhrases"]),

    // MARK: ArkivedCrypto
    .target(name: "CCrypto", dependencies: ["CLibraries"]),
    .target(name: "ArkivedCrypto", dependencies: ["CCrypto"]),
    .testTarget(name: "ArkivedCryptoTests", dependencies: ["ArkivedCrypto", "ArkivedTestSupport"]),

    // MARK: ArkivedStore
    .target(
      name: "ArkivedStore",
      dependencies: [
        "ArkivedCore", "ArkivedCrypto", "CArchiveFile", "CSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "ArkivedStoreTests",
      dependencies: [
        "ArkivedStore", "ArkivedCore", "ArkivedTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),

    // MARK: ArkivedSearch
    .target(
      name: "ArkivedSearch",
      dependencies: [
        "ArkivedCore", "ArkivedStore", "CKernels", "CLibraries", "CVectorScan",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(
      name: "ArkivedSearchTests",
      dependencies: [
        "ArkivedSearch", "ArkivedStore", "ArkivedCore", "ArkivedTestSupport", "CKernels",
        "CVectorScan",
      ]),

    // MARK: ArkivedImport
    .target(
      name: "ArkivedImport",
      dependencies: [
        "ArkivedCore", "ArkivedCrypto", "CExpat", "CImages", "CLibraries",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(
      name: "ArkivedImportTests",
      dependencies: ["ArkivedImport", "ArkivedCore", "ArkivedTestSupport"],
      exclude: ["Recurrence"]),

    // MARK: ArkivedBackup
    .target(
      name: "ArkivedBackup",
      dependencies: [
        "ArkivedCore", "ArkivedCrypto", "CLibraries",
      ]),
    .testTarget(
      name: "ArkivedBackupTests",
      dependencies: [
        "ArkivedBackup", "ArkivedCore", "ArkivedCrypto", "ArkivedTestSupport",
      ]),

    // MARK: ArkivedEngine
    .target(
      name: "ArkivedEngine",
      dependencies: [
        "ArkivedCore", "ArkivedCrypto", "ArkivedStore", "ArkivedImport", "ArkivedSearch",
        "ArkivedBackup", "CMark",
      ]),
    .testTarget(
      name: "ArkivedEngineTests",
      dependencies: [
        "ArkivedEngine", "ArkivedStore", "ArkivedImport", "ArkivedSearch", "ArkivedBackup",
        "ArkivedCore", "ArkivedCrypto", "ArkivedTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Golden"]),

    // MARK: ArkivedAssistant
    .target(
      name: "ArkivedAssistant",
      dependencies: [
        "ArkivedCore", "ArkivedCrypto", "ArkivedStore", "ArkivedSearch", "CKernels", "CTexts",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ], exclude: ["Resources"]),
    .testTarget(
      name: "ArkivedAssistantTests",
      dependencies: [
        "ArkivedAssistant", "ArkivedSearch", "ArkivedStore", "ArkivedCore", "ArkivedTestSupport",
        "CTexts",
      ],
      exclude: ["Readings"]),

    // MARK: ArkivedKit
    .target(
      name: "ArkivedKit",
      dependencies: [
        "ArkivedCore", "ArkivedStore", "ArkivedSearch", "ArkivedImport", "ArkivedBackup",
        "ArkivedEngine", "ArkivedAssistant",
      ]),
    .testTarget(
      name: "ArkivedKitTests",
      dependencies: ["ArkivedKit", "ArkivedCore", "ArkivedEngine", "ArkivedTestSupport"]),
    // The example is a package of its own; here it is built and tested with the rest, by another name,
    // since no two packages of one graph may have targets of the same name.
    .executableTarget(
      name: "first-steps", dependencies: ["ArkivedKit"],
      path: "Examples/FirstSteps/Sources/FirstSteps"),

    // MARK: ArkivedWeb
    .target(
      name: "ArkivedWeb",
      dependencies: [
        "ArkivedCore", "ArkivedCrypto", "ArkivedStore", "ArkivedSearch", "ArkivedImport",
        "ArkivedEngine",
        "ArkivedAssistant", "ArkivedBackup", "CMark", "CQRCode", "CWebFiles",
        .target(name: "CMalloc", condition: .when(platforms: [.linux])),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      exclude: ["Resources"]),
    .testTarget(
      name: "ArkivedWebTests",
      dependencies: [
        "ArkivedWeb", "ArkivedAssistant", "ArkivedBackup", "ArkivedCrypto", "ArkivedEngine",
        "ArkivedSearch", "ArkivedStore", "ArkivedCore", "ArkivedTestSupport",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),

    // MARK: ArkivedCommands
    .target(
      name: "ArkivedCommands",
      dependencies: [
        "ArkivedCore", "ArkivedStore", "ArkivedSearch", "ArkivedImport", "ArkivedEngine",
        "ArkivedAssistant", "ArkivedBackup", "ArkivedWeb",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .testTarget(
      name: "ArkivedCommandsTests",
      dependencies: [
        "ArkivedCommands", "ArkivedStore", "ArkivedCore", "ArkivedTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // MARK: arkived
    .executableTarget(
      name: "arkived", dependencies: ["ArkivedCommands"],
      linkerSettings: [
        // A program exports nothing, so that what no command reaches is left out; 200,000 places that name
        // the program's own addresses are told as a map of bits (DT_RELR), which the system reads faster.
        // Swift's libraries are inside: to look up their 50,000 names takes longer than to add an entry.
        .unsafeFlags(
          [
            "-static-stdlib", "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker",
            "--gc-sections",
            "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-l_FoundationICU",
            "-lCoreFoundation",
            "-l_FoundationCShims", "-l_FoundationCollections", "-lFoundationEssentials",
            "-lFoundationInternationalization",
          ], .when(platforms: [.linux]))
      ]),
    // Runs the program `arkived`, but isn't linked with it: its flags are for a program, not for tests.
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "lifetime", "first-steps", "ArkivedEngine", "ArkivedStore", "ArkivedImport",
        "ArkivedCore", "ArkivedTestSupport",
      ]),

    // MARK: Benchmarks
    .executableTarget(
      name: "lifetime",
      dependencies: [
        "ArkivedCore", "ArkivedStore", "ArkivedImport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Benchmarks/Lifetime"),
    .executableTarget(
      name: "measure-ask", dependencies: ["ArkivedAssistant", "ArkivedCore"],
      path: "Benchmarks/Ask/Reader"),
    .executableTarget(
      name: "measure-words", dependencies: ["ArkivedSearch", "ArkivedCore", "CSQLite"],
      path: "Benchmarks/Search/Words"),
    .executableTarget(
      name: "measure-vectors", dependencies: ["ArkivedSearch", "ArkivedCore"],
      path: "Benchmarks/Search/Vectors"),
    .executableTarget(
      name: "measure-embedding", dependencies: ["ArkivedSearch"],
      path: "Benchmarks/Search/Embedding"),

    // MARK: ArkivedTestSupport
    .target(
      name: "ArkivedTestSupport",
      dependencies: ["ArkivedCore", "ArkivedStore", "ArkivedImport", "CLibraries"]),
  ]
)

// Outside the normal build: Tests/Fuzz/run.
if Context.environment["ARKIVED_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
    .executableTarget(
      name: "fuzz-parsers",
      dependencies: [
        "ArkivedCore", "ArkivedImport", "ArkivedBackup", "ArkivedAssistant", "ArkivedStore",
        "CFuzzer",
      ],
      path: "Tests/Fuzz/Parsers"),
  ]
}

let upcoming = [
  "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
  "InferIsolatedConformances", "NonisolatedNonsendingByDefault", "ImmutableWeakCaptures",
]
// Debug builds, which ./run and ./test use, are quick where time goes: in the kernels, the encoder and the
// indexes, in reading files and what all of it is made of, and in the tests that compare all vectors with
// each other. The rest is built as quickly as can be.
let inC: Set = [
  "CArchiveFile", "CImages", "CKernels", "CLibraries", "CTexts", "CVectorScan", "CWebFiles",
]
for target in package.targets where inC.contains(target.name) {
  target.cSettings = [.unsafeFlags(["-O2"], .when(configuration: .debug))]
}
let quick: Set = [
  "ArkivedBackup", "ArkivedCore", "ArkivedImport", "ArkivedSearch", "ArkivedSearchTests",
]
for target in package.targets where quick.contains(target.name) {
  target.swiftSettings = [.unsafeFlags(["-O"], .when(configuration: .debug))]
}
for target in package.targets where target.type != .system && !inC.contains(target.name) {
  target.swiftSettings =
    (target.swiftSettings ?? [])
    + [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
    + upcoming.map { .enableUpcomingFeature($0) }
}
