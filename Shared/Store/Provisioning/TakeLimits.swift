package import Postgres
package import WaterQuality

/// Limits of some parameters, and perhaps what stands beside them, as `own_preset` keeps and `take_limits` reads them: columns of `setting` by the
/// number of the parameter.
package struct LimitsDocument: Hashable, Sendable {
    package let text: String

    /// All that a setting has but colour and order.
    /// - Parameter ranges: Each parameter once.
    package init(_ ranges: [PersonalRange]) {
        self.init(
            ranges.map { range in
                (
                    range.parameter,
                    [Self.member("unit", "\"\(range.unit.rawValue)\"")]
                        + Self.limits(range.minimum, range.maximum, range.criticalMinimum, range.criticalMaximum)
                        + WatchSetting.allCases.map { Self.member($0.column, $0.text(of: range.settings[$0])) }
                        + [Self.member("periods", range.periods?.stored ?? "null")]
                )
            })
    }

    /// Plain limits alone. Critical limits and those at other times go, because they belong to the replaced limits.
    package init(_ preset: Preset) {
        self.init(
            Parameter.allCases.compactMap { parameter in
                preset.limits(of: parameter).map {
                    (parameter, Self.limits($0.minimum, $0.maximum, nil, nil) + [Self.member("periods", "null")])
                }
            })
    }

    private init(_ parameters: [(Parameter, [String])]) {
        text = Self.object(parameters.map { Self.member("\($0.rawValue)", Self.object($1)) })
    }

    private static func limits(
        _ minimum: Steps?, _ maximum: Steps?, _ criticalMinimum: Steps?, _ criticalMaximum: Steps?
    ) -> [String] {
        [
            ("minimum", minimum), ("maximum", maximum), ("critical_minimum", criticalMinimum),
            ("critical_maximum", criticalMaximum),
        ].map { member($0, $1.map { "\($0.count)" } ?? "null") }
    }

    // Names, numbers and units that are words of the catalogue: nothing has to be escaped.
    private static func member(_ name: String, _ value: String) -> String { "\"\(name)\":\(value)" }
    private static func object(_ members: [String]) -> String { "{\(members.joined(separator: ","))}" }
}

extension WatchSetting {
    /// The value of the column, as JSON.
    fileprivate func text(of value: Int32?) -> String {
        switch form {
        case .flag: value == nil ? "false" : "true"
        case .seconds: "\(value ?? 0)"
        case .minutes, .change: value.map { "\($0)" } ?? "null"
        }
    }
}

/// Has settings of devices of an account take over limits, from the next reading on; colour and order stay. The row is the number of devices that had
/// others.
package struct TakeLimits: Statement {
    package static let sql = "SELECT take_limits($1, $2, $3, $4::text::jsonb)"

    let account: Account.ID
    let devices: [DeviceKey]
    let limits: LimitsDocument

    package init(_ limits: LimitsDocument, on devices: [DeviceKey], of account: Account.ID) {
        self.limits = limits
        self.devices = devices
        self.account = account
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(devices)
        parameters.append(limits.text)
    }

    package static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}
