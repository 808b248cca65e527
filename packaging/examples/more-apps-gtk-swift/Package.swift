// swift-tools-version: 6.2
import PackageDescription

// In a package of your own, promod is at the address of its repository.
let package = Package(
    name: "more-apps-gtk-swift",
    dependencies: [.package(name: "promod", path: "../../..", traits: [])],
    targets: [
        .systemLibrary(name: "CAdwaita", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
        .executableTarget(
            name: "more-apps-gtk-swift", dependencies: ["CAdwaita", .product(name: "CrossPromoKit", package: "promod")],
            resources: [.embedInCode("window.ui"), .embedInCode("row.ui")],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
    ]
)
