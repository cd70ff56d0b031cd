import ServiceKit

/// The environment variables, read when a verb needs them: `aqua migrate` works without a broker.
///
/// Every fault names its variable and what to set it to (`ConfigurationFaults`).
package struct OperatorEnvironment: Sendable {
    let variables: [String: String]

    init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// Reads what a verb needs in one go, so that all faults are told at once.
    func read<Value>(_ body: (ConfigurationReader) -> Value) throws(ConfigurationFaults) -> Value {
        try Configuration.read(from: variables, body)
    }

    /// The same for values that `body` can only give when nothing was wrong.
    func require<Value>(_ body: (ConfigurationReader) -> Value?) throws(ConfigurationFaults) -> Value {
        guard let value = try read(body) else {
            preconditionFailure("a reader that could not give a value records a fault")
        }
        return value
    }
}
