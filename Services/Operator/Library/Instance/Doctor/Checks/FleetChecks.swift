import Instants
import Secrets
import ServiceKit

/// Looks at what the broker judges the fleet's certificates by, and at the listener for them.
struct FleetChecks {
    let settings: FleetSettings
    let clock: WallClock

    private static let topic = "certificates"

    func run() async -> [Finding] {
        var findings = files()
        guard let listener = settings.listener else { return findings }
        switch await listener.knock(as: nil) {
        case .admitted:
            findings.append(
                .wrong(
                    Self.topic, "the broker's listener for certificates admits somebody without one",
                    mend: "Let deploy/broker/init write its configuration, and restart it."))
        case .refused, .revoked:
            findings.append(.ok(Self.topic, "the broker's listener for certificates refuses somebody without one"))
        case .unreachable(let reason):
            findings.append(
                .wrong(
                    Self.topic,
                    "the broker's listener for certificates, \(listener.address), does not answer: \(reason)",
                    mend: "Start the broker with --certificates-listen, or correct AQUA_FLEET_URL."))
        }
        return findings
    }

    private func files() -> [Finding] {
        let (authority, list): (Certificate, RevocationList)
        do {
            authority = try Certificate(reading: TextFile.read(settings.authorityFile))
            list = try RevocationList(reading: TextFile.read(settings.listFile))
        } catch {
            return [
                .wrong(
                    Self.topic, "authority.pem and revoked.pem of \(settings.directory) cannot both be read: \(error)",
                    mend: "Write them: aqua certificate authority --directory DIR")
            ]
        }
        guard (try? list.isSigned(by: authority)) == true else {
            return [
                .wrong(
                    Self.topic,
                    "the list of revoked certificates is not of the fleet's authority, so that the broker admits nobody",
                    mend: "Write it: aqua certificate authority --directory DIR")
            ]
        }
        let now = clock.now()
        guard list.made <= now else {
            return [
                .wrong(
                    Self.topic,
                    "the list of the fleet's revoked certificates begins only at \(list.made.iso8601), so that the broker admits nobody",
                    mend:
                        "Correct this machine's clock, or write the list anew: aqua certificate authority --directory DIR"
                )
            ]
        }
        func judged(_ what: String, _ life: Range<Timestamp>, mend: String) -> Finding {
            CertificateCheck(
                topic: Self.topic, what: what, renewal: .byHand(wrongBelow: 30, noticeBelow: 180), mend: mend
            ).judge(life, now: now)
        }
        return [
            judged(
                "the authority of the fleet's certificates", authority.validity,
                mend: "Make another authority in time, and give each device a certificate of it."),
            judged(
                "the list of the fleet's revoked certificates, without which the broker admits nobody,",
                list.made..<max(list.made, list.end), mend: "Write it anew: aqua certificate authority --directory DIR"),
        ]
    }
}
