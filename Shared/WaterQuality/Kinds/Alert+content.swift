extension Alert {
    /// What an alert says, by its kind: the one form of it from its row to its words. Values are in the parameter's canonical unit.
    package enum Content: Hashable, Sendable {
        case range(RangeContent)
        case silence(SilenceContent)
        case fault(FaultContent)
        case rate(RateContent)
        case ahead(AheadContent)
        case test
        /// What only a newer version can tell: a kind, a parameter or a purpose that this version does not know.
        case other(kind: String, Parameter?)

        package var kind: Word<Kind> {
            switch self {
            case .range: .known(.range)
            case .silence: .known(.silence)
            case .fault: .known(.fault)
            case .rate: .known(.rate)
            case .ahead: .known(.ahead)
            case .test: .known(.test)
            case .other(let kind, _): Word(rawValue: kind)
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
            case .other(_, let parameter): parameter
            }
        }

        /// What a value out of range tells; `nil` for another kind.
        package var range: RangeContent? {
            if case .range(let content) = self { content } else { nil }
        }
    }
}
