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
    package init(
        _ purpose: String, of reading: LedgerReading, position: Int, side: String, to person: Person
    ) {
        let water = Water.all[position]
        let isTemperature = water.number == 0
        func shown(_ tenths: Int) -> Int {
            guard isTemperature, person.temperatureUnit == "F" else { return tenths }
            // Computes tenths of a degree: 9/5 C + 32, halves away from zero.
            let fifths = tenths * 9 + 320 * 5
            return fifths >= 0 ? (fifths * 2 + 5) / 10 : (fifths * 2 - 5) / 10
        }
        self.init(
            purpose: purpose, device: reading.device, parameter: water.parameter, side: side,
            value: shown(reading.values[position]), limit: shown(side == "high" ? water.maximum : water.minimum),
            unit: isTemperature ? person.temperatureUnit : water.unit,
            title: Self.title(purpose, of: reading.device, water, side, to: person), eventTime: reading.time)
    }

    private static func title(
        _ purpose: String, of device: String, _ water: Water, _ side: String, to person: Person
    ) -> String {
        let name = ChaosStage.displayName(of: device)
        switch person {
        case .kim:
            return switch purpose {
            case "alarm": "\(name): \(water.english) too \(side)"
            case "reminder": "\(name): \(water.english) still too \(side)"
            default: "\(name): \(water.english) back in range"
            }
        case .lee:
            let ending = water.isFeminine ? "a" : "o"
            let beyond = "demasiado \(side == "high" ? "alt" : "baj")\(ending)"
            return switch purpose {
            case "alarm": "\(name): \(water.spanish) \(beyond)"
            case "reminder": "\(name): \(water.isFeminine ? "la" : "el") \(water.spanish) sigue \(beyond)"
            default: "\(name): \(water.spanish) de nuevo en su rango"
            }
        }
    }
}
