/// Reads a process's configuration from environment variables.
///
/// The environment is a plain dictionary instead of a swift-configuration provider: refusing misspelt names needs
/// the list of all variables, and reporting every fault by the variable's own name needs the raw names; that
/// provider offers neither.
package enum Configuration {
    /// Calls `body` with a reader and returns what it built, unless there was a fault.
    ///
    /// The body runs to its end even after a fault, with stand-ins for values that could not be read, so that all
    /// faults are found. It must therefore only build values: no connections, no files.
    /// - Throws: All faults, misspelt names included.
    package static func read<Value>(
        from environment: [String: String], _ body: (ConfigurationReader) -> Value
    ) throws(ConfigurationFaults) -> Value {
        let reader = ConfigurationReader(environment)
        let value = body(reader)
        let faults = reader.faults + misspellings(in: environment)
        guard faults.isEmpty else { throw ConfigurationFaults(faults) }
        return value
    }

    /// Names that begin with `AQUA_` but are unknown and resemble none of ours; worth a warning.
    ///
    /// These are no faults: Kubernetes, for one, sets `AQUA_INGESTOR_SERVICE_HOST` for a service of that name.
    package static func strangers(in environment: [String: String]) -> [String] {
        unknownNames(in: environment).filter { misspelling($0) == nil }
    }

    private static func misspellings(in environment: [String: String]) -> [ConfigurationFault] {
        unknownNames(in: environment).compactMap(misspelling)
    }

    private static func unknownNames(in environment: [String: String]) -> [String] {
        environment.keys.filter { $0.hasPrefix("AQUA_") && Variable(rawValue: $0) == nil }.sorted()
    }

    private static func misspelling(_ name: String) -> ConfigurationFault? {
        if let file = Variable(rawValue: name + "_FILE") {
            return ConfigurationFault(
                variable: name, problem: "holds a secret, which other processes could read there",
                remedy: "remove it, write its value to a file of mode 0600 and set \(file.rawValue) to that path")
        }
        guard let meant = nearestName(to: name, among: Variable.allCases.map(\.rawValue), within: 2) else {
            return nil
        }
        return ConfigurationFault(
            variable: name.presentable, problem: "is unknown", remedy: "rename it to \(meant) or remove it")
    }
}
