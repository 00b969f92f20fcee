import MusterCore
import MusterWire

/// Moments as text in UTC, which means the same everywhere.
enum ShareTexts {
    /// `14:05 UTC`.
    static func clock(_ moment: Timestamp) -> String { "\(moment.text.dropFirst(11).prefix(5)) UTC" }

    /// `14:05 UTC on 2026-11-24`.
    static func clockAndDay(_ moment: Timestamp) -> String { "\(Self.clock(moment)) on \(moment.text.prefix(10))" }
}

/// The page around a share picture, for people and for the link previews of messengers.
///
/// It runs no script.
enum SharePage {
    /// The content security policy of the page.
    static let policy =
        "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// The page of a visible picture.
    static func html(_ share: OpenShare, code: String, base: String) -> String {
        let title = Self.escaped(Isolation.of(share.groupName))
        let count = share.shown.count
        let who = count == 1 ? "one person was" : "\(count) people were"
        let words = "Where \(who) at \(ShareTexts.clockAndDay(share.createdAt))."
        let end = "This picture can be seen until \(ShareTexts.clockAndDay(share.expiresAt))."
        let image = Self.escaped(ShareAddress.image(code, base: base))
        let head = """
            <meta name="description" content="\(words)">
            <meta property="og:type" content="website">
            <meta property="og:site_name" content="Muster">
            <meta property="og:title" content="\(title)">
            <meta property="og:description" content="\(words)">
            <meta property="og:url" content="\(Self.escaped(ShareAddress.page(code, base: base)))">
            <meta property="og:image" content="\(image)">
            <meta property="og:image:type" content="image/png">
            <meta property="og:image:width" content="1200">
            <meta property="og:image:height" content="630">
            <meta property="og:image:alt" content="A map. \(words)">
            <meta name="twitter:card" content="summary_large_image">
            """
        let body = """
            <h1>\(title)</h1>
            <p>\(words)</p>
            <img src="/s/\(Self.escaped(code)).png" width="1200" height="630" alt="A map of \(title). \(words)">
            <p>\(end)</p>
            """
        return Self.document(title: title, head: head, body: body)
    }

    /// The page that explains why there is no picture.
    static func html(_ error: FrameError) -> String {
        let (title, words) =
            switch error.code {
            case .gone: ("This picture is no longer available", "It has expired, or a person shown on it withdrew it.")
            case .notFound: ("There is no such picture", "A part of the address may be missing.")
            case .rateLimited: ("Too many wrong addresses", "Please wait a moment.")
            default: ("This picture cannot be shown now", "Please try again soon.")
            }
        return Self.document(title: title, head: "", body: "<h1>\(title)</h1>\n<p>\(words)</p>")
    }

    private static func document(title: String, head: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en" prefix="og: https://ogp.me/ns#">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title) · Muster</title>
        <meta name="robots" content="noindex, nofollow">
        <meta name="referrer" content="no-referrer">
        \(head)
        <link rel="icon" href="/icon.svg">
        <link rel="stylesheet" href="/share.css">
        </head>
        <body>
        <main>
        \(body)
        </main>
        <footer><a href="/">Muster</a></footer>
        </body>
        </html>

        """
    }

    /// A text with escapes for HTML, also in attributes.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
