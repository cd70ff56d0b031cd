extension SafeRange {
    /// The reason why limits were refused. `description` is a sentence for the person who set them.
    package enum Fault: Error, Hashable, CustomStringConvertible {
        case noMinimumSetting(Parameter)
        case minimumBeyondSensor(Parameter)
        case maximumBeyondSensor(Parameter)
        case limitsCross(Parameter)
        case notANumber(Parameter)

        package var description: String {
            switch self {
            case .noMinimumSetting(let parameter):
                "\(parameter.name) has no minimum, as its best value is zero; set only a maximum."
            case .minimumBeyondSensor(let parameter):
                "The minimum of \(parameter.name) must be \(Self.absoluteRange(of: parameter))."
            case .maximumBeyondSensor(let parameter):
                "The maximum of \(parameter.name) must be \(Self.absoluteRange(of: parameter))."
            case .limitsCross(let parameter):
                """
                The minimum of \(parameter.name) must be at least \(Self.text(Steps(1), of: parameter)) below its \
                maximum; lower the minimum or raise the maximum first.
                """
            case .notANumber(let parameter):
                "A limit of \(parameter.name) must be a number."
            }
        }

        private static func absoluteRange(of parameter: Parameter) -> String {
            let range = parameter.absoluteRange
            let (lowest, highest) = (text(range.lowerBound, of: parameter), text(range.upperBound, of: parameter))
            return "from \(lowest) to \(highest), which is what its sensor measures"
        }

        private static func text(_ steps: Steps, of parameter: Parameter) -> String {
            let number = DecimalText.number(Int64(steps.count), decimals: parameter.decimals, mark: ".")
            let symbol = parameter.canonicalUnit.symbol
            return symbol.isEmpty ? number : "\(number) \(symbol)"
        }
    }
}
