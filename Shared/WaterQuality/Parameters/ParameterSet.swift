/// Some of the parameters, as a mask in which bit n stands for the parameter with number n.
package struct ParameterSet: OptionSet, Sendable {
    package let rawValue: Int16

    package init(rawValue: Int16) { self.rawValue = rawValue }
    package init(_ parameter: Parameter) { rawValue = 1 << parameter.rawValue }

    package var parameters: [Parameter] { Parameter.allCases.filter { contains(ParameterSet($0)) } }
}
