import FoundationEssentials
import Glibc
import Logging
package import ServiceLifecycle

/// A service's whole main: reads the configuration, builds the services, runs them, exits.
///
/// ```swift
/// @main
/// enum Main {
///     static func main() async {
///         await ServiceMain.run("aqua-ingestor", read: IngestorConfiguration.init(reader:), build: buildIngestor)
///     }
/// }
/// ```
package enum ServiceMain {
    /// `EX_CONFIG` of `sysexits.h`.
    package static let configurationExitCode: Int32 = 78
    /// `EX_USAGE` of `sysexits.h`.
    package static let usageExitCode: Int32 = 64

    /// Runs the service and never returns. Exit codes: 78 after configuration faults, all of which are on standard
    /// error; 1 after an error; 0 after SIGTERM or SIGINT.
    ///
    /// The argument `health` starts no service: it asks the one that runs with the same `AQUA_LISTEN` whether it is
    /// ready, and exits with 0, or with 1 and the reason on standard error.
    /// - Parameters:
    ///   - name: The service's name in its log lines.
    ///   - arguments: The arguments without the program's own name.
    ///   - read: Builds the service's configuration; called once.
    ///   - build: Wires the services, in the order in which they start. `/metrics` and `/health` are added to them.
    package static func run<Settings: Sendable>(
        _ name: String, arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        environment: [String: String] = ProcessInfo.processInfo.environment,
        read: @Sendable (ConfigurationReader) -> Settings,
        build: @Sendable (Settings, Facilities) async throws -> [any Service]
    ) async -> Never {
        forbidCoreDumps()
        // A reader of the log that goes away loses lines, but must not end the service.
        signal(SIGPIPE, SIG_IGN)
        switch arguments {
        case []: await serve(name, environment, read: read, build: build)
        case ["health"]: endProcess(await probe(name, environment))
        default:
            tell("usage: \(name) [health]\n  Everything else is set by variables; see deploy/OPERATING.md.\n")
            endProcess(usageExitCode)
        }
    }

    private static func serve<Settings: Sendable>(
        _ name: String, _ environment: [String: String],
        read: @Sendable (ConfigurationReader) -> Settings,
        build: @Sendable (Settings, Facilities) async throws -> [any Service]
    ) async -> Never {
        let settings: (own: Settings, listen: HostAndPort, level: Logger.Level)
        do {
            settings = try Configuration.read(from: environment) {
                (own: read($0), listen: $0.hostAndPort(.listen), level: $0.logLevel())
            }
        } catch {
            printFaults(error, of: name)
            endProcess(configurationExitCode)
        }
        let metrics = MetricsRegistry()
        metrics.addProcessMetrics()
        metrics.addBuildInfo()
        JSONLogHandler.bootstrap(level: settings.level, counts: LogCounts(metrics))
        let facilities = Facilities(logger: Logger(label: name), metrics: metrics)
        for stranger in Configuration.strangers(in: environment) {
            facilities.logger.warning("Unknown variable", [.variable: "\(stranger)"])
        }
        endProcess(await run(settings.own, listen: settings.listen, facilities, build: build))
    }

    private static func run<Settings: Sendable>(
        _ settings: Settings, listen: HostAndPort, _ facilities: Facilities,
        build: @Sendable (Settings, Facilities) async throws -> [any Service]
    ) async -> Int32 {
        let healthServer = HealthServer(
            address: listen, health: facilities.health, metrics: facilities.metrics, logger: facilities.logger)
        do {
            let services = try await build(settings, facilities)
            return await ServiceRunner.run(
                services: [healthServer] + services, health: facilities.health, logger: facilities.logger)
        } catch {
            facilities.logger.error("Cannot start", [.error: "\(error)"])
            return 1
        }
    }

    private static func probe(_ name: String, _ environment: [String: String]) async -> Int32 {
        guard let listen = HostAndPort(environment[Variable.listen.rawValue] ?? "") else {
            tell("\(name): \(Variable.listen.rawValue) does not say where the service listens, such as 0.0.0.0:9464\n")
            return configurationExitCode
        }
        guard let fault = await HealthProbe.fault(at: listen) else { return 0 }
        tell("\(name): not ready: \(fault)\n")
        return 1
    }

    private static func printFaults(_ faults: ConfigurationFaults, of name: String) {
        tell("\(name): the configuration is not usable:\n" + faults.faults.map { "  \($0)\n" }.joined())
    }

    private static func tell(_ text: String) {
        FileLogOutput(descriptor: STDERR_FILENO).write(Array(text.utf8))
    }
}
