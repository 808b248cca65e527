package import PromoWire

/// The message for a person who taps an app without a network.
package enum OfflineMessage {
    /// The stores that people know by name, each with the host of its pages, and its name as the subject of an English sentence and as
    /// the object of a Korean and a Japanese one.
    private static let stores: [(host: String, en: String, ko: String, ja: String)] = [
        ("apps.apple.com", "The App Store", "App Store를", "App Storeを"),
        ("flathub.org", "Flathub", "Flathub를", "Flathubを"),
        ("snapcraft.io", "The Snap Store", "Snap Store를", "Snap Storeを"),
        ("store.steampowered.com", "Steam", "Steam을", "Steamを"),
        ("itch.io", "itch.io", "itch.io를", "itch.ioを"),
        ("play.google.com", "Google Play", "Google Play를", "Google Playを"),
    ]
    private static let anyStore = (host: "", en: "The store", ko: "스토어를", ja: "ストアを")

    /// The message in a language.
    /// - Parameter page: the https address to which the tap leads, which determines the store.
    package static func text(in language: Language, for page: String) -> String {
        let host = HTTPSURL(page)?.host ?? ""
        let store = stores.first { host == $0.host || host.hasSuffix("." + $0.host) } ?? anyStore
        return switch language {
        case .en: "\(store.en) needs an internet connection. Please try again when you are online."
        case .ko: "\(store.ko) 열려면 인터넷 연결이 필요합니다. 인터넷에 연결한 뒤 다시 시도해 주세요."
        case .ja: "\(store.ja)開くにはインターネット接続が必要です。接続してからもう一度お試しください。"
        }
    }
}
