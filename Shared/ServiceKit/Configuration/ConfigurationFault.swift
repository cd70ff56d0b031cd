/// One thing that is wrong with the environment: the variable's name, the problem and the remedy.
package struct ConfigurationFault: Hashable, Sendable, CustomStringConvertible {
    /// The variable as it is spelled in the environment; a misspelt one is no `Variable`.
    package let variable: String
    /// What is wrong; never contains a secret.
    package let problem: String
    /// What to do, as an imperative sentence without its full stop.
    package let remedy: String

    package init(variable: String, problem: String, remedy: String) {
        self.variable = variable
        self.problem = problem
        self.remedy = remedy
    }

    package var description: String { "\(variable) \(problem): \(remedy)" }
}

/// All faults of the environment at once, so that an operator can mend them in one go.
package struct ConfigurationFaults: Error, Equatable, CustomStringConvertible {
    package let faults: [ConfigurationFault]

    package init(_ faults: [ConfigurationFault]) {
        self.faults = faults
    }

    /// One fault per line.
    package var description: String {
        faults.map(\.description).joined(separator: "\n")
    }
}
