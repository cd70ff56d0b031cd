import Instants
import Postgres
import Store
import WaterQuality

/// The devices that people have of the same owners, and when each was heard last: what shows whether one fell silent with others.
struct Sites {
    static let none = Sites(rows: [], heard: [:])

    private struct Key: Hashable {
        var account: Account.ID
        var device: DeviceKey
    }

    private struct Site {
        var id: Int64
        var name: String?
        var devices: [DeviceKey] = []
    }

    private var sites: [Site] = []
    private var positions: [Key: Int] = [:]
    private let heard: [DeviceKey: SharedSilence.Heard]

    /// - Parameter rows: Those of a person and an owner beside each other.
    private init(rows: [FindSites.Row], heard: [DeviceKey: SharedSilence.Heard]) {
        self.heard = heard
        var last: FindSites.Row?
        for row in rows {
            if last?.account != row.account || last?.site != row.site {
                sites.append(Site(id: row.site, name: row.name))
            }
            sites[sites.count - 1].devices.append(row.device)
            positions[Key(account: row.account, device: row.device)] = sites.count - 1
            last = row
        }
    }

    /// Reads what is stored about the owners of devices that are found to be silent.
    static func load(
        of devices: [DeviceKey], listeningSince: Timestamp, policy: AlertPolicy, _ transaction: PostgresTransaction
    ) throws -> Sites {
        guard !devices.isEmpty else { return .none }
        var rows = try transaction.execute(FindSites(of: devices))
        // Of nobody who has fewer devices anything is told together.
        var counts: [[Int64]: Int] = [:]
        for row in rows { counts[[row.account.rawValue, row.site], default: 0] += 1 }
        rows = rows.filter { counts[[$0.account.rawValue, $0.site]]! >= SharedSilence.fewest }
        guard !rows.isEmpty else { return .none }
        let read = ReadHeard(Array(Set(rows.map(\.device))), silenceAfter: policy.silenceAfter)
        return Sites(
            rows: rows,
            heard: Dictionary(
                try transaction.execute(read).compactMap { row in
                    row.heard(listeningSince: listeningSince, policy: policy).map { (row.device, $0) }
                }, uniquingKeysWith: { $1 }))
    }

    /// The devices with which a silent one fell silent, as far as a person has them; `nil` where it did so alone.
    func sharedSilence(
        of device: DeviceKey, for account: Account.ID, listeningSince: Timestamp, now: Timestamp, policy: AlertPolicy
    ) -> (site: SilentSite, settlesAt: Timestamp)? {
        guard let position = positions[Key(account: account, device: device)], let own = heard[device] else {
            return nil
        }
        let site = sites[position]
        let others = site.devices.lazy.filter { $0 != device }.compactMap { heard[$0] }
        return SharedSilence.judge(
            own, among: Array(others), listeningSince: listeningSince, now: now, policy: policy
        ).map { (SilentSite(site: site.id, name: site.name, of: $0.of), $0.settlesAt) }
    }
}

extension ReadHeard.Row {
    /// - Returns: `nil` for a device that has never sent anything.
    fileprivate func heard(listeningSince: Timestamp, policy: AlertPolicy) -> SharedSilence.Heard? {
        var rhythm = rhythm
        if let heard {
            if rhythm == nil { rhythm = Rhythm(heard) }
            rhythm?.learn(heard, listeningSince: listeningSince)
        }
        guard let rhythm, let time = [heard?.last ?? rhythm.until, probeHeardAt].compactMap(\.self).max() else {
            return nil
        }
        return SharedSilence.Heard(
            at: time, usual: rhythm.usual(after: time), allowance: rhythm.allowance(after: time, policy).length)
    }
}
