/// Some of the parameters, as a mask in which bit n stands for the parameter with number n.
package struct ParameterSet: OptionSet, Sendable {
    package let rawValue: Int16

    package init(rawValue: Int16) { self.rawValue = rawValue }
    package init(_ parameter: Parameter) { rawValue = 1 << parameter.rawValue }

    /// - Parameter mask: In the form of `Readings.present`.
    package init(mask: UInt16) { rawValue = Int16(bitPattern: mask) }
    package var mask: UInt16 { UInt16(bitPattern: rawValue) }

    package var parameters: [Parameter] { Parameter.allCases.filter { contains(ParameterSet($0)) } }
}
