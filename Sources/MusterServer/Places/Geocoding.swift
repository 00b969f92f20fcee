import EventLoop
import MusterCore
import MusterStore
import MusterWire
import Synchronization

/// Looks places up for whoever asks, by a session or by HTTP: one rate for both, one metric.
final class Geocoding: Sendable {
    private let clock: MonotonicClock
    private let meter = RateMeter<UserID>(.geocode)
    private let seconds = Mutex<[String: Histogram]>([:])
    private let elsewhere: PhotonGeocoder?

    /// Prepares to look places up: in the database, and elsewhere what that does not know well.
    init(clock: MonotonicClock, elsewhere: PhotonGeocoder?) {
        self.clock = clock
        self.elsewhere = elsewhere
    }

    /// How long it took, by how the best place fitted.
    var times: [String: Histogram] { self.seconds.withLock { $0 } }

    /// Counts a request of a person.
    ///
    /// - Throws: `rateLimited`.
    func charge(_ user: UserID) throws(FrameError) { try self.meter.charge(1, to: user, now: self.clock.milliseconds) }

    /// What a text may mean: what `find` knows, and what a server elsewhere adds to that.
    func answer<Failure: Error>(
        _ request: Geocode,
        _ find: () async throws(Failure) -> GeocodeAnswer
    ) async throws(Failure) -> GeocodeAnswer {
        let start = self.clock.nanoseconds
        var answer = try await find()
        if let elsewhere, answer.wantsMore {
            do throws(ProviderFailure) {
                let places = try await elsewhere.places(request)
                answer = answer.adding(places, for: request, attribution: PhotonGeocoder.attribution)
            } catch {
                answer.failed.append(PhotonGeocoder.name)
            }
        }
        let match = answer.results.first?.match.kind.rawValue ?? "none"
        let took = Double(self.clock.nanoseconds - start) / 1e9
        self.seconds.withLock { $0[match, default: .seconds].observe(took) }
        return answer
    }
}
