import Ingestor
import Notifier
import RulesEngine

@testable import ServiceKit

extension FuzzTarget {
    /// An environment, one variable a line, read by every service.
    static let configuration = FuzzTarget(
        "configuration",
        seeds: [
            """
            AQUA_DATABASE_URL=postgresql://aqua_ingestor@localhost:5432/aqua
            AQUA_MQTT_URL=mqtts://broker.example:8883
            AQUA_MQTT_USER=aqua_ingestor
            AQUA_LISTEN=[::1]:9101
            """,
            "AQUA_THROTTLE=30m\nAQUA_RECOVERY_DELAY=300 s\nAQUA_PUSH_ALLOW=10.0.0.0/8:443, fd00::/8:*\nAQUA_LOG_LEVEL=Debug",
            "AQUA_MQTT_SHARE=on\nAQUA_DATABASE_URL=postgres://a:correct-horse@h/d?password=x\nAQUA_LISTE=0.0.0.0:0",
        ],
        words: Variable.allCases.map { "\n\($0.rawValue)=" } + [
            "postgresql://", "mqtt://", "mqtts://", ":correct-horse@", "?password=correct-horse", "[", "]", ":65535",
            "500ms",
            "-1d", "9223372036854775807h", "on", "off", "\u{301}", "\u{9B}", "\u{1B}[2J", "%41", "%zz", "\t",
        ]
    ) { bytes in
        let environment = environment(String(decoding: bytes, as: UTF8.self))
        let first = faults(environment)
        try promise(first == faults(environment), "other faults the second time")
        for fault in first {
            try promisePresentable(fault.description, longest: 1_200)
            try promise(!fault.remedy.isEmpty, "no remedy for \(fault)")
            try promise(
                !fault.description.contains(":correct-horse@") && !fault.description.contains("password=correct-horse"),
                "a password in \(fault)")
        }
        for value in environment.values { try checkValues(value) }
    }

    private static func environment(_ text: String) -> [String: String] {
        var environment: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // Skips NUL, because environments hold C strings.
            if parts.count == 2, !line.utf8.contains(0) { environment[String(parts[0])] = String(parts[1]) }
        }
        return environment
    }

    private static func faults(_ environment: [String: String]) -> [ConfigurationFault] {
        do throws(ConfigurationFaults) {
            _ = try Configuration.read(from: environment) { reader in
                _ = IngestorConfiguration(reader: reader)
                _ = RulesConfiguration(reader: reader)
                _ = NotifierConfiguration(reader: reader)
                _ = reader.hostAndPort(.listen)
                _ = reader.logLevel()
            }
            return []
        } catch {
            return error.faults
        }
    }

    /// Promises that every value that was read reads the same after it is written again.
    private static func checkValues(_ value: String) throws {
        if let duration = parseDuration(value) {
            try promise(parseDuration(durationText(duration)) == duration, "\(value) is \(durationText(duration))")
        }
        if let size = parseByteSize(value) {
            try promise(size > 0 && byteSizeText(Double(size)).contains("B"), "\(value) is \(size)")
        }
        if let place = HostAndPort(value) {
            try promise(HostAndPort("\(place)") == place, "\(value) is \(place)")
        }
        if let url = ServerURL(value) {
            try promise(ServerURL("\(url)") == url, "\(value) is \(url)")
        }
    }
}
