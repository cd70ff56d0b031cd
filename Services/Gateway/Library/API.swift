package import Routes

/// The interface for people, their applications and integrators: every route, in the order of the page.
package enum GatewayAPI {
    package static let base = "/api/v1"

    package static func make() -> API<Caller> {
        API(
            title: "AquaMonitor", text: "Watches water: devices, readings, limits and alerts of the person who asks.",
            version: "1", base: base, tags: tags, routes: routes)
    }

    private static let tags: [API<Caller>.Tag] = [
        .init("Service", "About this service."),
        .init(AccountRoutes.tag, "Opening an account, and what belongs to it alone."),
        .init(SessionRoutes.tag, "Signing in and out."),
        .init(TokenRoutes.tag, "Tokens with which a person's programs act for them."),
        .init(DeviceRoutes.tag, "The devices that a person owns or watches."),
        .init(EnrolmentRoutes.tag, "Making devices, and new keys of devices."),
        .init(SharingRoutes.tag, "Several people, one device: an owner, and watchers whom the owner has invited."),
        .init(ProjectRoutes.tag, "Many devices that several people keep together: farms, shops, clubs."),
        .init(PlanRoutes.tag, "Pictures of sites with tanks on them."),
        .init(ParameterRoutes.tag, "Limits, units, colours and order of a device's parameters, for each person alone."),
        .init("Readings", "What devices have measured."),
        JournalRoutes.tag,
        CalibrationRoutes.tag,
        .init(KitRoutes.tag, "Values that people measure themselves, with kits and meters."),
        .init("Live", "What happens, while it happens."),
        AlertRoutes.tag,
        EndpointRoutes.tag,
        .init(ReminderRoutes.tag, "What is to be done for the water, and what was."),
        AuditRoutes.tag,
        OperationRoutes.tag,
        .init(SettingsRoutes.tag, "What a person sets for all of their devices."),
    ]

    /// Each subject lists its own routes.
    private static let routes: [Route<Caller>] = [
        ServiceRoutes.all,
        AccountRoutes.all,
        IdentityRoutes.all,
        PasswordResetRoutes.all,
        SessionRoutes.all,
        TokenRoutes.all,
        DeviceRoutes.all,
        ProbeRoutes.all,
        LifeRoutes.all,
        WorkRoutes.all,
        RejectRoutes.all,
        FirmwareRoutes.all,
        MapRoutes.all,
        PlanRoutes.all,
        EnrolmentRoutes.all,
        SharingRoutes.all,
        ProjectRoutes.all,
        ParameterRoutes.all,
        BackTestRoutes.all + ManyBackTestsRoutes.all,
        WhyRoutes.all,
        PresetRoutes.all,
        QuestionnaireRoutes.all,
        LatestRoutes.all,
        SeriesRoutes.all,
        CSVRoutes.all,
        MessageRoutes.all,
        DeletionRoutes.all,
        ApprovalRoutes.all,
        ReportRoutes.all,
        PublicPageRoutes.all,
        ReadPageRoute.all,
        JournalRoutes.all,
        KitRoutes.all,
        HandTestRoutes.all,
        LastTestsRoutes.all,
        HandSeriesRoutes.all,
        HandTestTable.all,
        CalibrationRoutes.all,
        CompanionRoutes.all,
        LiveRoutes.all,
        AlertRoutes.all,
        SnoozeRoutes.all,
        AnswerRoutes.all,
        ChainRoutes.all,
        EndpointRoutes.all,
        ReceiptRoutes.all,
        ReminderRoutes.all,
        CalendarFeedRoutes.all,
        SettingsRoutes.all,
        QuietHoursRoutes.all,
        SummaryRoutes.all,
        ExportRoutes.all,
        AuditRoutes.all.forProjects(),
        OperationRoutes.all,
    ].flatMap(\.self).map { $0.refusingViewers() }
}
