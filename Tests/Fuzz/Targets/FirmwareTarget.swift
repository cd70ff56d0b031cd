import WaterQuality

@testable import Ingestor

extension FuzzTarget {
    /// Messages of other firmware: the first byte selects the topic.
    static let firmware = FuzzTarget(
        "firmware",
        seeds: [
            #"0{"Time":"2021-01-02T09:09:44","DS18B20-1":{"Id":"00000566CC39","Temperature":13.3},"TempUnit":"C"}"#,
            #"0{"Time":"2021-01-02T09:09:44","Epoch":1609578584,"ANALOG":{"pH":7.41},"DS18B20":{"Temperature":nan},"TempUnit":"F"}"#,
            #"0{"Pond":{"Id":"0120335EE860","Temperature":0},"Air":{"Id":"01203374828A","Temperature":0.0},"ANALOG":{"pH1":7,"pH2":8}}"#,
            #"0{"EZO-1":{"pH":8.05},"EZO-2":{"Temperature":31.7,"Humidity":61.0,"DewPoint":22.9},"TempUnit":"C"}"#,
            "124.56", "1nan", "1None", "277.000000", "3-0.5e3",
            #"4{"temperature":24.6,"ph":7.9,"battery":87,"last_seen":"2026-05-01T14:00:00+02:00","device":{"a":[1]}}"#,
            #"5[{"bn":"urn:dev:ow:10e2073a01080063:","bt":1777636800,"bu":"Cel","bv":1,"n":"temperature","u":"Cel","v":23.4}]"#,
            #"5[{"n":"ph","t":-30,"v":7.9},{"n":"salinity","u":"S/m","v":5},{"n":"temperature","vs":"x","bver":10}]"#,
            #"6{"method":"NotifyStatus","params":{"ts":1777636800.04,"temperature:0":{"tC":48},"temperature:100":{"id":100,"tC":23.4}}}"#,
            #"6{"method":"NotifyFullStatus","params":{"ts":null,"temperature:101":{"tC":null,"errors":["read"]},"switch:0":{"id":0}}}"#,
            #"7{"0":{"hwID":"28FF641E8216031D","tC":22.5,"tF":72.5},"1":{"hwID":"00000566CC39","tC":999}}"#,
            #"8{"id":100,"tC":23.4,"tF":74.1}"#,
            #"9{"phenomenonTime":"2026-05-01T11:55:00Z/2026-05-01T12:00:00Z","resultTime":null,"result":7.9,"parameters":{}}"#,
        ],
        words: Parameter.allCases.map { "\"n\":\"\($0.name)\"," } + [
            "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "\"phenomenonTime\":", "\"resultTime\":", "\"result\":",
            "/", "\"temperature:100\":{", "\"tC\":", "\"hwID\":",
            "\"errors\":[1]", "\"params\":{", "\"ts\":", "999", "\"Id\":\"00000566CC39\"", "\"Temperature\":",
            "\"DS18B20-2\":{",
            "\"EZOPH\":{", "\"ANALOG\":{", "\"pH1\":", "\"Temperature2\":", "\"Humidity\":1", "\"Pond\":{",
            "\"u\":\"/\"",
            "\"TempUnit\":\"F\"", "\"Epoch\":", "\"Time\":", "\"last_seen\":", "\"bn\":", "\"bt\":", "\"bu\":",
            "\"bv\":",
            "\"bver\":", "\"t\":", "\"u\":\"Cel\"", "\"v\":", "\"vs\":", "-127", "85", "nan", "null", "1e308",
            "268435456", "1777636800000", "1777636800000000", "-230000000", "1e300", "[", "]", "{",
            "}", ",",
        ]
    ) { bytes in
        guard let first = bytes.first, let subject = subjects[first] else { return }
        let text = Array(bytes.dropFirst())
        let known = ProbeID("00000566CC39")
        for probe in [nil, known] {
            let message: FirmwareMessage
            do throws(RejectReason) {
                message = try FirmwareMessage(text, on: subject, probe: probe)
            } catch {
                try promise(
                    error == (text.count > ReadingsPayload.largest ? .tooLarge : .malformed), "refused as \(error)")
                continue
            }
            try promise(
                try FirmwareMessage(text, on: subject, probe: probe) == message, "read differently the second time")
            let isOfMuch = [.shellyEvents, .shellyTemperatures, .shellyStatus(component)].contains(subject)
            try promise(isOfMuch || !message.moments.isEmpty, "no moment")
            try promise(message.moments.count <= ReadingsPayload.largest, "\(message.moments.count) moments")
            try promise(probe == nil || message.probe == probe, "another probe than the known one")
            for moment in message.moments {
                try promiseStorable(moment.time)
                if case .ago(let age) = moment.time { try promise(age > .zero, "a reading that is still to come") }
                try promise(moment.faults.count <= ReadingsPayload.mostFaults, "too many faults")
                for fault in moment.faults { try promisePresentable(fault.detail, longest: 400) }
                try moment.readings.forEachPresent { parameter, value in
                    try promise(!Sentinel.isFault(value, of: parameter), "\(parameter) \(value) is taken for water")
                    try promise(parameter != .temperature || abs(value - 85) >= 0.05, "a cold start is taken for water")
                }
            }
        }
        for will in [Topic.Subject.tasmotaWill, .zigbee2MQTTAvailability, .shellyOnline, .status] {
            _ = Availability(text, on: will)
        }
    }

    private static let component = ProbeID("100")

    private static let subjects: [UInt8: Topic.Subject] = [
        UInt8(ascii: "0"): .tasmotaSensor, UInt8(ascii: "1"): .number(.temperature, nil),
        UInt8(ascii: "2"): .number(.temperature, .fahrenheit), UInt8(ascii: "3"): .number(nil, nil),
        UInt8(ascii: "4"): .zigbee2MQTT, UInt8(ascii: "5"): .senML,
        UInt8(ascii: "6"): .shellyEvents, UInt8(ascii: "7"): .shellyTemperatures,
        UInt8(ascii: "8"): .shellyStatus(component), UInt8(ascii: "9"): .observation(.temperature),
    ]
}
