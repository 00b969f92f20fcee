import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("The page of a picture")
struct SharePageTests {
    @Test("the page says a group's name as it is, whatever is in it, and runs no script")
    func escaping() {
        let share = OpenShare(
            group: GroupID(1),
            groupName: #"<script>"&'"#,
            maker: UserID(7),
            shown: [UserID(7): .live],
            createdAt: Timestamp(milliseconds: 1_732_060_800_000),
            expiresAt: Timestamp(milliseconds: 1_732_064_400_000),
            png: []
        )
        let html = SharePage.html(share, code: #""><b>"#, base: "https://muster.example")
        #expect(html.contains(#"<meta property="og:title" content="&lt;script&gt;&quot;&amp;&#39;">"#))
        #expect(!html.contains("<script") && !html.contains("<b>"))
        #expect(html.contains("Where one person was at 00:00 UTC on 2024-11-20."))
        for error in [FrameError.groupUnseen, FrameError(.gone, message: "x"), FrameError(.notFound, message: "x")] {
            #expect(SharePage.html(error).contains("noindex") && !SharePage.html(error).contains("og:image"))
        }
    }
}
