/// The content of a summary of a person's water: the last day that is over, or the last seven.
package struct SummaryContent: Hashable, Sendable {
    /// All tanks, also those that are not named.
    package var whole: Whole
    /// The tanks that need a look most, first those with something that goes on; at most twelve.
    package var tanks: [Tank]

    package init(whole: Whole, tanks: [Tank]) {
        self.whole = whole
        self.tanks = tanks
    }

    package struct Whole: Hashable, Sendable, Decodable {
        /// The first and the last day, as `2026-11-28`.
        package var from: String
        package var through: String
        package var tanks: Int
        package var alarms: Int
        /// How many tanks had an alarm.
        package var alarmed: Int
        /// How many alarms go on now, and in how many tanks.
        package var open: Int
        package var troubled: Int
        /// How many tanks had no reading.
        package var silent: Int

        package init(
            from: String, through: String, tanks: Int, alarms: Int, alarmed: Int, open: Int, troubled: Int, silent: Int
        ) {
            self.from = from
            self.through = through
            self.tanks = tanks
            self.alarms = alarms
            self.alarmed = alarmed
            self.open = open
            self.troubled = troubled
            self.silent = silent
        }
    }

    package struct Tank: Hashable, Sendable, Decodable {
        /// The person's name for the device.
        package var name: String
        package var troubles: [Trouble]
        package var isSilent: Bool
        package var ranges: [Range]

        package init(name: String, troubles: [Trouble], isSilent: Bool, ranges: [Range]) {
            self.name = name
            self.troubles = troubles
            self.isSilent = isSilent
            self.ranges = ranges
        }
    }

    /// The alarms about one thing.
    package struct Trouble: Hashable, Sendable, Decodable {
        /// A kind, a parameter or a side that only a newer version knows is told in plain words.
        package var kind: String
        package var parameter: Int16?
        package var side: String?
        package var alarms: Int
        package var goesOn: Bool

        package init(kind: String, parameter: Int16?, side: String?, alarms: Int, goesOn: Bool) {
            self.kind = kind
            self.parameter = parameter
            self.side = side
            self.alarms = alarms
            self.goesOn = goesOn
        }
    }

    /// The least and the greatest value of a parameter that has a limit, in its canonical unit.
    package struct Range: Hashable, Sendable, Decodable {
        package var parameter: Int16
        /// The unit that the person chose.
        package var unit: String
        package var least: Float
        package var most: Float

        package init(parameter: Int16, unit: String, least: Float, most: Float) {
            self.parameter = parameter
            self.unit = unit
            self.least = least
            self.most = most
        }
    }
}

extension SummaryContent {
    /// What can be said first of all tanks. The graver comes before the milder.
    enum Standing: Hashable {
        /// One alarm goes on: it is named.
        case goesOn(Trouble, in: Tank)
        case several
        case over
        case silent
        case well
    }

    var standing: Standing {
        if whole.open == 1, let tank = tanks.first, let trouble = tank.troubles.first(where: \.goesOn) {
            return .goesOn(trouble, in: tank)
        }
        if whole.open > 0 { return .several }
        if whole.silent > 0 { return .silent }
        return whole.alarms > 0 ? .over : .well
    }
}
