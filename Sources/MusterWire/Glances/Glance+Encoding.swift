import MusterCore

extension Glance {
    /// Appends the frame's JSON but for the last brace; `Glance.room` knows what it takes.
    func append(to frame: inout [UInt8]) {
        frame.append(json: #"{"type":"glance","at":"#)
        frame.append(time: self.at)
        frame.append(json: #","groups":"#)
        frame.append(array: self.groups) { $1.append(to: &$0) }
        frame.append(json: #","spots":"#)
        frame.append(array: self.spots) { $1.append(to: &$0) }
        frame.append(json: #","notifications":"#)
        frame.append(array: self.notifications) { $1.append(to: &$0) }
    }
}

extension Glance.Group {
    fileprivate func append(to frame: inout [UInt8]) {
        frame.append(json: #"{"id":"#)
        frame.append(id: self.id)
        frame.append(json: #","name":"#)
        frame.append(string: self.name)
        frame.append(json: #","together":"#)
        frame.append(integer: self.together)
        frame.append(json: #","of":"#)
        frame.append(integer: self.of)
        frame.append(json: #","you":"#)
        frame.append(string: self.you.rawValue)
        if let place {
            frame.append(json: #","place":"#)
            frame.append(place: place)
        }
        if let distance {
            frame.append(json: #","distance":"#)
            frame.append(number: distance, decimals: 0)
        }
        frame.append(json: "}")
    }
}

extension Glance.Spot {
    fileprivate func append(to frame: inout [UInt8]) {
        frame.append(json: #"{"id":"#)
        frame.append(id: self.text.spot)
        frame.append(json: ",")
        frame.append(latitude: self.coordinate.latitude, longitude: self.coordinate.longitude)
        frame.append(json: #","comment":"#)
        frame.append(string: self.text.comment)
        frame.append(json: #","likes":"#)
        frame.append(integer: self.text.likes)
        frame.append(json: #","dislikes":"#)
        frame.append(integer: self.text.dislikes)
        frame.append(json: #","distance":"#)
        frame.append(number: self.distance, decimals: 0)
        frame.append(json: "}")
    }
}

extension Glance.Notification {
    fileprivate func append(to frame: inout [UInt8]) {
        frame.append(json: #"{"notification":"#)
        frame.append(integer: self.number)
        frame.append(json: #","kind":"#)
        frame.append(string: self.kind)
        if let group {
            frame.append(json: #","group":"#)
            frame.append(id: group)
        }
        frame.append(json: #","text":"#)
        frame.append(string: self.text)
        frame.append(json: "}")
    }
}
