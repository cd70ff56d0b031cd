/// Some of the parameters, as a mask in which bit n stands for the parameter with number n.
package struct ParameterSet: OptionSet, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }
    package init(_ parameter: Parameter) { rawValue = Int32(bitPattern: parameter.bit) }

    package var parameters: [Parameter] { Parameter.allCases.filter { contains(ParameterSet($0)) } }
}
