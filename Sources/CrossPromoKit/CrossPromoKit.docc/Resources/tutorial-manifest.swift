// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "more",
    dependencies: [.package(path: "../promod", traits: [])],
    targets: [
        .executableTarget(name: "more", dependencies: [.product(name: "CrossPromoKit", package: "promod")])
    ]
)
