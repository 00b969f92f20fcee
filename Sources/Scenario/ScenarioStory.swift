/// The story of a group's evening.
package enum ScenarioStory: String, CaseIterable {
    /// All stay at home.
    case quiet = "quiet day"
    /// Most members ride to work on the same bus; nothing happens in the evening.
    case bus = "bus to work"
    /// All come to the café, the last one shortly after the previous one.
    case allCome = "all come"
    /// All come, the last one much later.
    case lastIsLate = "last is late"
    /// One member does not come.
    case staysAway = "one stays away"
    /// One member sits 120 m from the others: neither present nor missing.
    case nearby = "one sits nearby"
    /// One member goes home while the others stay.
    case leavesByChoice = "one goes by choice"
    /// The others go on and leave one member behind.
    case leftBehind = "one is left behind"
    /// One missing member is alerted, comes, and is then left behind.
    case toldThenLeft = "told, came, left"
    /// All drive on in two cars, to two places.
    case twoCars = "two cars"
    /// The phone of a member at the café dies, then all go on together.
    case phoneDies = "a phone dies"
    /// One member stays away, with a phone that died before.
    case absentPhoneDies = "phone dies away"
    /// One member stays away with sharing paused.
    case paused = "one pauses"
    /// The others take one member home by car, and drive on or park round the corner.
    case droppedHome = "one is dropped home"
    /// The others pass one member on a bench, or stand beside the bench at a red light.
    case passBy = "they pass one by"
    /// All ride on a bus, and one member gets off.
    case getsOff = "one gets off the bus"
    /// All but one member take the bus.
    case busLeaves = "the bus takes the others"
    /// All walk, and one member stops to tie a shoe.
    case tiesShoe = "one ties a shoe"
    /// The phone of a missing member wakes up while the others ride on.
    case wakesLate = "a phone wakes late"
    /// Two members drive off; the phone of one dies on the way, and the other returns.
    case ghost = "a phone dies in a car"
    /// The others go on and leave one member behind, and one of the others has a dead phone.
    case deadAmongThem = "left, a phone dead"
    /// All ride on a train, one phone without a signal for a long time.
    case deadZone = "train, dead zone"
    /// All are at a concert, where positions are 60 m off.
    case concert = "concert"
    /// All have two devices; one member is left behind.
    case twoDevices = "left, two devices"
    /// One member is left behind, with a tracker whose clock is an hour wrong.
    case clockHour = "left, clock off 1 h"
    /// All phones report only every five minutes; one member is left behind.
    case sparse = "left, every 5 min"

    /// The minimum number of members.
    var leastPeople: Int {
        switch self {
        case .ghost, .deadAmongThem: 5
        case .quiet, .bus, .allCome, .lastIsLate, .staysAway, .nearby, .leavesByChoice, .leftBehind, .toldThenLeft,
            .twoCars, .phoneDies, .absentPhoneDies, .paused, .droppedHome, .passBy, .getsOff, .busLeaves, .tiesShoe,
            .wakesLate, .deadZone, .concert, .twoDevices, .clockHour, .sparse:
            3
        }
    }
}
