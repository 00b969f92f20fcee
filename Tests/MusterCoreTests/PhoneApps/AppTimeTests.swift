import MusterCore
import Testing

@Suite struct AppTimeTests {
    struct Row: Sendable {
        let text: String
        let at: Int64?
    }

    @Test(
        "times of apps are read in each of their forms",
        arguments: [
            Row(text: "1793696400", at: 1_793_696_400_000), Row(text: "1793696400123", at: 1_793_696_400_123),
            Row(text: "1793696400.5", at: 1_793_696_400_500), Row(text: "2026-11-03T09:00:00Z", at: 1_793_696_400_000),
            Row(text: "2026-11-03T09:00:00", at: 1_793_696_400_000),
            Row(text: "2026-11-03 09:00:00", at: 1_793_696_400_000),
            Row(text: "2026-11-03T09:00:00.25Z", at: 1_793_696_400_250),
            Row(text: "2026-11-03T09:00:00.123456+00:00", at: 1_793_696_400_123),
            Row(text: "2026-11-03T10:30:00+0130", at: 1_793_696_400_000),
            Row(text: "2026-11-03T01:00:00-08", at: 1_793_696_400_000),
            Row(text: "2026-11-03T09:00Z", at: 1_793_696_400_000),
            Row(text: "2024-02-29T00:00:00Z", at: 1_709_164_800_000),
            Row(text: "1970-01-01T00:00:00Z", at: 0), Row(text: "2000-03-01 00:00:00", at: 951_868_800_000),
            Row(text: "", at: nil), Row(text: "soon", at: nil), Row(text: "NaN", at: nil), Row(text: "1e300", at: nil),
            Row(text: "2026-13-03T09:00:00Z", at: nil), Row(text: "2026-11-03T25:00:00Z", at: nil),
            Row(text: "2026-11-03T09:00:00Zulu", at: nil), Row(text: "2026-11-03T09:00:00+1", at: nil),
        ]
    )
    func forms(_ row: Row) {
        #expect(Timestamp(appText: row.text)?.milliseconds == row.at)
    }
}
