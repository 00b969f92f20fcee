import EventLoop
import MusterCore
import MusterWire
import Synchronization

/// Looks places up for sessions and HTTP requests, with one rate limit and one metric for both.
final class Geocoding: Sendable {
    private let clock: MonotonicClock
    private let meter = RateMeter<UserID>(.geocode)
    private let seconds = Mutex<[String: Histogram]>([:])
    private let elsewhere: PhotonGeocoder?

    /// Creates a geocoder.
    ///
    /// It searches the database, and an external server for texts that the database does not match well.
    init(clock: MonotonicClock, elsewhere: PhotonGeocoder?) {
        self.clock = clock
        self.elsewhere = elsewhere
    }

    /// The durations, by the quality of the best match.
    var times: [String: Histogram] { self.seconds.withLock { $0 } }

    /// Charges the rate limit for a request of a user.
    ///
    /// - Throws: `rateLimited`.
    func charge(_ user: UserID) throws(FrameError) { try self.meter.charge(1, to: user, now: self.clock.milliseconds) }

    /// The possible meanings of a text: the results of `find`, and the additional results of an external server.
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
