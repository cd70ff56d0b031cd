import Foundation
import TestSupport

/// Plays a plan on a new stage.
struct ChaosRun: Sendable {
    let plan: Plan
    /// The number of the first round to play; earlier rounds are skipped.
    let first: Int

    /// Plays the plan and prints the report.
    func play(seed: UInt64) async throws -> ChaosReport {
        say("Starting servers, services and devices")
        return try await ChaosStage.with { stage in
            var report = ChaosReport(seed: seed)
            for round in plan.rounds.dropFirst(first - 1) {
                if let obstacle = stage.obstacle(to: round.fault) {
                    say("\(round): left out, \(obstacle)")
                    report.skipped[round.fault.name] = obstacle
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
            report.unexpectedEnds = stage.services.unexpectedEnds
            if !report.isClean { say("\(stage.services.tails)\n\(stage.system.cluster.logTails)") }
            print(report.text)
            return report
        }
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
            recovery.map { "well after \($0.inSeconds)" }, tally.isClean ? nil : "NOT AS IT SHOULD BE",
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }
}

/// Reports progress on the standard error: the standard output holds only the result.
func say(_ text: String) { FileHandle.standardError.write(Data("==> \(text)\n".utf8)) }
