package import ImagingWire
import MusterCore

/// Share pictures for tests.
package enum SampleShare {
    /// Names in many scripts, two of them written from right to left, and of emoji.
    package static let names = [
        "Zoë Ångström", "Ώρα Ήλιος", "Юрий Гагарин", "Արամ Խաչատրյան", "ნინო ანანიაშვილი", "דוד בן־גוריון",
        "علي بن أبي طالب", "अमिताभ बच्चन", "রবীন্দ্রনাথ ঠাকুর", "தமிழ் செல்வி", "สมชาย ใจดี", "አበበ ቢቂላ", "王小明", "山田 はなコ",
        "김연아", "Nguyễn Thị Minh", "👨‍👩‍👧 👍🏽 🏴‍☠️ 🇫🇮",
    ]

    /// A person of a picture, in the colour of their position.
    package static func person(
        _ name: String = "Ada Lovelace",
        _ number: Int = 0,
        at latitude: Double,
        _ longitude: Double,
        accuracy: Double = 10,
        age: Int = 30,
        face: [UInt8] = []
    ) -> SharePicture.Person {
        SharePicture.Person(
            name: name,
            initials: Badge.initials(of: name),
            colour: Badge.colours[number % Badge.colours.count],
            face: face,
            place: .exact(latitude: latitude, longitude: longitude, accuracy: accuracy),
            age: age
        )
    }

    /// A picture of one afternoon that shows these people.
    package static func picture(
        _ people: [SharePicture.Person],
        about: Int? = nil,
        isNamed: Bool = true
    ) -> SharePicture {
        SharePicture(
            title: "Sunday climbers",
            people: people,
            about: about,
            isNamed: isNamed,
            madeAt: 1_795_489_851_000,
            attribution: "Muster"
        )
    }

    /// A picture of people with these names, in rows around the centre of Helsinki.
    package static func crowd(_ names: [String], face: [UInt8] = []) -> SharePicture {
        self.picture(
            names.enumerated().map { number, name in
                self.person(
                    name,
                    number,
                    at: 60.16 + 0.004 * Double(number / 5),
                    24.92 + 0.008 * Double(number % 5),
                    age: 100 * number,
                    face: face
                )
            },
            about: 0
        )
    }
}
