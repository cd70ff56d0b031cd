import WaterQuality

extension Parameter {
    /// The names of parameters as a choice in the document.
    struct Name: CaseIterable, RawRepresentable, Hashable, Sendable {
        let parameter: Parameter

        static let allCases = Parameter.allCases.map { Name($0) }

        var rawValue: String { parameter.name }

        init(_ parameter: Parameter) { self.parameter = parameter }

        init?(rawValue: String) {
            guard let parameter = Parameter.allCases.first(where: { $0.name == rawValue }) else { return nil }
            self.parameter = parameter
        }
    }
}
