/// A kit with which people test their water: what it measures, in which unit, and in which steps its colours are read.
package struct Kit: Sendable {
    /// The name in requests, which is stored.
    package let id: String
    /// The maker's name for it, the same in all languages.
    package let name: String
    /// Where its steps and units are from.
    package let source: String
    /// In the order of its leaflet.
    package let tests: [Test]

    /// One bottle or strip of the kit.
    package struct Test: Sendable {
        package let parameter: Parameter
        /// The unit of the card or of the drops: what is told as nitrogen is not what is told as nitrate.
        package let unit: Unit
        package let method: Method
        /// How long to wait before it is read.
        package let wait: Duration?

        init(_ parameter: Parameter, in unit: Unit, _ method: Method, wait: Duration? = nil) {
            precondition(parameter.accepts(unit), "a kit tells a parameter in one of its units")
            self.parameter = parameter
            self.unit = unit
            self.method = method
            self.wait = wait
        }

        /// The colours that the person chooses from; none where a number is read.
        package var steps: [Step] {
            switch method {
            case .card(let marks): Step.card(marks)
            case .classes(let bounds): Step.classes(bounds)
            case .drops, .number: []
            }
        }
    }

    package enum Method: Hashable, Sendable {
        /// Colours on a card, each beside a number: what is seen lies between them and is read as the nearer one.
        case card([Double])
        /// Colours that stand for ranges, which begin and end at these numbers; the last one is open.
        case classes([Double])
        /// Drops until the colour turns, each of which is so much in the unit.
        case drops(each: Double)
        /// A number that is read.
        case number
    }

    /// The steps of a parameter, over all of the kit's tests of it; each has a name of its own.
    package func step(_ choice: String, of parameter: Parameter) -> (step: Step, unit: Unit)? {
        for test in tests where test.parameter == parameter {
            if let step = test.steps.first(where: { $0.choice == choice }) { return (step, test.unit) }
        }
        return nil
    }

    package static func named(_ id: String) -> Kit? { catalogue.first { $0.id == id } }
}

extension Kit {
    /// A colour that can be chosen, in the unit of its test.
    package struct Step: Hashable, Sendable {
        /// The name in requests: what the card says.
        package let choice: String
        /// The number of the card; of a range its middle, or the end of an open one.
        package let value: Double
        /// From where on the water looks like this; `nil` where the scale begins above zero.
        package let lower: Double?
        /// Up to where; `nil` for the last one.
        package let upper: Double?

        /// Steps that reach half-way to their neighbours. There is nothing below zero.
        static func card(_ marks: [Double]) -> [Step] {
            marks.enumerated().map { index, mark in
                Step(
                    choice: text(mark), value: mark,
                    lower: index > 0 ? (marks[index - 1] + mark) / 2 : mark == 0 ? 0 : nil,
                    upper: index + 1 < marks.count ? (mark + marks[index + 1]) / 2 : nil)
            }
        }

        /// Ranges from zero to the first number, between the numbers, and from the last one on.
        static func classes(_ bounds: [Double]) -> [Step] {
            zip([0] + bounds, bounds.map(Optional.some) + [nil]).map { lower, upper in
                guard let upper else { return Step(choice: ">\(text(lower))", value: lower, lower: lower, upper: nil) }
                return Step(
                    choice: lower == 0 ? "<\(text(upper))" : "\(text(lower))-\(text(upper))",
                    value: (lower + upper) / 2, lower: lower, upper: upper)
            }
        }

        /// A number as cards print it: 0, 0.25, 160.
        private static func text(_ number: Double) -> String {
            number == number.rounded() ? "\(Int(number))" : "\(number)"
        }
    }
}
