/// A `Message` of a gateway's application on its way there; made by the gateway alone, which knows the type.
///
/// `GatewayCommand` has no type parameter for it: every command would take the longer way of code that does not know how
/// long it is.
package struct ApplicationMessage: Sendable {
    /// The message.
    let content: any Sendable

    /// Wraps a message; for the gateway of the application whose it is.
    init(_ content: some Sendable) { self.content = content }
}
