import PromoCore
import PromoWire

/// The origin of the sample's pictures, which are in the program.
struct SamplePictures: Origin {
    func fetch(
        _ request: OriginRequest, completion: @escaping @Sendable (OriginReply) -> Void
    ) -> @Sendable () -> Void {
        let picture = SampleCatalog.picture(at: request.url.normalized)
        let none = Failure(.notFound, "The sample has no picture for \(request.url).")
        completion(
            picture.map { .body($0, Validators()) } ?? .failed(none, httpStatus: nil, retryAfter: nil))
        return {}
    }

    func prepare(for request: OriginRequest) {}
    func forAnotherCatalog() -> any Origin { self }
    func forIcons() -> any Origin { self }
    func rest() {}
}
