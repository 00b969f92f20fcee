import Testing

@testable import MusterCore

@Suite struct WebLinkTests {
    @Test(
        "an address with a host is kept as it is written",
        arguments: [
            "https://example.org", "http://example.org/", "HTTPS://Example.ORG:8443/a?b=c#d", "https://example.org:/",
            "https://münchen.example/straße", "https://пример.испытание/", "http://192.0.2.1/",
            "http://[2001:db8::1]:80/x",
            "https://example.org/path with space", "https://example.org/@somebody", "https://example.org?next=a@b",
            "https://example.org/a\\b", "https://example.org/" + String(repeating: "a", count: 2_028),
        ]
    )
    func taken(text: String) throws {
        #expect(try WebLink(text).text == text)
    }

    @Test(
        "what is no web address, or shows another host than it leads to, is refused with the reason",
        arguments: [
            ("", WebLink.Violation.length), ("https://example.org/" + String(repeating: "a", count: 2_029), .length),
            ("javascript:alert(1)", .scheme), ("data:text/html,hi", .scheme), ("ftp://example.org", .scheme),
            ("//example.org", .scheme), ("example.org", .scheme), ("https:example.org", .scheme),
            ("https:/example.org", .scheme), ("javascript://example.org/%0aalert(1)", .scheme),
            (" https://example.org", .scheme), ("https", .scheme), ("ht\u{0131}p://example.org", .scheme),
            ("http://user@host", .userInformation), ("http://user:word@host/", .userInformation),
            ("http://good.example\\@evil.example", .userInformation), ("http://@host", .userInformation),
            ("http://", .host), ("http:///path", .host), ("http://?q", .host), ("http://:80", .host),
            ("http://.", .host),
            ("http://a b/", .host), ("http://good.example\\.evil.example/", .host), ("http://%65vil.example", .host),
            ("http://a<b>/", .host), ("http://host:99999/", .host), ("http://host:8x/", .host), ("http://[::1", .host),
            ("http://[host]/", .host), ("http://[::1]x/", .host), ("http://a\u{3000}b/", .hiddenCharacter),
            ("http://host/\n", .hiddenCharacter), ("http://ho\tst/", .hiddenCharacter),
            ("http://host/\u{7f}", .hiddenCharacter), ("http://host/\u{85}", .hiddenCharacter),
            ("http://host/\u{202e}gpj.exe", .hiddenCharacter), ("http://ho\u{200b}st/", .hiddenCharacter),
        ]
    )
    func refused(text: String, violation: WebLink.Violation) {
        #expect(throws: violation) { try WebLink(text) }
    }
}
