// swift-tools-version: 6.2
import PackageDescription

// In a package of your own, promod is at the address of its repository.
let package = Package(
    name: "more-apps-glib",
    dependencies: [.package(name: "promod", path: "../../..", traits: [])],
    targets: [
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .executableTarget(
            name: "more-apps-glib", dependencies: ["CGLib", .product(name: "CrossPromoKit", package: "promod")]),
    ]
)
