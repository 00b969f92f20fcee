import MusterTestSupport
import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("Streets and positions, as people write them", .blocking)
struct StreetQueriesTests {
    /// Streets of a gazetteer, and queries that must return each as the first result.
    private static let streets: [(name: String, queries: [String])] = [
        (
            "Hauptstraße",
            [
                "Hauptstr. 5", "Hauptstr 5", "hauptstr.", "Hauptstr.5", "Haupt-Str. 5", "Haupt Str. 5", "5 Hauptstr.",
                "HAUPTSTR. 5", "Hauptstrasse 5", "Hauptstr. 5, Altstadt", "Hauptstr. 5a",
            ]
        ),
        (
            "Mariahilfer Straße",
            [
                "Mariahilfer Str. 10", "Mariahilfer Str 10", "Mariahilferstr. 10", "Mariahilferstraße 10",
                "Mariahilfer Straße 10", "mariahilfer str.", "Mariahilfr Str. 10", "Mariahilfer Str.10",
            ]
        ),
        ("Stephansplatz", ["Stephanspl.", "Stephanspl. 3", "Stephanspl 3", "Stephans-Pl. 3"]),
        ("Lange Gasse", ["Lange Gasse 5", "Lange G. 5", "Lange Gase 5"]),
        ("Lange Gasse 9", ["Lange Gasse 9", "9 Lange G."]),
        ("Neubaugasse", ["Neubaug. 12", "Neubaug.12"]),
        ("Straße des 17. Juni", ["Str. des 17. Juni 135", "Str.des 17.Juni"]),
        (
            "Boulevard du Jardin Exotique",
            ["Bd du Jardin Exotique", "Bd. du Jardin Exotique 12", "Blvd du Jardin Exotique"]
        ),
        ("Avenue Princesse Grace", ["Av. Princesse Grace", "Ave Princesse Grace 3", "av princesse grace"]),
        ("Place d'Armes", ["Pl. d'Armes", "Pl d’Armes 2"]), ("Rue Grimaldi", ["R. Grimaldi 4"]),
        ("Chemin des Révoires", ["Ch. des Révoires"]),
        ("Downing Street", ["10 Downing St.", "10 Downing St", "Downing Str"]),
        ("Abbey Road", ["3 Abbey Rd", "Abbey Rd."]), ("West 34th Street", ["W 34th St", "W. 34th St."]),
        ("Ocean Drive", ["Ocean Dr."]), ("Via Roma", ["V. Roma 8"]),
        ("Viale Trastevere", ["V.le Trastevere", "Vle Trastevere 4"]),
        ("Piazza Navona", ["P.za Navona", "P.zza Navona"]), ("Corso Buenos Aires", ["C.so Buenos Aires 2"]),
        ("Calle Mayor", ["C/ Mayor 5", "C. Mayor"]), ("Avenida Diagonal", ["Avda. Diagonal 211", "Av. Diagonal"]),
        ("Plaza de España", ["Pza. de España", "Plza. de España"]),
        ("Paseo del Prado", ["Pº del Prado", "Po. del Prado"]),
        ("Carrer de Balmes", ["C. de Balmes"]), ("Rua Augusta", ["R. Augusta 100"]),
        ("Praça do Comércio", ["Pça. do Comércio"]),
        ("Kerkstraat", ["Kerkstr. 4", "Kerkstr 4"]), ("Drottninggatan", ["Drottningg. 2"]),
        ("Vesterbrogade", ["Vesterbrog. 3"]),
        ("Mannerheimintie", ["Mannerheimint. 5"]), ("Aleksanterinkatu", ["Aleksanterink. 7"]),
        ("ulica Floriańska", ["ul. Floriańska 3"]),
        ("náměstí Míru", ["nám. Míru"]), ("Andrássy út", ["Andrássy út 3"]), ("Váci utca", ["Váci u. 3"]),
        ("İstiklal Caddesi", ["İstiklal Cad. 5", "Istiklal Cd."]), ("Strada Lipscani", ["Str. Lipscani 3"]),
        ("улица Ленина", ["ул. Ленина 5"]), ("Невский проспект", ["Невский пр. 5", "Невский просп."]),
        ("Lange Str.", ["Lange Straße 3", "Lange Str. 3"]), ("No.1 Lane", ["No.1 Lane", "No. 1 Lane"]),
    ]

    private static func with(_ body: (Store) async throws -> Void) async throws {
        try await Store.with { store in
            let folder = try PlaceFolder()
            defer { withExtendedLifetime(folder) {} }
            try await store.importPlaces(
                try folder.write(
                    "DE.txt",
                    geoNamesLine(1, "Altstadt", at: 48, 11, people: 50_000)
                        + geoNamesLine(
                            2,
                            "Wien",
                            at: 48.2,
                            16.4,
                            country: "AT",
                            state: "09",
                            people: 2_000_000,
                            code: "PPLC"
                        )
                        + geoNamesLine(3, "Straßkirchen", at: 48.8, 12.7) + geoNamesLine(4, "Wi\u{AD}stadt", at: 49, 12)
                )
            )
            let streets = Self.streets.filter { $0.name != "Lange Gasse 9" }.map { street in
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[11.01,48.01]},"properties":{"highway":"road","name":"\#(street.name)"}}"#
            }
            let house =
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[11.01,48.01]},"properties":{"addr:street":"Lange Gasse","addr:housenumber":"9"}}"#
            let lines = (streets + [house]).joined(separator: "\n")
            try await store.importPlaces(try folder.write("streets.geojsonl", lines))
            try await body(store)
        }
    }

    @Test("a street is found by its abbreviations, also with a number that is not known")
    func abbreviations() async throws {
        try await Self.with { store in
            for street in Self.streets {
                for query in street.queries + [street.name] {
                    let found = try await store.directory.search(Geocode(query)).results
                    #expect(found.first?.place.name == street.name, "\(query) finds \(found.map(\.place.name))")
                }
            }
            #expect(
                try await store.labels("av. princ", completes: true).first?.hasPrefix("Avenue Princesse Grace") == true
            )
        }
    }

    @Test(
        "what cannot be seen vanishes from a word, in queries and in names",
        arguments: ["Wi\u{AD}en", "W\u{200B}ien", "Wien\u{FEFF}", "W\u{2060}i\u{200D}en", "Wi\u{34F}en"]
    )
    func invisible(_ query: String) async throws {
        try await Self.with { store in
            let city = try await store.directory.search(Geocode(query)).results.first
            #expect(city?.place.id == "gn:2")
            let cleaned = try await store.directory.search(Geocode("Wistadt")).results.first
            #expect(cleaned?.place.id == "gn:4")
        }
    }

    @Test("a position is itself what is found, named by what is near")
    func positions() async throws {
        try await Self.with { store in
            let near = try await store.directory.search(Geocode("geo:48.2082,16.3738"))
            let place = try #require(near.results.first?.place)
            #expect(near.results.count == 1 && !near.wantsMore)
            #expect(place.coordinate == Coordinate(latitude: 48.2082, longitude: 16.3738))
            #expect(place.name == "near Wien")
            #expect(place.label.hasPrefix("near Wien, ") && place.label.hasSuffix("(48.2082, 16.3738)"))
            #expect(place.surroundings.countryCode == "AT")
            #expect(near.results.first?.match.kind == .exact)
            #expect(near.attribution == ["GeoNames (geonames.org), CC BY 4.0"])
            #expect(try await store.directory.place(place.id) == place, "its id is one")
            let lost = try #require(try await store.directory.search(Geocode("-48.5, -123.4")).results.first?.place)
            #expect(lost.name == "-48.5, -123.4" && lost.label == lost.name && lost.id == "geo:-48.5,-123.4")
            #expect(try await store.labels("98.5, 16.3").isEmpty)
            let link =
                "https://www.google.com/maps/place/x/@1,2,3z/data=" + String(repeating: "!1s0x", count: 60)
                + "!3d48.2!4d16.4"
            #expect(try await store.directory.search(Geocode(link)).results.first?.place.coordinate.latitude == 48.2)
        }
    }

    @Test("a position needs no gazetteer")
    func withoutGazetteer() async throws {
        try await Store.with { store in
            let labels = try await store.labels("48.2082, 16.3738")
            #expect(labels == ["48.2082, 16.3738"])
        }
    }
}
