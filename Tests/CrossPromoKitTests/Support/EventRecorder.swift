import CrossPromoKit

/// A delegate that records the events that it receives.
@MainActor
final class EventRecorder: PromoEventDelegate {
    private(set) var events: [PromoEvent] = []

    func promoService(_ service: PromoService, didEmit event: PromoEvent) {
        events.append(event)
    }
}
