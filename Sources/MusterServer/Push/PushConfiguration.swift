package import OutboundHTTP
package import WebSocketGateway

/// The operator's settings for notifications to people whose app is closed.
package struct PushConfiguration: Sendable {
    /// The push gateways of apps, by the name of the app.
    package var apps: [String: OperatorURL] = [:]
    /// Whether users may have notifications sent to servers of their choice.
    package var allowsWebhooks = false
    /// The networks that are not public, and that browsers' push services and webhooks may be in.
    package var allowedNetworks = AddressSet([])
    /// Whether any network is allowed.
    package var allowsNetworks = false

    /// Creates the settings without gateways, webhooks and networks.
    package init() {}

    var allowance: OutboundAllowance {
        OutboundAllowance(isEmpty: !self.allowsNetworks) { [allowedNetworks] in allowedNetworks.contains($0) }
    }
}
