extension Alert {
    /// What an alert says, by its kind. Values are in the parameter's canonical unit.
    package enum Content: Hashable, Sendable {
        case range(RangeContent)
        case silence(SilenceContent)
        case fault(FaultContent)
        case rate(RateContent)
        case ahead(AheadContent)
        case test

        package var kind: Kind {
            switch self {
            case .range: .range
            case .silence: .silence
            case .fault: .fault
            case .rate: .rate
            case .ahead: .ahead
            case .test: .test
            }
        }

        /// The parameter; `nil` for a test and for the silence of a whole device.
        package var parameter: Parameter? {
            switch self {
            case .range(let content): content.parameter
            case .silence(let content): content.parameter
            case .fault(let content): content.parameter
            case .rate(let content): content.parameter
            case .ahead(let content): content.parameter
            case .test: nil
            }
        }
    }
}
