/// What happens to a group in an evening.
package enum ScenarioStory: String, CaseIterable {
    /// Everybody stays at home.
    case quiet = "quiet day"
    /// Most ride to work on one bus; in the evening nothing.
    case bus = "bus to work"
    /// Everybody comes to the café, the last right behind the one before.
    case allCome = "all come"
    /// Everybody comes, the last one a good while later.
    case lastIsLate = "last is late"
    /// One does not come.
    case staysAway = "one stays away"
    /// One sits 120 m from the others: neither there nor missing.
    case nearby = "one sits nearby"
    /// One goes home while the others stay.
    case leavesByChoice = "one goes by choice"
    /// The others go on and leave one behind.
    case leftBehind = "one is left behind"
    /// One is told that they are missing, comes, and is left behind.
    case toldThenLeft = "told, came, left"
    /// They drive on in two cars, to two places.
    case twoCars = "two cars"
    /// The phone of one who is there dies, then all go on together.
    case phoneDies = "a phone dies"
    /// The phone of one who stays away died before.
    case absentPhoneDies = "phone dies away"
    /// One who stays away shares nothing.
    case paused = "one pauses"
    /// They take one home by car, and drive on or park round the corner.
    case droppedHome = "one is dropped home"
    /// They pass one on a bench, or stand beside them at a red light.
    case passBy = "they pass one by"
    /// They ride by bus, and one gets off.
    case getsOff = "one gets off the bus"
    /// All but one take the bus.
    case busLeaves = "the bus takes the others"
    /// They walk, and one stops to tie a shoe.
    case tiesShoe = "one ties a shoe"
    /// The phone of one who is missing wakes while the others ride on.
    case wakesLate = "a phone wakes late"
    /// Two ride off; the phone of one dies on the way, the other comes back.
    case ghost = "a phone dies in a car"
    /// They go on and leave one behind, and the phone of one who goes is dead.
    case deadAmongThem = "left, a phone dead"
    /// They ride by train, one phone without a signal for long.
    case deadZone = "train, dead zone"
    /// They are at a concert, where positions are 60 m off.
    case concert = "concert"
    /// Everybody has two devices; one is left behind.
    case twoDevices = "left, two devices"
    /// The tracker of the one who is left behind is an hour off.
    case clockHour = "left, clock off 1 h"
    /// Everybody reports every five minutes only; one is left behind.
    case sparse = "left, every 5 min"

    /// How many people the story takes.
    package var leastPeople: Int {
        switch self {
        case .ghost, .deadAmongThem: 5
        case .quiet, .bus, .allCome, .lastIsLate, .staysAway, .nearby, .leavesByChoice, .leftBehind, .toldThenLeft,
            .twoCars, .phoneDies, .absentPhoneDies, .paused, .droppedHome, .passBy, .getsOff, .busLeaves, .tiesShoe,
            .wakesLate, .deadZone, .concert, .twoDevices, .clockHour, .sparse:
            3
        }
    }
}
