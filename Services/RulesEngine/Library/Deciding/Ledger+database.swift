import Instants
import Postgres
import Store
import WaterQuality

/// The stored state of some watches.
struct StoredWatches: Sendable {
    var episodes: [LoadOpenEpisodes.Row] = []
    var throttles: [LoadThrottles.Row] = []
    var snoozes: [LoadSnoozes.Row] = []
    /// Of kind range, where the last episodes matter.
    var recent: [LoadRecentEpisodes.Row] = []
    /// The people who have a usable endpoint.
    var recipients: [Recipient] = []
}

extension Ledger {
    /// Reads what is stored of watches of some kinds: open episodes, charges and snoozes of these devices, and which of these
    /// people can be reached.
    /// - Parameters:
    ///   - recent: The watches of which the last episodes matter, each with the time from which on beginnings count.
    ///   - mostAnHour: How many messages a person is told within an hour.
    mutating func load(
        _ kinds: [Alert.Kind], of devices: [DeviceKey], for people: Set<Account.ID>,
        recent: [(key: WatchKey, since: Timestamp)] = [], mostAnHour: Int?, _ transaction: PostgresTransaction
    ) throws {
        guard !devices.isEmpty else { return }
        load(
            StoredWatches(
                episodes: try transaction.execute(LoadOpenEpisodes(devices, kinds: kinds)),
                throttles: try transaction.execute(LoadThrottles(devices, kinds: kinds)),
                snoozes: try transaction.execute(LoadSnoozes(devices, kinds: kinds)),
                recent: recent.isEmpty ? [] : try transaction.execute(LoadRecentEpisodes(recent)),
                recipients: try transaction.recipients(among: people, of: devices, most: mostAnHour)))
    }

    /// Reads which of the people of some watches can be reached, and what is gathered for them; their bound does not hold for what is over.
    mutating func load(_ subjects: [Subject], _ transaction: PostgresTransaction) throws {
        let devices = Array(Set(subjects.map(\.device)))
        load(
            StoredWatches(
                recipients: try transaction.recipients(
                    among: Set(subjects.map(\.account)), of: devices, most: nil)))
    }

    /// Writes everything. Alerts are locked before throttles, as the notifier locks them.
    func write(_ transaction: PostgresTransaction) throws -> ReservedNumbers {
        var numbers = ReservedNumbers.none
        if newEpisodes > 0 || !alerts.isEmpty {
            numbers = ReservedNumbers(
                try transaction.execute(ReserveNumbers(episodes: newEpisodes, alerts: alerts.count)))
        }
        if !reopened.isEmpty { try transaction.perform(CancelRecoveries(reopened)) }
        let episodes = episodes
        if !episodes.isEmpty { try transaction.perform(WriteEpisodes(episodes, numbers)) }
        if !transitions.isEmpty { try transaction.perform(AddTransitions(transitions, numbers)) }
        let replacements = textReplacements
        if !replacements.isEmpty { try transaction.perform(ReplaceAlertTexts(replacements, numbers)) }
        let charges = throttleCharges.map {
            ChargeThrottles.Charge(subject: $0.subject, side: $0.side, at: $0.at, alert: numbers[$0.alert])
        }
        if !charges.isEmpty { try transaction.perform(ChargeThrottles(charges)) }
        if !alerts.isEmpty { try transaction.perform(AddAlerts(alerts, numbers)) }
        let untold = untoldEpisodes
        if !untold.isEmpty { try transaction.perform(BeginEscalations(untold)) }
        if !gatherings.isEmpty { try transaction.perform(BeginGatherings(gatherings)) }
        return numbers
    }
}
