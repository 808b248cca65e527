import CrossPromoKit
import FoundationEssentials
import PromoSystem
import PromoWire

extension Timestamp {
    /// `21 Nov 01:09, 3 hours ago`, or `in 5 minutes`.
    func shown(now: Timestamp) -> String {
        let time = LocalTime.short(self, now: now)
        return self <= now ? "\(time), \(Age.text(now - self)) ago" : "\(time), in \(Age.remaining(self - now))"
    }
}
