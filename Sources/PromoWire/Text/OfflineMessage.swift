/// The message for a person who taps an app without a network.
package enum OfflineMessage {
    /// The message in a language.
    package static func text(in language: Language) -> String {
        switch language {
        case .en: "The store needs an internet connection. Please try again when you are online."
        case .ko: "스토어를 열려면 인터넷 연결이 필요합니다. 인터넷에 연결한 뒤 다시 시도해 주세요."
        case .ja: "ストアを開くにはインターネット接続が必要です。接続してからもう一度お試しください。"
        }
    }
}
