import CMusterShims
import MusterCore

extension SeenNotifications {
    /// Decodes `upTo` or `notifications`.
    ///
    /// Exactly one must be set.
    init(reading fields: JSONFields) throws(FrameError) {
        let upTo = try fields.integer("upTo", in: 0...JSONScalar.greatestInteger)
        let list = fields.value("notifications")
        guard !JSONScalar(list).isMissing else {
            self = .upTo(try fields.required("upTo", upTo))
            return
        }
        guard upTo == nil else { throw fields.error("notifications", "must not be combined with upTo") }
        let rule = "must be an array of 1 to \(Self.mostNumbers) notification numbers"
        guard JSONScalar(list).kind == MUSTER_JSON_ARRAY, 1...Self.mostNumbers ~= muster_json_count(list) else {
            throw fields.error("notifications", rule)
        }
        var numbers: [Int64] = []
        var cursor = muster_json_begin(list)
        var element = muster_json_value()
        while muster_json_next_element(&cursor, &element) {
            guard let number = JSONScalar(element).wholeNumber, 1...JSONScalar.greatestInteger ~= number else {
                throw fields.error("notifications", rule)
            }
            numbers.append(number)
        }
        self = .numbers(numbers)
    }
}
