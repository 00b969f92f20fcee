import Foundation
import MusterCommands
import MusterCore
import MusterServer
import OutboundHTTP

extension OptionValues {
    /// The options for external servers.
    static let providerOptions = [
        Option(
            "contact",
            .one("ADDRESS"),
            help: "mailto: address or URL of the operator, sent to other servers with each request"
        ),
        Option(
            "geocoder-url",
            .one("URL"),
            help: "a Photon server for streets and names that are not imported"
        ),
        Option("places-url", .one("URL"), help: "a server for places of a category"),
        Option("places-kind", .one("KIND"), default: "overpass", help: "protocol of --places-url: overpass or yelp"),
        Option(
            "places-key-file",
            .one("FILE"),
            help: "the file of the API key of --places-url (also: MUSTER_PLACES_KEY)"
        ),
        Option("places-concurrency", .one("N"), default: "2", help: "maximum concurrent requests to --places-url"),
        Option("router-url", .one("URL"), help: "an OSRM server for walking routes"),
        Option(
            "share-tiles",
            .one("URL"),
            help: "map tiles below share pictures, 256 px: https://tile.example.org/{z}/{x}/{y}.png; "
                + "their server learns the numbers of the tiles, and so roughly where a picture is"
        ),
        Option(
            "share-tiles-attribution",
            .one("TEXT"),
            help: "attribution of these tiles, shown on each picture; required with --share-tiles"
        ),
        Option(
            "geoip",
            .one("FILE"),
            help: "a MaxMind database for approximate positions by IP address; SIGHUP reloads it"
        ),
        Option(
            "provider-timeout",
            .one("MS"),
            default: "3000",
            help: "timeout of a request to these servers, in milliseconds"
        ),
    ]

    /// The options for notifications to people whose app is closed.
    static let pushOptions = [
        Option(
            "push-app",
            .many("APP=URL"),
            help: "push gateway of an app, as Sygnal is: app=https://host/_matrix/push/v1/notify"
        ),
        Option("webhooks", help: "let users have notifications sent to servers of their choice"),
        Option(
            "outbound-allow",
            .many("CIDR"),
            help: "a network that is not public and that users may have notifications sent to, such as 192.168.1.0/24"
        ),
    ]

    /// The settings of notifications to people whose app is closed.
    ///
    /// - Throws: when an option is invalid.
    func push() throws(UsageError) -> PushConfiguration {
        var push = PushConfiguration()
        for text in self.texts("push-app") {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, (1...64).contains(parts[0].count) else {
                throw UsageError("--push-app must be the name of an app, =, and a URL, not '\(text)'")
            }
            do throws(OperatorURL.Problem) {
                push.apps[parts[0]] = try OperatorURL(configured: parts[1])
            } catch {
                throw UsageError("--push-app \(error): '\(text)'")
            }
        }
        push.allowsWebhooks = self.flag("webhooks")
        push.allowedNetworks = try self.addresses("outbound-allow")
        push.allowsNetworks = self.isGiven("outbound-allow")
        guard self.text("contact") != nil || self.texts("push-app").isEmpty && !push.allowsWebhooks else {
            throw UsageError("--push-app and --webhooks require --contact, which push services are given")
        }
        return push
    }

    /// The length that fits on a picture.
    private static let attribution = TextRule.line(1...100)

    /// The external servers that the server may use.
    ///
    /// - Throws: when an option is invalid.
    func providers(secret: String?) throws(UsageError) -> ProviderConfiguration {
        var providers = ProviderConfiguration()
        if let contact = self.text("contact") {
            guard ["mailto:", "https://", "http://"].contains(where: { contact.hasPrefix($0) }),
                contact.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: ")") })
            else { throw UsageError("--contact must be a mailto: address or a URL, not '\(contact)'") }
            providers.contact = contact
        }
        providers.geocoder = try self.address("geocoder-url")
        providers.places = try self.address("places-url")
        providers.router = try self.address("router-url")
        providers.tiles = try self.tiles()
        let kind = self.text("places-kind") ?? ""
        guard let known = ProviderConfiguration.PlacesKind(rawValue: kind) else {
            throw UsageError("--places-kind must be overpass or yelp, not '\(kind)'")
        }
        providers.placesKind = known
        providers.placesKey = try self.secret(file: "places-key-file") ?? secret
        providers.placesConcurrency = try self.integer("places-concurrency", in: 1...100)
        providers.timeout = Int64(try self.integer("provider-timeout", in: 100...60_000))
        if let file = self.text("geoip") {
            guard FileManager.default.isReadableFile(atPath: file) else {
                throw UsageError("--geoip: cannot read '\(file)'")
            }
            providers.addressFile = file
        }
        return providers
    }

    /// The server of map tiles; its attribution is required.
    private func tiles() throws(UsageError) -> ProviderConfiguration.Tiles? {
        let attribution = self.text("share-tiles-attribution")
        guard let text = self.text("share-tiles") else {
            guard attribution == nil else { throw UsageError("--share-tiles-attribution requires --share-tiles") }
            return nil
        }
        guard let attribution else { throw UsageError("--share-tiles requires --share-tiles-attribution") }
        let words: String
        do throws(TextRule.Violation) {
            words = try Self.attribution.cleaned(attribution)
        } catch {
            throw UsageError("--share-tiles-attribution \(error)")
        }
        do throws(OperatorURL.Problem) {
            return ProviderConfiguration.Tiles(try TileTemplate(configured: text), attribution: words)
        } catch {
            throw UsageError("--share-tiles \(error): '\(text)'")
        }
    }

    private func address(_ option: String) throws(UsageError) -> OperatorURL? {
        guard let text = self.text(option) else { return nil }
        do throws(OperatorURL.Problem) {
            return try OperatorURL(configured: text)
        } catch {
            throw UsageError("--\(option) \(error): '\(text)'")
        }
    }

    /// The single line of a file.
    private func secret(file option: String) throws(UsageError) -> String? {
        guard let file = self.text(option) else { return nil }
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw UsageError("--\(option): cannot read '\(file)'")
        }
        let secret = text.drop { $0 == "\u{FEFF}" }.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty, secret.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw UsageError("--\(option): '\(file)' must contain one line of ASCII text")
        }
        return secret
    }
}
