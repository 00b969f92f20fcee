import EventLoop
import Foundation
import MusterClient
import MusterServer
import OutboundHTTP

/// What `muster doctor` looks at from outside: the address that browsers use, with any proxy in front.
struct AddressChecks {
    /// The greatest harmless difference between the clocks, in seconds.
    private static let tolerance: Int64 = 5

    /// An address without a trailing slash.
    let site: String

    func run() async -> [Diagnosis] {
        let client = OutboundClient(userAgent: "muster-doctor", clock: .system)
        async let health = self.health(client)
        async let socket = self.socket()
        return await health + [socket]
    }

    private func health(_ client: OutboundClient) async -> [Diagnosis] {
        let remedy = "Start the server, and let the proxy pass all paths to it"
        guard let url = try? OperatorURL(configured: self.site) else {
            return [Diagnosis("address", .wrong("'\(self.site)' is no address", remedy: "Set --url to https://…"))]
        }
        var request = OutboundRequest(url.appending("readyz"))
        request.timeout = 1_500
        do throws(OutboundError) {
            let answer = try await client.send(request)
            var found: [Diagnosis] = []
            if answer.status == 200 {
                found.append(Diagnosis("address", .fine("\(self.site) is ready")))
            } else {
                let said = String(decoding: answer.body.prefix(200), as: UTF8.self).split(separator: "\n").joined(
                    separator: " "
                )
                found.append(
                    Diagnosis(
                        "address",
                        .wrong("\(self.site)/readyz answers \(answer.status): \(said)", remedy: remedy)
                    )
                )
            }
            if let date = answer.date {
                let ahead = Int64(Date().timeIntervalSince1970) - date
                found.append(
                    Diagnosis(
                        "time at the address",
                        abs(ahead) <= Self.tolerance
                            ? .fine("\(abs(ahead)) s apart")
                            : .wrong("this machine is \(ahead) s ahead of it", remedy: "Set both by NTP")
                    )
                )
            }
            return found
        } catch {
            // A certificate that browsers refuse is refused here, too.
            return [Diagnosis("address", .wrong("\(self.site): \(error.message)", remedy: remedy))]
        }
    }

    /// Opens a WebSocket as a page of the address does.
    private func socket() async -> Diagnosis {
        let subject = "WebSocket"
        guard let parts = URLComponents(string: self.site), let host = parts.host else {
            return Diagnosis(subject, .skipped("no host"))
        }
        guard parts.scheme == "http" else {
            return Diagnosis(
                subject,
                .skipped("not looked at over HTTPS; open the page, which says so when it cannot connect")
            )
        }
        let (port, site) = (UInt16(clamping: parts.port ?? 80), self.site)
        return await BlockingWork.run(named: "doctor") {
            do throws(ClientError) {
                _ = try BlockingWebSocket(host: host, port: port, headers: [(name: "Origin", value: site)])
                return Diagnosis(subject, .fine("passes, with the origin of the page"))
            } catch {
                return Diagnosis(
                    subject,
                    .wrong(
                        "\(error)",
                        remedy:
                            "Let the proxy pass Upgrade and Connection, and set --public-url or --allow-origin to \(site)"
                    )
                )
            }
        }
    }
}
