// swift-tools-version: 6.2
import PackageDescription

// In a package of your own, promod is at the address of its repository.
let package = Package(
    name: "more-apps-gtk-swift",
    dependencies: [.package(name: "promod", path: "../../..", traits: [])],
    targets: [
        .systemLibrary(name: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .executableTarget(
            name: "more-apps-gtk-swift", dependencies: ["CGtk", .product(name: "CrossPromoKit", package: "promod")],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
    ]
)
