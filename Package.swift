// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "promod",
    products: [
        .library(name: "CrossPromoKit", targets: ["CrossPromoKit"]),
        .executable(name: "promod", targets: ["promod"]),
        .executable(name: "promoctl", targets: ["promoctl"]),
        .executable(name: "more-apps-example", targets: ["MoreAppsExample"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", exact: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
        .package(url: "https://github.com/LebJe/TOMLKit.git", exact: "0.6.0"),
    ],
    targets: [
        .target(
            name: "CSystemd",
            linkerSettings: [.linkedLibrary("systemd")]
        ),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .target(
            name: "PromoWire",
            swiftSettings: settings
        ),
        .target(
            name: "PromoCore",
            dependencies: [
                "PromoWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            resources: [.embedInCode("Catalog/sample.json")],
            swiftSettings: settings
        ),
        .target(
            name: "PromoDaemon",
            dependencies: [
                "CSystemd",
                "CZlib",
                "PromoCore",
                "PromoWire",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "TOMLKit", package: "TOMLKit"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "CrossPromoKit",
            dependencies: [
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
        .executableTarget(
            name: "promoctl",
            dependencies: [
                "CrossPromoKit",
                "PromoWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "promod",
            dependencies: [
                "PromoCore",
                "PromoDaemon",
                "PromoWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PromoTestSupport",
            path: "Tests/PromoTestSupport",
            exclude: ["https-urls.json"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromoWireTests",
            dependencies: ["PromoTestSupport", "PromoWire"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromoCoreTests",
            dependencies: ["PromoCore", "PromoTestSupport", "PromoWire"],
            exclude: ["Fixtures"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PromoDaemonTests",
            dependencies: [
                "PromoCore", "PromoDaemon", "PromoTestSupport", "PromoWire",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CrossPromoKitTests",
            dependencies: [
                "CrossPromoKit", "PromoTestSupport", "PromoWire",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["View/widths.py"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "EndToEnd",
            dependencies: ["CrossPromoKit", "MoreAppsExample", "PromoTestSupport", "promoctl", "promod"],
            swiftSettings: settings
        ),
    ]
)
