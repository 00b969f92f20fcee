import Foundation
import MusterCore
import MusterWire

/// What a phone's app must be told to report here.
struct TrackerSetup: Sendable {
    /// The link that configures the app when it is opened on the phone; for OsmAnd, the address to be entered.
    let link: String

    /// Creates the setup.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - name: the name of the phone.
    ///   - user: the id by which others see the user.
    ///   - token: the tracker's token.
    ///   - secret: the key for encrypted reports of OwnTracks.
    ///   - base: the address of this server.
    init(_ app: PhoneApp, name: String, user: UserID, token: String, secret: TrackerSecret, base: String) {
        switch app {
        case .owntracks:
            let settings = OwnTracksSettings(
                url: "\(base)/v1/ingest/owntracks",
                username: OwnTracksMessage.trackerID(of: user),
                password: token,
                deviceId: name,
                tid: OwnTracksMessage.trackerID(of: user),
                encryptionKey: secret.text
            )
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let json = try? encoder.encode(settings) else {
                preconditionFailure("settings of ours cannot be encoded as JSON")
            }
            self.link = "owntracks:///config?inline=\(Self.encoded(json.base64EncodedString()))"
        case .overland:
            let url = Self.encoded("\(base)/v1/ingest/overland")
            self.link = "overland://setup?url=\(url)&token=\(token)&device_id=\(Self.encoded(name))"
        case .osmand:
            // OsmAnd replaces the numbers, and sends metres per second.
            self.link =
                "\(base)/v1/ingest/osmand?id=\(token)&lat={0}&lon={1}&timestamp={2}&hdop={3}&altitude={4}&speed={5}"
                + "&bearing={6}&speedunit=ms"
        case .traccar:
            self.link = "org.traccar.client://config?url=\(Self.encoded("\(base)/v1/ingest/osmand"))&id=\(token)"
        }
    }

    private static func encoded(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}

/// The settings of OwnTracks, in its own format of an import.
private struct OwnTracksSettings: Encodable {
    let type = "configuration"
    /// HTTP.
    let mode = 3
    let url: String
    let auth = true
    let username: String
    let password: String
    let deviceId: String
    let tid: String
    let encryptionKey: String
    /// Obeys `cmd`, by which the server asks for the position.
    let cmd = true
    /// Significant changes.
    let monitoring = 1

    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case mode
        case url
        case auth
        case username
        case password
        case deviceId
        case tid
        case encryptionKey
        case cmd
        case monitoring
    }
}
