package import Words

/// A protocol by which samples are taken in the field, as data: what is asked, in which order, and which answers can be.
///
/// A sample names a protocol and its version, and every version stays readable. A field that was not filled in is neither empty nor zero.
package struct FieldProtocol: Hashable, Sendable {
    /// The name in requests, which samples store: lower case, digits and hyphens, at most 40 characters.
    package let id: String
    /// From 1.
    package let version: Int
    package let name: FieldText
    package let help: FieldText?
    /// Most stations of a route; 0: the sample is of one place.
    package let stations: Int
    /// Whether fields are asked at depths.
    package let hasDepths: Bool
    package let fields: [Field]

    package init(
        id: String, version: Int, name: FieldText, help: FieldText?, stations: Int, hasDepths: Bool, fields: [Field]
    ) {
        self.id = id
        self.version = version
        self.name = name
        self.help = help
        self.stations = stations
        self.hasDepths = hasDepths
        self.fields = fields
    }

    package func field(_ id: String) -> Field? { fields.first { $0.id == id } }

    /// Most fields of one protocol.
    package static let mostFields = 100
    /// Most stations of a route.
    package static let mostStations = 50
}

/// A text of a protocol: of the catalogue of words, the name of a parameter, or as people wrote it.
package enum FieldText: Hashable, Sendable {
    /// The key of words, without its subject.
    case word(String)
    case parameter(Parameter)
    case own(String)

    package func text(in language: Language) -> String {
        switch self {
        case .word(let key): language.text("sampling.\(key)")
        case .parameter(let parameter): language.text("water.\(parameter.name)")
        case .own(let text): text
        }
    }
}

extension FieldProtocol {
    /// One thing that is asked.
    package struct Field: Hashable, Sendable {
        /// The name in samples: lower case, digits and underscores, at most 40 characters.
        package let id: String
        package let kind: Kind
        package let label: FieldText
        package let help: FieldText?
        /// Which parameter it is a value by hand of; `nil`: of none.
        package let parameter: Parameter?
        /// The unit of numbers and classes: one of the parameter's, or a word such as `m`; `nil`: none.
        package let unit: String?
        /// The numbers that can be, in the unit.
        package let minimum: Double?
        package let maximum: Double?
        /// What is chosen from, of a choice or a class.
        package let choices: [Choice]
        /// What is counted.
        package let counted: [Counted]
        package let isRequired: Bool
        package let each: Each
        /// How it is measured, as people wrote it.
        package let method: String?
        /// The numbers of which it is the mean, so that nobody enters it; empty: it is entered.
        package let meanOf: [String]

        package init(
            _ id: String, _ kind: Kind, label: FieldText, help: FieldText? = nil, parameter: Parameter? = nil,
            unit: String? = nil, minimum: Double? = nil, maximum: Double? = nil, choices: [Choice] = [],
            counted: [Counted] = [], isRequired: Bool = false, each: Each = .sample, method: String? = nil,
            meanOf: [String] = []
        ) {
            self.id = id
            self.kind = kind
            self.label = label
            self.help = help
            self.parameter = parameter
            self.unit = unit
            self.minimum = minimum
            self.maximum = maximum
            self.choices = choices
            self.counted = counted
            self.isRequired = isRequired
            self.each = each
            self.method = method
            self.meanOf = meanOf
        }
    }

    package enum Kind: String, CaseIterable, Sendable {
        case number
        /// One of several intervals of a number, such as the colours of a kit.
        case `class`
        case choice
        case text
        /// How many of each kind were found.
        case count
        case flag
    }

    /// How often a field is asked.
    package enum Each: String, CaseIterable, Sendable {
        case sample, station, depth
    }

    /// One of several answers; of a class the interval that it stands for.
    package struct Choice: Hashable, Sendable {
        package let id: String
        package let label: FieldText
        /// From where on, in the field's unit; `nil`: open, or no class.
        package let from: Double?
        package let to: Double?

        package init(_ id: String, label: FieldText, from: Double? = nil, to: Double? = nil) {
            self.id = id
            self.label = label
            self.from = from
            self.to = to
        }
    }

    /// A kind or a group of living things that is counted.
    package struct Counted: Hashable, Sendable {
        package let id: String
        package let label: FieldText
        /// The scientific name of the kind or group.
        package let scientific: String?

        package init(_ id: String, label: FieldText, scientific: String? = nil) {
            self.id = id
            self.label = label
            self.scientific = scientific
        }
    }
}
