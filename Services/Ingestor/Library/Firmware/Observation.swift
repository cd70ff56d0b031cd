import WaterQuality

extension ReadingsPayload {
    /// An Observation of SensorThings 1.1 (OGC 18-088, section 8.2.7), in the unit of its Datastream, which is the parameter's canonical one:
    ///
    ///     {"phenomenonTime":"2026-05-01T12:00:00Z","result":7.9}
    ///
    /// A period counts by its end, when the value was known, and without `phenomenonTime` the `resultTime` counts. Members beside them are passed
    /// over: a value is judged as all others are, whatever `resultQuality` says, and the topic says what it is of.
    init(observation bytes: [UInt8], of parameter: Parameter) throws(JSONScanner.Fault) {
        self.init()
        var scanner = JSONScanner(bytes)
        var hasPhenomenonTime = false
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch name {
            case "result": try readValue(of: parameter, in: nil, &scanner)
            case "phenomenonTime":
                hasPhenomenonTime = try scanner.peek() != .literal
                if hasPhenomenonTime { try readPeriod(&scanner) } else { try scanner.skipValue() }
            case "resultTime": if hasPhenomenonTime { try scanner.skipValue() } else { try readTime(&scanner) }
            default: try scanner.skipValue()
            }
        }
        try scanner.expectEnd()
    }

    /// `2026-05-01T12:00:00Z/2026-05-01T12:05:00Z`, or one time alone.
    private mutating func readPeriod(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        guard try scanner.peek() == .string else { return try readTime(&scanner) }
        let text = try scanner.string()
        keepTime(text.lastIndex(of: "/").map { String(text[text.index(after: $0)...]) } ?? text)
    }
}
