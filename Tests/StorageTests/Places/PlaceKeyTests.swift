import Testing

@testable import MusterServer

@Suite("Keys of names")
struct PlaceKeyTests {
    @Test(
        "a name has one key, however it is written",
        arguments: [
            ("München", "munchen"), ("MÜNCHEN", "munchen"), ("Mu\u{308}nchen", "munchen"), ("munchen", "munchen"),
            ("São Paulo", "sao paulo"), ("Москва", "moskva"), ("東京", "dong jing"), ("서울", "seoul"),
            ("Αθήνα", "athena"), ("St. Petersburg", "saint petersburg"), ("Sankt-Peterburg", "saint peterburg"),
            ("Ste-Foy", "sainte foy"), ("Mt. Vernon", "mount vernon"), ("Ft Worth", "fort worth"),
            ("St. John's", "saint johns"), ("St. John’s", "saint johns"), ("L'Aquila", "laquila"),
            ("10 Downing Street", "10 downing street"), ("  a -- b  ", "a b"), ("Straße", "strasse"), ("Łódź", "lodz"),
            ("Stockholm", "stockholm"), ("%_\\", ""), ("", ""), ("\u{202E}\u{200F}", ""), ("\u{301}\u{308}", ""),
            ("a\nb", "a b"), ("東\n京", "dong jing"), ("Wi\u{AD}en", "wien"), ("W\u{200B}ien\u{FEFF}", "wien"),
            ("می\u{200C}روم", PlaceKey.key("میروم")), ("No.1", "no1"), ("U.S.", "us"),
        ]
    )
    func key(_ name: String, _ expected: String) {
        #expect(PlaceKey.key(name) == expected)
    }

    @Test("many names at once have the keys that each has alone")
    func batch() {
        let names = [
            "Αθήνα", "München", "", "東京\n大阪", "x", "القاهرة", "Санкт-Петербург", "Ürümqi\u{2028}y", "ประเทศไทย",
        ]
        #expect(PlaceKey.keys(names) == names.map(PlaceKey.key))
    }

    @Test("umlauts are also written out")
    func umlauts() {
        #expect(PlaceKey.writtenOut("München").map(PlaceKey.key) == "muenchen")
        #expect(PlaceKey.writtenOut("KO\u{308}LN").map(PlaceKey.key) == "koeln")
        #expect(PlaceKey.writtenOut("Paris") == nil)
        #expect(PlaceKey.writtenOut("São") == nil)
    }

    @Test("commas of all scripts part a query")
    func parts() {
        #expect(PlaceKey.parts("Paris, TX") == ["paris", "tx"])
        #expect(PlaceKey.parts("東京、日本") == ["dong jing", "ri ben"])
        #expect(PlaceKey.parts(" , ,%") == [])
    }

    @Test("full stops of abbreviations stay in a query, those of initials do not")
    func stops() {
        for (query, expected) in [
            ("Hauptstr. 5", "hauptstr. 5"), ("Hauptstr.5", "hauptstr.5"), ("Straße d. 17. Juni", "strasse d. 17. juni"),
            ("St. John's", "saint. johns"), ("St.Gallen", "saint.gallen"), ("V.le Roma", "vle roma"),
            ("U.S.A.", "usa."),
            ("...", ""), (".5", "5"), ("a . b", "a b"),
        ] {
            #expect(PlaceKey.parts(query) == [expected].filter { !$0.isEmpty }, "\(query)")
        }
    }
}
