import CrossPromoKit

/// A delegate that keeps what it hears.
@MainActor
final class EventRecorder: PromoEventDelegate {
    private(set) var events: [PromoEvent] = []

    func promoService(_ service: PromoService, didEmit event: PromoEvent) {
        events.append(event)
    }
}
