import Foundation
import TestSupport

/// Plays a plan on a new stage.
struct ChaosRun: Sendable {
    let plan: Plan
    /// The number of the first round to play; earlier rounds are skipped.
    let first: Int

    /// Plays the plan and prints the report.
    func play(seed: UInt64) async throws -> ChaosReport {
        var report = ChaosReport(seed: seed)
        for ground in Fault.Ground.allCases where !report.isOver {
            let rounds = plan.rounds.dropFirst(first - 1).filter { $0.fault.ground == ground }
            guard !rounds.isEmpty else { continue }
            if let obstacle = ground.obstacle {
                for round in rounds { report.leaveOut(round, obstacle) }
                continue
            }
            say("Starting servers, services and devices")
            let before = report
            report = try await ChaosStage.with(ground) { try await play(rounds, on: $0, before) }
        }
        print(report.text)
        return report
    }

    private func play(_ rounds: [Round], on stage: ChaosStage, _ before: ChaosReport) async throws -> ChaosReport {
        var report = before
        for round in rounds {
            if let obstacle = stage.obstacle(to: round.fault) {
                report.leaveOut(round, obstacle)
                continue
            }
            let result: RoundResult
            do { result = try await stage.play(round) } catch is CancellationError {
                say("\(round): cut short")
                report.isCutShort = true
                break
            } catch {
                result = RoundResult(round: round, failed: error)
            }
            report.add(result)
            say("\(round): \(result.line)")
            for finding in result.tally.findings.prefix(20) { say("    \(finding)") }
            guard result.recovery != nil else { break }
        }
        report.unexpectedEnds += stage.services.unexpectedEnds
        if !report.isClean {
            say(
                [stage.services.tails, stage.system.cluster.logTails, stage.patroni?.logTails ?? ""].joined(
                    separator: "\n"))
        }
        return report
    }
}

extension Fault.Ground {
    /// The reason why it is not available here; nil if it is.
    fileprivate var obstacle: String? {
        switch self {
        case .oneServer: nil
        case .machines: Lan.obstacle
        }
    }
}

extension ChaosReport {
    fileprivate mutating func leaveOut(_ round: Round, _ obstacle: String) {
        say("\(round): left out, \(obstacle)")
        skipped[round.fault.name] = obstacle
    }
}

extension RoundResult {
    /// A round that the suite could not complete.
    fileprivate init(round: Round, failed error: any Error) {
        self.init(round: round, tally: Tally(), recovery: nil)
        tally.note(\.unrecovered, "\(round.fault.name) was not played to its end: \(error)")
    }

    /// One line on a round.
    fileprivate var line: String {
        let words = [
            "\(tally.handedOver) readings", "\(tally.alertsExpected) alerts",
            tally.duplicates > 0 ? "\(tally.duplicates) repeated" : nil,
            tally.lostWithoutReceipt > 0 ? "\(tally.lostWithoutReceipt) lost by the broker" : nil,
            back.map { "stored again after \($0.inSeconds)" }, recovery.map { "well after \($0.inSeconds)" },
            tally.isClean ? nil : "NOT AS IT SHOULD BE",
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }
}

/// Reports progress on the standard error: the standard output holds only the result.
func say(_ text: String) { FileHandle.standardError.write(Data("==> \(text)\n".utf8)) }
