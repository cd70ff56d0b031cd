/// The two people of the suite. Neither may ever get a message about the other's devices.
package enum Person: String, CaseIterable, Sendable {
    /// English and degrees Celsius, two endpoints.
    case kim
    /// Spanish and degrees Fahrenheit, one endpoint.
    case lee

    var email: String { "\(self)@example.org" }
    var locale: String { self == .kim ? "en" : "es" }
    package var temperatureUnit: String { self == .kim ? "C" : "F" }
}

/// The fields of a webhook's body.
package struct ToldMessage: Hashable, Sendable {
    /// `alarm`, `reminder` or `recovery`.
    package var purpose: String
    package var device: String
    package var parameter: String
    package var side: String
    /// The value in tenths of the unit, like the limit.
    package var value: Int
    package var limit: Int
    package var unit: String
    package var title: String
    package var eventTime: Int

    package init(
        purpose: String, device: String, parameter: String, side: String, value: Int, limit: Int, unit: String,
        title: String, eventTime: Int
    ) {
        self.purpose = purpose
        self.device = device
        self.parameter = parameter
        self.side = side
        self.value = value
        self.limit = limit
        self.unit = unit
        self.title = title
        self.eventTime = eventTime
    }

    /// The message that a person has to receive about a reading.
    /// - Parameter isHard: Whether the value is beyond the person's critical maximum.
    package init(
        _ purpose: String, of reading: LedgerReading, position: Int, side: String, to person: Person,
        isHard: Bool = false
    ) {
        let water = Water.all[position]
        let isTemperature = water.number == 0
        func shown(_ tenths: Int) -> Int {
            guard isTemperature, person.temperatureUnit == "F" else { return tenths }
            // Computes tenths of a degree: 9/5 C + 32, halves away from zero.
            let fifths = tenths * 9 + 320 * 5
            return fifths >= 0 ? (fifths * 2 + 5) / 10 : (fifths * 2 - 5) / 10
        }
        let value = shown(reading.values[position])
        let unit = isTemperature ? person.temperatureUnit : water.unit
        self.init(
            purpose: purpose, device: reading.device, parameter: water.parameter, side: side, value: value,
            limit: shown(
                side != "high" ? water.minimum : isHard ? water.hardMaximum ?? water.maximum : water.maximum),
            unit: unit, title: Self.title(purpose, of: reading.device, water, side, value, unit, isHard, to: person),
            eventTime: reading.time)
    }

    private static func title(
        _ purpose: String, of device: String, _ water: Water, _ side: String, _ tenths: Int, _ unit: String,
        _ isHard: Bool, to person: Person
    ) -> String {
        let name = ChaosStage.displayName(of: device)
        let symbol = unit == "pH" ? "" : unit.count == 1 ? " °\(unit)" : " \(unit)"
        func value(_ mark: String) -> String {
            "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10)\(mark)\(abs(tenths) % 10)\(symbol)"
        }
        switch person {
        case .kim:
            let beyond = "\(isHard ? "critically " : "")\(side)"
            return switch purpose {
            case "alarm": "\(name): \(water.english) is \(beyond)"
            case "reminder": "\(name): \(water.english) is still \(beyond)"
            default: "\(name): \(water.english) is back: \(value("."))"
            }
        case .lee:
            let subject = "\(water.isFeminine ? "La" : "El") \(water.spanish)"
            let degree = isHard ? "críticamente " : ""
            let beyond = "\(degree)\(side == "high" ? "alt" : "baj")\(water.isFeminine ? "a" : "o")"
            return switch purpose {
            case "alarm": "\(name): \(subject) está \(beyond)"
            case "reminder": "\(name): \(subject) sigue \(beyond)"
            default: "\(name): \(subject) vuelve a estar bien: \(value(","))"
            }
        }
    }
}
