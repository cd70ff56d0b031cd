import Instants
import Postgres
import Store
import WaterQuality

extension PostgresTransaction {
    /// Gathers the report of a tank that the person shares now.
    ///
    /// The transaction has the options of `SeriesRequest.transaction`: one snapshot, so that figures, alarms and approvals are of one moment.
    func report(
        of tank: Tank, named name: String, in period: Range<Timestamp>, for account: Account.ID
    ) throws -> PeriodReport {
        let device = DeviceKey(slot: tank.key.slot, device: tank.device)
        let lag = try execute(ReadClockLag(of: device)).first ?? .zero
        let covered = try execute(CountCoveredHours(of: device, in: period.lowerBound - lag..<period.upperBound - lag))
            .first
        let figures = try Parameter.allCases.compactMap { parameter in
            try self.figures(
                of: parameter, tank.hardwareID, in: period, hours: covered?[Int(parameter.rawValue)] ?? 0, for: account)
        }
        let approvals = try execute(
            PageApprovals(on: device, limit: PageApprovals.most, touching: period))
        let hours = Int((period.upperBound - period.lowerBound) / RollUpSchedule.hour)
        return PeriodReport(
            device: tank.hardwareID.text, name: name, period: period, hours: hours,
            approvedHours: PeriodReport.approvedHours(of: period, by: approvals), figures: figures,
            alerts: try alerts(of: tank, in: period, for: account), journal: try journal(of: tank, in: period),
            deletions: PeriodReport.Bounded(
                newest: try execute(PageDeletions(on: device, limit: PeriodReport.most + 1, touching: period))),
            approvals: PeriodReport.Bounded(newest: approvals))
    }

    /// - Returns: `nil` for a parameter that was not measured.
    private func figures(
        of parameter: Parameter, _ device: Device.HardwareID, in period: Range<Timestamp>, hours: Int,
        for account: Account.ID
    ) throws -> PeriodReport.Figures? {
        guard let subject = try execute(FindWatchSubject(parameter, of: device, for: account)).first else { return nil }
        let statistics = try SeriesRequest(period, points: 1).perform(of: subject, in: self).statistics
        guard statistics.count > 0 else { return nil }
        let scale = parameter.scale(chosen: subject.unit)
        return PeriodReport.Figures(
            parameter: parameter, scale: scale, statistics: statistics, hours: hours,
            minimum: subject.range.minimum.map(subject.range.shown),
            maximum: subject.range.maximum.map(subject.range.shown))
    }

    /// Alarms and their ends, oldest first.
    private func alerts(
        of tank: Tank, in period: Range<Timestamp>, for account: Account.ID
    ) throws -> PeriodReport.Bounded<ShownAlert> {
        let filter = PageAlerts.Filter(since: period.lowerBound, until: period.upperBound, device: tank.hardwareID)
        let told = try execute(PageAlerts(of: account, below: .newest, filter, limit: PeriodReport.most + 1))
        let kept = told.filter { [.alarm, .recovery, .past].contains($0.purpose.known) }
        return PeriodReport.Bounded(kept.map(ShownAlert.init), hasMore: told.count > PeriodReport.most)
    }

    private func journal(of tank: Tank, in period: Range<Timestamp>) throws -> PeriodReport.Bounded<JournalItem> {
        let filter = PageJournal.Filter(device: tank.hardwareID, tank: tank.key.tank)
        let place = PageJournal.Place(at: period.upperBound, id: JournalEntryID(rawValue: 0))
        let items = try execute(PageJournal(below: place, filter, limit: PeriodReport.most + 1))
            .filter { $0.at >= period.lowerBound }
        return PeriodReport.Bounded(newest: items)
    }
}
