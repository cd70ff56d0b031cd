/// The doctor's observation of one host of AQUA_DATABASE_URL.
struct ServerLook: Sendable {
    var host: String
    /// nil when the host could not be asked.
    var answer: InspectReplication.Row?
    /// Why the host could not be asked.
    var trouble = ""
}

/// Findings about several servers as a whole, from the observation of each.
struct ReplicationFindings {
    let looks: [ServerLook]
    /// Whether services remember over a restart which server they worked on.
    let keepsHistory: Bool

    private static let topic = "replication"
    /// patronictl with the configuration of `deploy/ha`.
    static let patronictl = "patronictl -c /etc/aquamonitor/patroni"
    /// In bytes. A standby that keeps up lacks the last milliseconds at most.
    private static let tolerableLag: Int64 = 16 << 20

    private var answers: [(host: String, row: InspectReplication.Row)] {
        looks.compactMap { look in look.answer.map { (look.host, $0) } }
    }
    private var writers: [(host: String, row: InspectReplication.Row)] { answers.filter { !$0.row.isStandby } }
    private var isSeveral: Bool { looks.count > 1 }

    /// All findings; none where no server answers, which the checks of the database report.
    var all: [Finding] {
        guard !answers.isEmpty else { return [] }
        return absent + differing + writing + following + durability + memory
    }

    private var absent: [Finding] {
        looks.filter { $0.answer == nil }.map { look in
            .wrong(
                Self.topic, "\(look.host) does not answer: \(look.trouble)",
                mend: "Start it, or take it out of AQUA_DATABASE_URL. While it is away it can take over from no other.")
        }
    }

    private var differing: [Finding] {
        guard Set(answers.map(\.row.system)).count > 1 else { return [] }
        let systems = answers.map { "\($0.host) has \($0.row.system)" }.joined(separator: ", ")
        return [
            .wrong(
                Self.topic,
                "the hosts of AQUA_DATABASE_URL hold different databases, by their system identifiers: \(systems)",
                mend: "Take out what does not belong there, here and for every service.")
        ]
    }

    private var writing: [Finding] {
        let writers = writers.sorted { ($0.row.timeline ?? 0) > ($1.row.timeline ?? 0) }
        guard let first = writers.first else {
            return [
                .wrong(
                    Self.topic, "no host of AQUA_DATABASE_URL can be written to",
                    mend:
                        "Start the primary. If it is lost, promote a standby, as a superuser there: SELECT pg_promote();"
                )
            ]
        }
        guard writers.count > 1, Set(writers.map(\.row.system)).count == 1 else {
            return [.ok(Self.topic, "\(first.host) is the primary, on timeline \(first.row.timeline ?? 0)")]
        }
        let list = writers.map { "\($0.host) (timeline \($0.row.timeline ?? 0))" }.joined(separator: ", ")
        let isClear = writers[1].row.timeline != first.row.timeline
        let wrong =
            isClear
            ? writers.dropFirst().map(\.host).joined(separator: " and ")
            : "the one that the other standbys do not follow"
        return [
            .wrong(
                Self.topic, "several servers can be written to: \(list); what one has stored is missing at the other",
                mend: "Stop \(wrong) at once, and let it follow the other (pg_rewind, or a copy by pg_basebackup). "
                    + "Services refuse the lower timeline once they have worked on the higher.")
        ]
    }

    private var following: [Finding] {
        guard let primary = writers.first else { return [] }
        return answers.filter { $0.row.isStandby && $0.row.system == primary.row.system }.map { standby in
            let lag = primary.row.position - standby.row.position
            guard standby.row.receives else {
                return .wrong(
                    Self.topic,
                    "\(standby.host) is a standby that follows nobody: what \(primary.host) commits does not reach it",
                    mend: "Its log says why. Where timelines part or WAL is missing, copy it anew "
                        + "(pg_basebackup; with Patroni: \(Self.patronictl) reinit).")
            }
            guard lag > Self.tolerableLag else {
                return .ok(Self.topic, "\(standby.host) is a standby, \(max(0, lag) >> 10) KiB behind")
            }
            return .wrong(
                Self.topic, "\(standby.host) is a standby, \(lag >> 20) MiB behind \(primary.host)",
                mend:
                    "Look in its log whether it receives, and at the network. If it takes over now, what it lacks is lost."
            )
        }
    }

    /// Whether acknowledged readings survive the loss of the primary.
    private var durability: [Finding] {
        guard let primary = writers.first else { return [] }
        let followers = primary.row.followers
        guard primary.row.synchronous.isEmpty else {
            return [.ok(Self.topic, "a commit waits for \(primary.row.synchronous)")]
        }
        guard !followers.isEmpty || isSeveral else { return [.ok(Self.topic, "there is one server, and no standby")] }
        let names = followers.isEmpty ? "" : " (\(followers.joined(separator: ", ")))"
        let finding =
            "no commit waits for a standby\(names): "
            + "readings that were acknowledged, receipts `stored` among them, are lost when it takes over before it has them"
        let mend =
            "With Patroni: \(Self.patronictl) edit-config --set synchronous_mode=true. Otherwise as a superuser run: "
            + "ALTER SYSTEM SET synchronous_standby_names = '\(example(followers))'; SELECT pg_reload_conf();"
        // With a single host named, a standby may be a copy for reading that never takes over.
        return [isSeveral ? .wrong(Self.topic, finding, mend: mend) : .notice(Self.topic, finding, mend: mend)]
    }

    private func example(_ followers: [String]) -> String {
        followers.isEmpty ? "*" : "ANY 1 (\(followers.map { "\"\($0)\"" }.joined(separator: ", ")))"
    }

    private var memory: [Finding] {
        guard isSeveral, !keepsHistory else { return [] }
        return [
            .notice(
                Self.topic,
                "AQUA_STATE_DIRECTORY is not set: services forget at a restart which server they worked on last, "
                    + "and do not refuse one that was left behind",
                mend: "Give each service a directory of its own that a restart leaves, and name it there and here.")
        ]
    }
}
