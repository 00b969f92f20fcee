import Testing

@testable import MusterCore

@Suite("Positions that people write")
struct PositionTextTests {
    private static func isVienna(_ text: String, _ point: Coordinate?, within degrees: Double = 0.0001) -> Bool {
        guard let point else { return false }
        return abs(point.latitude - 48.2082) <= degrees && abs(point.longitude - 16.3738) <= degrees
    }

    @Test(
        "numbers in degrees are a position, in the ways that people write them",
        arguments: [
            "48.2082, 16.3738", "48.2082,16.3738", "48.2082 16.3738", "  48.2082 ;16.3738\n", "48.2082/16.3738",
            "(48.2082, 16.3738)", "[48.2082,16.3738]", "48.2082, 16.3738.", "+48.2082, +16.3738", "+48.2082+016.3738/",
            "48.2082° N, 16.3738° E", "48.2082°N 16.3738°E", "48.2082N 16.3738E", "N48.2082 E16.3738",
            "n 48.2082, e 16.3738", "16.3738E 48.2082N", "E 16.3738°, N 48.2082°", "48.2082°, 16.3738°",
            "48.2082° 16.3738°", "48,2082 16,3738", "48,2082, 16,3738", "48,2082; 16,3738", "48,2082,16,3738",
            "48,2082° N 16,3738° E", "48.2082\u{A0}16.3738", "\u{200E}48.2082, 16.3738\u{200F}",
            "48.2082\t16.3738", "48.2082º, 16.3738º", "４８.2082，16.3738", "lat: 48.2082, lon: 16.3738",
            "Lat 48.2082 Long 16.3738", "latitude=48.2082 longitude=16.3738",
        ]
    )
    func degrees(_ text: String) {
        let point = PositionText.coordinate(in: text)
        #expect(Self.isVienna(text, point, within: 1e-9), "\(text) is \(String(describing: point))")
    }

    @Test(
        "so are degrees with minutes and seconds",
        arguments: [
            "48°12'29.52\"N 16°22'25.68\"E", "48° 12' 29.52\" N, 16° 22' 25.68\" E", "48°12′29.52″N 16°22′25.68″E",
            "48°12’29.52” N 16°22’25.68” E", "N 48° 12.492' E 016° 22.428'", "48 12 29.52 N 16 22 25.68 E",
            "N 48 12 29.52, E 16 22 25.68", "48°12'29,52\"N 16°22'25,68\"E", "48°12'29.52'' 16°22'25.68''",
            "48° 12' 29,52\" N, 16° 22' 25,68\" Ost", "48°12'29,52\" Nord 16°22'25,68\" Ost",
            "N 48° 12,492' Ost 016° 22,428'",
            "48:12:29.52N 16:22:25.68E", "16°22'25.68\"E 48°12'29.52\"N", "48° 12.492′, 16° 22.428′",
        ]
    )
    func minutes(_ text: String) {
        let point = PositionText.coordinate(in: text)
        #expect(Self.isVienna(text, point, within: 1e-6), "\(text) is \(String(describing: point))")
    }

    @Test(
        "so are URIs and links of maps",
        arguments: [
            "geo:48.2082,16.3738", "GEO:48.2082,16.3738,171", "geo:48.2082,16.3738;u=35",
            "geo:48.2082,16.3738;crs=wgs84;u=5",
            "geo:48.2082,16.3738?q=48.2082,16.3738(Dom)&z=17", "geo:0,0?q=48.2082,16.3738(Stephansdom)",
            "geo:48.2082,16.3738?z=12",
            "https://www.openstreetmap.org/#map=17/48.2082/16.3738",
            "https://www.openstreetmap.org/?mlat=48.2082&mlon=16.3738#map=5/50/10",
            "https://www.openstreetmap.org/node/17#map=19/48.2082/16.3738&layers=N",
            "https://www.openstreetmap.org/?lat=48.2082&lon=16.3738&zoom=17", "https://osm.org/go/0JrJIKEJf-?m=",
            "https://www.google.com/maps/@48.2082,16.3738,17z", "https://www.google.at/maps?q=48.2082,16.3738",
            "https://maps.google.com/?q=48.2082%2C16.3738", "https://maps.google.com/maps?q=loc:48.2082+16.3738",
            "https://www.google.com/maps/search/?api=1&query=48.2082%2C16.3738",
            "https://www.google.com/maps/place/Stephansdom/@47.1,15.2,17z/data=!3m1!4b1!4m6!3m5!1s0x476d:0x9c!8m2!3d48.2082!4d16.3738!16zL20v",
            "https://www.google.com/maps/place/48%C2%B012'29.5%22N+16%C2%B022'25.7%22E/@47,15,17z",
            "https://www.google.com/maps/search/48.2082,+16.3738?sa=X",
            "https://www.google.com/maps/dir/?api=1&destination=48.2082,16.3738",
            "https://maps.apple.com/?ll=48.2082,16.3738&q=Dom",
            "https://maps.apple.com/place?coordinate=48.2082,16.3738",
            "maps.apple.com/?ll=48.2082,16.3738", "https://maps.apple.com/?q=48.2082,16.3738",
            "https://www.bing.com/maps?cp=48.2082~16.3738&lvl=16",
            "https://bing.com/maps/default.aspx?cp=48.2082%7E16.3738",
            "https://www.bing.com/maps?sp=point.48.2082_16.3738_Dom&cp=1~2",
            "https://waze.com/ul?ll=48.2082%2C16.3738&navigate=yes",
            "https://www.waze.com/live-map/directions?to=ll.48.2082%2C16.3738",
            "https://share.here.com/l/48.2082,16.3738,Dom?z=15", "https://wego.here.com/?map=48.2082,16.3738,15,normal",
            "https://yandex.com/maps/?ll=16.3738%2C48.2082&z=16", "http://maps.google.com/?q=48.2082,16.3738",
            "We meet here: https://www.openstreetmap.org/#map=17/48.2082/16.3738.",
            "HTTPS://WWW.GOOGLE.COM/maps/@48.2082,16.3738,17z",
        ]
    )
    func links(_ text: String) {
        let point = PositionText.coordinate(in: text)
        #expect(Self.isVienna(text, point), "\(text) is \(String(describing: point))")
    }

    @Test(
        "south and west are negative, and the ends of the earth are on it",
        arguments: [
            ("-33.8688, 151.2093", -33.8688, 151.2093), ("33.8688° S, 151.2093° E", -33.8688, 151.2093),
            ("\u{2212}34.6037, \u{2212}58.3816", -34.6037, -58.3816), ("34.6037S 58.3816W", -34.6037, -58.3816),
            ("S 34° 36.222' W 058° 22.896'", -34.6037, -58.3816), ("-34.6037 -58.3816", -34.6037, -58.3816),
            ("0, 0", 0, 0), ("90, 180", 90, 180), ("-90.0,-180.0", -90, -180),
            ("geo:-33.8688,151.2093", -33.8688, 151.2093),
            ("geo:48,16", 48, 16), ("48° N, 16° E", 48, 16), ("48° N, 16° Ost", 48, 16), ("16° Ost 48° N", 48, 16),
            ("34° Süd, 58° West", -34, -58), ("-34,6037 -58,3816", -34.6037, -58.3816),
            ("https://www.google.com/maps/@-33.8688,151.2093,12z", -33.8688, 151.2093),
        ]
    )
    func signs(_ text: String, _ latitude: Double, _ longitude: Double) throws {
        let point = try #require(PositionText.coordinate(in: text), "\(text)")
        #expect(abs(point.latitude - latitude) < 1e-6 && abs(point.longitude - longitude) < 1e-6, "\(text) is \(point)")
    }

    @Test(
        "what is off the earth or only looks like one is none",
        arguments: [
            "", " ", "Wien", "48.2082", "48,2082", "48,16", "12 34", "10/12", "1, 2, 3", "48.2082, 16.3738, 171",
            "90.0001, 0.5",
            "48.2082, 180.1", "-91.5, 10.5", "948.2, 16.4", "48.2082° N, 16.3738° N", "48.2082 E, 16.3738 E",
            "-48.2082 N, 16.3738 E", "48°60'00\"N 16°22'25\"E", "48°12'60\"N 16°22'25\"E", "48.5°12'N 16°22'E",
            "48.2082 N 16.3738", "24.12.2026", "192.168.1.20", "24.12. 18.30", "Hauptstr. 5",
            "Hauptstraße 5, 1010 Wien",
            "10 Downing Street", "5 N Main St", "48° N 2° O", "5 O", "Westend 5", "N Ost", "12:30 14:45", "10.5-12.5",
            "+43 1 5053100", "48.2082, 16.3738 Wien",
            "48.2082,", ", 16.3738", "48..2082, 16.3738", "nan, inf", "1e1, 1e1", "0x10, 0x10", "geo:48.2082",
            "geo:91,0",
            "geo:48.2082,16.3738;crs=moon", "geo:a,b", "geo:0,0?q=Wien", "geography",
            "https://example.org/@48.2082,16.3738,17z", "https://example.org/?q=48.2082,16.3738",
            "https://www.google.com/search?q=48.2082,16.3738", "https://www.openstreetmap.org/#map=17/91/16",
            "https://www.openstreetmap.org/node/17", "https://maps.apple.com/?q=Wien",
            "https://notgoogle.example/maps/@1,2,3z",
            "https://www.bing.com/maps?cp=48.2082", "https://waze.com/ul?q=Wien", "https://osm.org/go/",
            "https://osm.org/go/!!!",
            "https://maps.app.goo.gl/abc", "https://", "http://%", "https://www.google.com/maps/@,17z", "48:12", "N E",
            "° '",
        ]
    )
    func none(_ text: String) {
        let point = PositionText.coordinate(in: text)
        #expect(point == nil, "\(text) is \(String(describing: point))")
    }

    @Test("no text takes long or does harm")
    func long() {
        for piece in ["48.2 ", "°", "-", "https://www.google.com/maps/", "%", "9", "geo:", "N", ",", "'"] {
            _ = PositionText.coordinate(in: String(repeating: piece, count: 4_000))
            _ = PositionText.coordinate(in: String(repeating: piece, count: 100))
        }
    }

    @Test("a position is a place with an id that is a position again")
    func place() {
        for point in [
            Coordinate(latitude: 48.2082, longitude: 16.3738), Coordinate(latitude: -0.00001, longitude: 180),
        ] {
            let place = Place(position: point, near: nil)
            #expect(PositionText.coordinate(in: place.id) == point, "\(place.id)")
            #expect(place.name == point.label && place.label == point.label)
        }
        #expect(Place(position: Coordinate(latitude: 48.5, longitude: -16), near: nil).id == "geo:48.5,-16")
    }
}
