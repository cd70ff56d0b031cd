import Mail
import Postgres
import PushTargets
import Secrets
import ServiceKit

/// Looks at the environment and at the files that it names. Each part is read by itself, so that one fault does not hide the
/// rest.
struct ConfigurationChecks {
    private(set) var findings: [Finding] = []
    /// nil after a fault.
    private(set) var database: DatabaseSettings?
    /// Whether services remember between restarts which database server they worked on.
    private(set) var keepsHistory = false
    private(set) var broker: BrokerSettings?
    private(set) var deviceKeys: DeviceKeys?
    private(set) var secretKeys: SecretKeys?
    private(set) var storage: StorageSettings?
    /// nil where no certificates are used, and after a fault.
    private(set) var fleet: FleetSettings?
    /// nil where no Gateway is named, and after a fault.
    private(set) var gateway: GatewaySettings?
    /// nil where no mail server is named, and after a fault.
    private(set) var mail: MailServer?
    /// nil after a fault.
    private(set) var browsers: BrowserSettings?

    private static let topic = "configuration"
    private var told: Set<ConfigurationFault> = []
    private var secrets: [(variable: Variable, secret: Secret)] = []

    init(_ complete: OperatorEnvironment) {
        // Unknown AQUA_ variables are reported once and then left out: each would be a fault of every reading below.
        _ = read(complete, nil) { _ in }
        let environment = OperatorEnvironment(complete.variables.filter { Variable(rawValue: $0.key) != nil })
        database = read(environment, "the database") { $0.database() }
        keepsHistory = read(environment, nil) { $0.optionalString(.stateDirectory) != nil } ?? false
        broker = read(environment, "the broker") { $0.broker() }
        fleet = read(environment, nil) { $0.fleet() } ?? nil
        storage = read(environment, nil) {
            StorageSettings(retention: $0.retention(), disk: $0.optional(.diskSize, parse: parseByteSize))
        }
        tellUnprotectedHosts()
        deviceKeys = read(environment, "the devices' master key") { $0.deviceKeys() } ?? nil
        secretKeys = read(environment, "the key of stored secrets") { $0.secretKeys() } ?? nil
        let allowed = read(environment, nil) { $0.pushTargetPolicy() }
        if let allowed { tellPushAllow(environment.variables[Variable.pushAllow.rawValue], allowed.allowed) }
        gateway = read(environment, nil, GatewaySettings.init) ?? nil
        mail = read(environment, nil) { MailServer($0, $0.brand()) } ?? nil
        browsers = read(environment, nil, BrowserSettings.init)
        _ = read(environment, nil) { $0.tokenKeys() }
        collectSecrets(environment)
        findWeakSecrets()
        findSharedSecrets()
        for stranger in Configuration.strangers(in: complete.variables) {
            findings.append(
                .notice(
                    Self.topic, "\(stranger) is no variable of AquaMonitor's",
                    mend: "Remove it, unless it is another program's."))
        }
    }

    private mutating func read<Value>(
        _ environment: OperatorEnvironment, _ name: String?, _ body: (ConfigurationReader) -> Value
    ) -> Value? {
        do {
            let value = try environment.read(body)
            if let name { findings.append(.ok(Self.topic, "\(name) is configured")) }
            return value
        } catch {
            for fault in error.faults where told.insert(fault).inserted {
                findings.append(
                    .wrong(
                        Self.topic, "\(fault.variable) \(fault.problem)",
                        mend: fault.remedy.prefix(1).uppercased() + fault.remedy.dropFirst() + "."))
            }
            return nil
        }
    }

    private mutating func tellUnprotectedHosts() {
        let hosts = database.flatMap { try? PostgresConfiguration($0).unprotectedHosts } ?? []
        guard !hosts.isEmpty else { return }
        findings.append(
            .wrong(
                Self.topic,
                "AQUA_DATABASE_URL leads to another machine (\(hosts.joined(separator: ", "))) without sslmode=verify-full: "
                    + "whoever is in between can read and change everything",
                mend: "Add ?sslmode=verify-full&sslrootcert=FILE to it, here and for every service."))
    }

    private mutating func tellPushAllow(_ list: String?, _ allowed: PushAllowList) {
        guard let list, !list.isEmpty else {
            findings.append(.ok(Self.topic, "AQUA_PUSH_ALLOW is empty: alerts go to public hosts on port 443 only"))
            return
        }
        guard !allowed.entries.contains(where: \.isWide) else {
            return findings.append(
                .wrong(
                    Self.topic,
                    "AQUA_PUSH_ALLOW is \(list): whoever registers an endpoint can have the notifier call nearly anything in your network",
                    mend: "Name the receivers alone, such as 192.168.1.20/32:8443, here and for the notifier."))
        }
        findings.append(
            .notice(
                Self.topic, "AQUA_PUSH_ALLOW is \(list): alerts may also go there",
                mend: "Keep only what you need; the notifier reads its own."))
    }

    private mutating func collectSecrets(_ environment: OperatorEnvironment) {
        for variable in [
            Variable.databasePasswordFile, .mqttPasswordFile, .deviceKeyFile, .secretKeyFile, .tokenKeyFile,
        ] {
            let lines = try? environment.read {
                $0.renewableSecrets(variable, minimumLength: 1, remedy: "") { $0.map(Secret.init) }?.current
            }
            secrets += (lines ?? nil ?? []).map { (variable, $0) }
        }
    }

    /// Finds secrets that are long enough and yet easy to guess.
    private mutating func findWeakSecrets() {
        for (variable, secret) in secrets where Set(secret.revealed).count < 8 {
            findings.append(
                .wrong(
                    Self.topic, "the secret of \(variable.rawValue) repeats a few characters",
                    mend: "Write another into that file, such as from: openssl rand -hex 32"))
        }
    }

    /// Finds secrets that serve two purposes: whoever learns one learns the other.
    private mutating func findSharedSecrets() {
        for (index, one) in secrets.enumerated() {
            for other in secrets[(index + 1)...] where other.secret == one.secret && other.variable != one.variable {
                findings.append(
                    .wrong(
                        Self.topic, "\(one.variable.rawValue) and \(other.variable.rawValue) hold the same secret",
                        mend: "Give each its own, such as from: openssl rand -hex 32"))
            }
        }
    }
}
