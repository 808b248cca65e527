// swift-tools-version: 6.2

import PackageDescription

// Tests call C in many places where a mistake fails a test and harms no user, so they need not mark what is unsafe.
let testSettings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let settings = testSettings + [.strictMemorySafety()]

/// A product that promod and promoctl need and CrossPromoKit does not.
func program(_ product: String, from package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Programs"]))
}

let package = Package(
    name: "promod",
    products: [
        .library(name: "CrossPromoKit", targets: ["CrossPromoKit"]),
        .executable(name: "promod", targets: ["promod"]),
        .executable(name: "promoctl", targets: ["promoctl"]),
        .executable(name: "more-apps-example", targets: ["MoreAppsExample"]),
    ],
    traits: [
        .default(enabledTraits: ["Programs"]),
        .trait(
            name: "Programs",
            description: "promod and promoctl. A client turns it off (traits: []) and resolves swift-log alone."),
    ],
    // packaging/Package.resolved has the versions with which the programs are built.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    ],
    targets: [
        .target(name: "CSystemd"),
        .target(name: "CFetch", dependencies: ["CLinux"]),
        .target(name: "CLinux"),
        .systemLibrary(
            name: "CSodium",
            pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"])]
        ),
        .target(
            name: "PromoWire",
            swiftSettings: settings
        ),
        .target(
            name: "PromoSystem",
            dependencies: ["CLinux", "PromoWire"],
            swiftSettings: settings
        ),
        .target(
            name: "PromoCore",
            dependencies: [
                "CSodium",
                "PromoWire",
            ],
            resources: [.embedInCode("Catalog/sample.json"), .embedInCode("Catalog/SampleIcons")],
            swiftSettings: settings
        ),
        .target(
            name: "PromoDaemon",
            dependencies: [
                "CFetch",
                "CLinux",
                "CSystemd",
                "PromoCore",
                "PromoSystem",
                "PromoWire",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "CrossPromoKit",
            dependencies: [
                "CLinux",
                "PromoSystem",
                "PromoWire",
                .product(name: "Logging", package: "swift-log"),
            ],
            // An asynchronous function stays on its caller's actor: the default executor would wake its process every second.
            swiftSettings: settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .executableTarget(
            name: "MoreAppsExample",
            dependencies: ["CrossPromoKit"],
            swiftSettings: settings
        ),
        .target(
            name: "PromoOptions",
            dependencies: ["PromoWire", program("ArgumentParser", from: "swift-argument-parser")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "promoctl",
            dependencies: [
                "CLinux",
                "CrossPromoKit",
                "PromoOptions",
                "PromoSystem",
                "PromoWire",
                program("ArgumentParser", from: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "promod",
            dependencies: [
                "CLinux",
                "PromoCore",
                "PromoDaemon",
                "PromoOptions",
                "PromoSystem",
                "PromoWire",
                program("ArgumentParser", from: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PromoTestSupport",
            dependencies: ["CFetch", "PromoCore", "PromoWire"],
            path: "Tests/PromoTestSupport",
            exclude: ["https-urls.json"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "PromoWireTests",
            dependencies: ["PromoTestSupport", "PromoWire"],
            exclude: ["Text/widths.py"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "PromoSystemTests",
            dependencies: ["PromoSystem"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "PromoCoreTests",
            dependencies: ["PromoCore", "PromoTestSupport", "PromoWire"],
            exclude: ["Fixtures"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "PromoDaemonTests",
            dependencies: [
                "CFetch", "CrossPromoKit", "PromoCore", "PromoDaemon", "PromoSystem", "PromoTestSupport",
                "PromoWire",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CrossPromoKitTests",
            dependencies: [
                "CrossPromoKit", "PromoSystem", "PromoTestSupport", "PromoWire",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: testSettings
        ),
        .executableTarget(
            name: "LibraryProbe",
            dependencies: ["CrossPromoKit"],
            path: "Tests/LibraryProbe",
            swiftSettings: testSettings
        ),
        .target(
            name: "FuzzTargets",
            dependencies: ["PromoCore", "PromoDaemon", "PromoTestSupport", "PromoWire"],
            path: "Tests/Fuzz/Targets",
            swiftSettings: testSettings
        ),
        .executableTarget(
            name: "simulate",
            dependencies: ["PromoCore", "PromoTestSupport", "PromoWire"],
            path: "Tests/Simulation",
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "FuzzReplay",
            dependencies: ["FuzzTargets", "PromoTestSupport"],
            path: "Tests/Fuzz/Replay",
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "TextCosts",
            dependencies: [
                "CrossPromoKit", "PromoCore", "PromoDaemon", "PromoTestSupport", "PromoWire",
                "promoctl",
            ],
            path: "Tests/TextCosts",
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "EndToEnd",
            dependencies: [
                "CrossPromoKit", "LibraryProbe", "MoreAppsExample", "PromoCore", "PromoTestSupport", "PromoWire",
                "promoctl", "promod",
            ],
            exclude: ["Promoctl/transcripts.txt"],
            swiftSettings: testSettings
        ),
    ]
)

// The source package has the packages inside, so that it builds without a network.
if let directory = Context.environment["PROMOD_PACKAGES"] {
    package.dependencies = ["swift-argument-parser", "swift-log"].map { .package(path: "\(directory)/\($0)") }
}

// packaging/fuzz builds with this. Only promod's own modules are optimised and instrumented, which takes a third of the time.
if Context.environment["PROMOD_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: ["FuzzTargets"],
            path: "Tests/Fuzz/Fuzzer",
            swiftSettings: testSettings,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        ))
    let fuzzed: Set = ["PromoWire", "PromoSystem", "PromoCore", "PromoDaemon", "FuzzTargets", "fuzz"]
    for target in package.targets where fuzzed.contains(target.name) {
        // Swift's option for libFuzzer alone does not make it count which code an input reaches.
        let coverage = "-sanitize-coverage=edge,trace-cmp,inline-8bit-counters,pc-table"
        target.swiftSettings?.append(.unsafeFlags(["-O", "-sanitize=fuzzer,address", coverage]))
    }
}
