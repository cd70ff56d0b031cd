package import Instants
package import Logging

/// Logs one JSON object per line: `time`, `level`, `service`, `message`, then the sorted metadata, each at the top
/// level under its dotted key.
package struct JSONLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let output: any LogOutput
    private let clock: WallClock
    private let counts: LogCounts?

    /// - Parameter label: The service's name in every line.
    package init(
        label: String, level: Logger.Level, output: any LogOutput, clock: WallClock, counts: LogCounts? = nil
    ) {
        self.label = label
        self.logLevel = level
        self.output = output
        self.clock = clock
        self.counts = counts
    }

    /// Makes this the handler of every logger created from now on; call it once, in a process's main.
    package static func bootstrap(level: Logger.Level, counts: LogCounts) {
        LoggingSystem.bootstrap { label in
            JSONLogHandler(
                label: label, level: level, output: FileLogOutput.standardOutput, clock: .system, counts: counts)
        }
    }

    package subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        counts?.count(event.level)
        var line = JSONLine()
        line.key("time")
        line.string(clock.now().iso8601Milliseconds)
        line.key("level")
        line.string(event.level.rawValue)
        line.key("service")
        line.string(label)
        line.key("message")
        line.string(event.message.description)
        for (key, value) in flattened(merged(event)) {
            line.key(key)
            line.value(value)
        }
        line.end()
        output.write(line.bytes)
    }

    private func merged(_ event: LogEvent) -> Logger.Metadata {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        if let error = event.error { all[LogKey.error.rawValue] = "\(error)" }
        return all
    }
}

/// The members of every line; metadata with such a name gets a prefix.
private let reservedKeys: Set<String> = ["time", "level", "service", "message"]

private func flattened(_ metadata: Logger.Metadata) -> [(key: String, value: Logger.MetadataValue)] {
    var flat: [String: Logger.MetadataValue] = [:]
    func add(_ key: String, _ value: Logger.MetadataValue) {
        if case .dictionary(let members) = value {
            for (name, member) in members { add("\(key).\(name)", member) }
        } else {
            flat[reservedKeys.contains(key) ? "metadata.\(key)" : key] = value
        }
    }
    for (key, value) in metadata { add(key, value) }
    return flat.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
}

extension JSONLine {
    fileprivate mutating func value(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): string(text)
        case .stringConvertible(let convertible): self.convertible(convertible)
        case .array(let elements): array(elements) { $0.value($1) }
        case .dictionary(let members):
            // Reached only inside of an array; elsewhere dictionaries are flattened.
            string(members.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))
        }
    }

    private mutating func convertible(_ value: any CustomStringConvertible) {
        switch value {
        case let flag as Bool: literal(flag ? "true" : "false")
        case let number as any BinaryInteger: literal(number.description)
        case let number as Double where number.isFinite: literal(number.description)
        default: string(value.description)
        }
    }
}
