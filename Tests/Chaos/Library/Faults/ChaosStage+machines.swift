import Glibc
import TestSupport

extension ChaosStage {
    /// Injects a breakdown of a cluster's machine, until it has power and network again. Failover and return have to
    /// happen without help.
    func inflict(_ breakdown: Fault.Breakdown, _ round: Round) async throws -> Infliction {
        guard let patroni else { preconditionFailure("A machine's fault is played where there are machines.") }
        try await patroni.untilWhole()
        let from = wallClock()
        let back: Duration
        switch breakdown {
        case .failover:
            let primary = try await patroni.primary()
            try await primary.powerOff()
            back = try await untilStored()
            try await Task.sleep(for: round.length)
            try await patroni.switchOn(primary)
        case .standbyDies:
            let standby = try await patroni.synchronousStandby()
            try await standby.powerOff()
            back = try await untilStored()
            try await Task.sleep(for: round.length)
            try await patroni.switchOn(standby)
        case .silentMachine:
            let primary = try await patroni.primary()
            try await primary.unplug()
            back = try await untilStored()
            try await Task.sleep(for: round.length)
            try await primary.plugIn()
        case .splitBrain:
            back = try await splitBrain(patroni, round)
        case .etcdDies:
            try await patroni.killEtcd()
            back = try await untilStored()
            try await Task.sleep(for: round.length)
            for machine in patroni.machines { try await machine.start("etcd") }
        }
        return Infliction(span: from...wallClock(), back: back)
    }

    /// The time until a reading that is measured now is stored.
    func untilStored() async throws -> Duration {
        let from = ContinuousClock.now
        try await withDeadline(.seconds(180), "a stored reading") { try await marker.report() }
        return .now - from
    }

    /// Starts the former primary by hand, behind the services' addresses, and restarts the services.
    private func splitBrain(_ patroni: PatroniCluster, _ round: Round) async throws -> Duration {
        let former = try await patroni.primary()
        try await former.powerOff()
        let back = try await untilStored()
        try await patroni.startAlone(former)
        patroni.putFirst(former)
        for program in Fault.Program.allCases { services.signal(program, SIGTERM) }
        try await patroni.untilEachServiceCame(to: former)
        try await Task.sleep(for: round.length)
        try await former.powerOff()
        try await patroni.switchOn(former)
        return back
    }
}
