import PromoCore
@testable import PromoDaemon
import Synchronization
import Testing

struct PublicationTests {
    @Test func theHundredThousandthPublicationIsObservedLikeTheFirst() {
        let publication = Publication(Snapshot(cachePath: "/nowhere"))
        let heard = Mutex(0)
        publication.observe { snapshot in heard.withLock { $0 = snapshot.serial } }
        for _ in 0..<100_000 { publication.publish(publication.current) }
        #expect(heard.withLock { $0 } == 100_000)
    }
}
