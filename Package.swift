// swift-tools-version: 6.2
import PackageDescription

/// The language settings of every Swift target: Swift 6 mode, four upcoming features, and in CI no warning passes.
let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// What is optimised in debug builds too, with its checks: tests and replays spend most of their time there.
let optimised: [SwiftSetting] = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A library target of ours, with the shared settings.
func target(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    _ settings: [SwiftSetting] = settings,
    exclude: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

/// The tests of a target of ours, with the shared settings and the shared test support.
func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name), "MusterTestSupport"] + dependencies,
        swiftSettings: settings
    )
}

/// A C library of the system, found by pkg-config and installed by `scripts/setup` from the Debian package.
func system(_ name: String, pkgConfig: String, debian: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([debian])])
}

let package = Package(
    name: "muster",
    products: [
        .executable(name: "muster", targets: ["muster"]),
        .executable(name: "muster-bench", targets: ["muster-bench"]),
        .executable(name: "muster-imaging", targets: ["muster-imaging"]),
    ],
    targets: [
        system("CLibWebSockets", pkgConfig: "libwebsockets", debian: "libwebsockets-dev"),
        system("CLibUV", pkgConfig: "libuv", debian: "libuv1-dev"),
        system("CLibPQ", pkgConfig: "libpq", debian: "libpq-dev"),
        system("CSodium", pkgConfig: "libsodium", debian: "libsodium-dev"),
        system("COpenSSL", pkgConfig: "libcrypto", debian: "libssl-dev"),
        system("CQREncode", pkgConfig: "libqrencode", debian: "libqrencode-dev"),
        system("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),
        system("CLibCurl", pkgConfig: "libcurl", debian: "libcurl4-openssl-dev"),
        system("CLibMaxMindDB", pkgConfig: "libmaxminddb", debian: "libmaxminddb-dev"),
        // Its own description names -pthread, which SwiftPM refuses with a warning; its headers need those of GObject.
        system("CLibVips", pkgConfig: "gobject-2.0", debian: "libvips-dev"),
        system("CCairo", pkgConfig: "cairo", debian: "libcairo2-dev"),
        .target(name: "CMusterShims", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CGatewayShims", linkerSettings: [.linkedLibrary("ssl")]),

        target("MusterMath"),
        target(
            "MusterCore",
            ["MusterMath"],
            optimised,
            exclude: ["Arrivals/README.md", "Gatherings/README.md", "Presence/README.md", "Tiles/README.md"]
        ),
        target("MusterWire", ["MusterCore", "CMusterShims"], optimised),
        target("EventLoop", ["CMusterShims"]),
        target(
            "WebSocketGateway",
            ["EventLoop", "MusterWire", "CLibWebSockets", "CLibUV", "CMusterShims", "CGatewayShims", "CZlib"]
        ),
        target("Postgres", ["EventLoop", "CLibPQ", "CMusterShims"]),
        target("OutboundHTTP", ["EventLoop", "CLibCurl"]),
        target("Cryptography", ["COpenSSL"]),
        target(
            "MusterServer",
            [
                "MusterCore", "MusterWire", "EventLoop", "WebSocketGateway", "Postgres", "ImagingWire", "OutboundHTTP",
                "Cryptography", "CLibMaxMindDB", "CMusterShims", "CQREncode", "CSodium", "CZlib",
            ],
            exclude: ["Runtime/Journal/README.md"]
        ),
        target("MusterClient", ["EventLoop", "MusterWire", "CMusterShims"]),
        // Options and help of the two programs below.
        target("MusterCommands", ["MusterCore", "MusterWire", "MusterServer", "EventLoop"]),
        // Days of made-up people, for traces and their score.
        target("Scenario", ["MusterCore", "MusterWire"]),
        .executableTarget(
            name: "muster",
            dependencies: [
                "MusterCommands", "Scenario", "MusterServer", "MusterClient", "MusterCore", "MusterWire",
                "EventLoop", "WebSocketGateway", "OutboundHTTP", "Postgres", "Cryptography", "CZlib",
            ],
            swiftSettings: settings
        ),
        // Not shipped: `scripts/run` and `compose.yaml` do not build it.
        .executableTarget(
            name: "muster-bench",
            dependencies: [
                "MusterCommands", "Scenario", "MusterServer", "MusterClient", "MusterCore", "MusterWire",
                "EventLoop", "WebSocketGateway", "OutboundHTTP", "Postgres", "CZlib",
            ],
            exclude: ["README.md"],
            swiftSettings: settings
        ),

        // The server and its children share the first; libvips, cairo and pango are in the children alone.
        target("ImagingWire", ["MusterCore", "MusterMath"], optimised),
        .target(
            name: "CImagingShims",
            dependencies: ["CLibVips", "CCairo"],
            // Pango's own description names -pthread, as that of libvips does.
            cSettings: [.unsafeFlags(["-I/usr/include/pango-1.0", "-I/usr/include/harfbuzz"])],
            linkerSettings: ["vips", "pangocairo-1.0", "pango-1.0", "fontconfig"].map {
                .linkedLibrary($0)
            }
        ),
        target("Imaging", ["MusterCore", "ImagingWire", "CImagingShims", "CCairo"], optimised),
        .executableTarget(
            name: "muster-imaging",
            dependencies: ["Imaging"],
            swiftSettings: settings
        ),

        // Not a test target: it is measured optimised too, as it is shipped. `scripts/allocations` runs it.
        .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
        .executableTarget(
            name: "Allocations",
            dependencies: [
                "AllocationCounter", "MusterServer", "MusterClient", "MusterCore", "EventLoop",
                "Postgres",
            ],
            path: "Tests/Allocations",
            exclude: ["thresholds.json"],
            swiftSettings: settings
        ),

        // A program that tries what the children of `muster-imaging` must not be able to do.
        .target(name: "ConfinementAttempts", path: "Tests/Confinement/Attempts"),
        .executableTarget(
            name: "ConfinementProbe",
            dependencies: ["ConfinementAttempts", "Imaging"],
            path: "Tests/Confinement/Probe",
            swiftSettings: settings
        ),

        .target(
            name: "MusterTestSupport",
            dependencies: ["MusterCore", "EventLoop", "Postgres", "ImagingWire", "COpenSSL"],
            path: "Tests/MusterTestSupport",
            swiftSettings: settings
        ),
        // Slow and simple: what the core's tiles are held against. Optimised, for it sorts whole worlds for each answer.
        .target(
            name: "TileModels",
            dependencies: ["MusterCore"],
            path: "Tests/TileModels",
            swiftSettings: optimised
        ),
        tests("MusterCore", ["TileModels"]),
        tests("MusterWire", ["MusterServer"]),
        tests("EventLoop"),
        tests("WebSocketGateway", ["MusterClient", "MusterWire", "EventLoop"]),
        tests("Postgres"),
        tests("OutboundHTTP", ["EventLoop"]),
        tests("Cryptography"),
        // The parts of the server that need nothing but PostgreSQL.
        .testTarget(
            name: "StorageTests",
            dependencies: ["MusterServer", "MusterTestSupport"],
            swiftSettings: settings
        ),
        tests("Imaging", ["ImagingWire", "ConfinementProbe"]),
        // The program itself, because the end-to-end tests start it.
        tests(
            "MusterServer",
            [
                "MusterClient", "MusterCore", "MusterWire", "EventLoop", "WebSocketGateway", "Postgres",
                "ImagingWire", "Imaging", "OutboundHTTP", "Cryptography", "muster", "muster-bench", "muster-imaging",
            ]
        ),
        tests("MusterClient", ["MusterWire", "EventLoop", "muster"]),
    ],
    cxxLanguageStandard: .cxx17
)
