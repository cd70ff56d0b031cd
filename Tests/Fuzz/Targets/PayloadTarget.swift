import Instants
import WaterQuality

@testable import Ingestor

extension FuzzTarget {
    /// A device's message on its `readings` topic.
    static let payload = FuzzTarget(
        "payload",
        seeds: [
            #"{"time":"2026-05-01T12:00:00Z","readings":{"temperature":23.4,"ph":7.9,"nitrate":12,"nitrite":0.02}}"#,
            #"{"temperature":{"value":78.1,"unit":"°F"},"salinity":-1.5e-3,"nitrate":null,"time":1777636800.25}"#,
            #"{"x":{"y":[1,true,null,"\ud83d\udc1f"]},"ph":nan,"hardness":-inf,"do":"nan","readings":{"ammonia":1e-9}}"#,
            #"{"ts":1777636800000,"values":{"ph":"7.9","temperature":{"value":"78.1","unit":"°F"}}}"#,
            #"[{"timestamp":"2026-05-01T12:00:00Z","ph":7.9},{"ts":1777636830000,"values":{"ph":7.8}},{"ph":}]"#,
            #"{"time":1.5,"alkalinity":180,"hardness":99999999999999999999,"dissolved_oxygen":8.25,"temperature":-127}"#,
        ],
        words: Parameter.allCases.map { "\"\($0.name)\":" } + Unit.allCases.map { "\"unit\":\"\($0.rawValue)\"" } + [
            "\"time\":", "\"timestamp\":", "\"ts\":", "\"values\":{", "\"7.9\"", "\"readings\":{", "\"value\":", "null",
            "true", "nan", "-inf", "1e308", "1e-400", "-127",
            "\\u0000",
            "\\ud83d\\udc1f", "{", "}", "[", "]", ",", "\"", "2026-05-01T12:00:00+02:00",
        ]
    ) { bytes in
        try promiseMoments(bytes)
        let payload: ReadingsPayload
        do throws(RejectReason) {
            payload = try ReadingsPayload(bytes)
        } catch {
            return try promise(
                error == (bytes.count > ReadingsPayload.largest ? .tooLarge : .malformed), "refused as \(error)")
        }
        try promise(try ReadingsPayload(bytes) == payload, "read differently the second time")
        try promise(payload.faults.count <= ReadingsPayload.mostFaults, "\(payload.faults.count) faults")
        for fault in payload.faults { try promisePresentable(fault.detail, longest: 400) }
        try promiseStorable(payload.time)
        try payload.readings.forEachPresent { parameter, value in
            try promise(!Sentinel.isFault(value, of: parameter), "\(parameter) \(value) is taken for water")
        }
        try promise(try ReadingsPayload(payload.written) == payload.withoutFaults, "what was read cannot be written")
    }
}

/// Promises that an array has no more moments than a request, and that each is as storable as one by itself.
private func promiseMoments(_ bytes: [UInt8]) throws {
    guard let moments = try? ReadingsPayload.moments(bytes) else { return }
    try promise((1...PostedPayloads.most).contains(moments.count), "\(moments.count) moments")
    for moment in moments {
        try promise(moment.faults.count <= ReadingsPayload.mostFaults, "too many faults")
        for fault in moment.faults { try promisePresentable(fault.detail, longest: 400) }
        try promiseStorable(moment.time)
    }
}

/// Promises that readings are stored within the retention, or not at all, whatever time a message states.
func promiseStorable(_ stated: StatedTime) throws {
    let (receipt, kept) = (Timestamp(unixSeconds: Int64(1_777_636_800)), Duration.seconds(89 * 86_400))
    for history in [nil, kept] as [Duration?] {
        switch TimeJudgement(stated, receipt: receipt, history: history) {
        case .current(let event), .history(let event):
            let earliest = receipt - max(history ?? .zero, EventTime.furthestBack)
            try promise(
                event.time >= earliest && event.time <= receipt + EventTime.furthestAhead, "stored at \(event.time)")
        case .tooOld(let time): try promise(time < receipt - EventTime.furthestBack, "\(time) is not stored")
        }
    }
}

extension ReadingsPayload {
    /// The same values, as a device would send them.
    fileprivate var written: [UInt8] {
        var members: [String] = []
        readings.forEachPresent { members.append("\"\($0.name)\":\($1)") }
        if case .at(let time) = time { members.append("\"time\":\"\(time.iso8601)\"") }
        return Array("{\(members.joined(separator: ","))}".utf8)
    }

    fileprivate var withoutFaults: ReadingsPayload {
        var copy = ReadingsPayload()
        (copy.time, copy.readings) = (time == .unreadable ? .receipt : time, readings)
        return copy
    }
}
