/// Where a sign-in leads back to: a path of this server, or an address that the operator admitted.
package struct ReturnAddress: Sendable, Equatable {
    /// The address, without a fragment.
    package let text: String

    /// Checks an address that a client sent; nil when it could lead elsewhere.
    ///
    /// A browser reads `//host` and `/\host` as another host, and removes tabs and line ends first.
    package init?(_ text: String, admitted: Set<String>) {
        if !admitted.contains(text) {
            guard text.utf8.count <= 500, text.first == "/", !text.hasPrefix("//"), !text.contains("//"),
                text.utf8.allSatisfy({
                    (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#")
                })
            else { return nil }
        }
        self.text = text
    }

    /// The address with the result in its fragment, which no server sees.
    package func with(_ name: String, _ value: String) -> String { "\(self.text)#\(name)=\(value)" }
}
