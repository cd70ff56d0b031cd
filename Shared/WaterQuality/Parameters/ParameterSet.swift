/// Some of the parameters, as a mask in which bit n stands for the parameter with number n.
package struct ParameterSet: OptionSet, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }
    package init(_ parameter: Parameter) { rawValue = Int32(bitPattern: parameter.bit) }

    /// - Parameter mask: In the form of `Readings.present`.
    package init(mask: UInt32) { rawValue = Int32(bitPattern: mask) }
    package var mask: UInt32 { UInt32(bitPattern: rawValue) }

    package var parameters: [Parameter] { Parameter.allCases.filter { contains(ParameterSet($0)) } }
}
