import WaterQuality

extension ReadingsPayload {
    /// Where the device was with these readings, in degrees and metres:
    ///
    ///     {"latitude":48.20812,"longitude":16.37382,"accuracy":4}
    ///
    /// The accuracy may be missing, and `null` is no position. Of what is no position only the position does not count:
    /// the water was measured all the same.
    mutating func readPosition(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        switch try scanner.peek() {
        case .object: try readPlace(&scanner)
        case .literal where try scanner.literal() == nil: break
        case .literal: noteBadPosition("position is no object")
        case .string, .number, .array, .notANumber:
            try scanner.skipValue()
            noteBadPosition("position is no object")
        }
    }

    private mutating func readPlace(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        var (latitude, longitude, accuracy): (Double?, Double?, Double?)
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch name {
            case "latitude": latitude = try scanner.anyNumber()
            case "longitude": longitude = try scanner.anyNumber()
            case "accuracy": accuracy = try scanner.anyNumber()
            default: try scanner.skipValue()
            }
        }
        guard let latitude, let longitude else {
            return noteBadPosition("position has no number in \"latitude\" and \"longitude\"")
        }
        do throws(Position.Fault) {
            position = try Position(latitude: latitude, longitude: longitude, accuracy: accuracy)
        } catch {
            noteBadPosition(error.detail)
        }
    }

    private mutating func noteBadPosition(_ detail: String) { note(.badPosition, detail, "position") }
}

extension Position.Fault {
    /// Without the numbers: where somebody is does not belong in a list of faults.
    fileprivate var detail: String {
        switch self {
        case .beyondEarth: "latitude is beyond 90 degrees, or longitude beyond 180"
        case .noFix: "latitude and longitude are 0, as while a receiver has no fix"
        case .accuracy: "accuracy is not from 0 to \(Int(Position.worstAccuracy)) metres"
        }
    }
}
