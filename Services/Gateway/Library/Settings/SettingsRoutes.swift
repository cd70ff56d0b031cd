import HTTPTypes
import People
import Postgres
import Routes
import Store
import WaterQuality
import Words

/// Routes of a person's settings for all of their devices.
enum SettingsRoutes {
    static let tag = "Settings"
    static let all = [show, change, timeZones]

    private static let show = Route<Caller>(
        .get, "/settings", id: "showSettings", tag: tag, access: .read, "Show my settings",
        answers: .json(.ok, .settings, headers: [.eTag])
    ) { caller, _ in
        try await caller.scope.transaction { transaction, account in try transaction.settings(of: account).answer }
    }

    private static let language = Input.optionalField(
        "language", .choice(Language.self), "The language of alerts and of answers that ask for none.")
    private static let timeZone = Input.optionalField(
        "timeZone", .text(1...64).example("Europe/Vienna"),
        "The time zone of times in alerts, by its name in the IANA database.")
    private static let throttle = Input.change(
        "throttleSeconds", .integer(60...86_400),
        "The interval in which a parameter gives at most one alert; null: the operator's.")
    private static let colourScheme = Input.optionalField(
        "colourScheme", .choice(AccountSettings.ColourScheme.self), "How applications look.")

    private static let name = Input.change(
        "name", .personName,
        "How others who share a device see the person; null: by the part of their address before the @.")

    private static let change = Route<Caller>(
        .patch, "/settings", id: "changeSettings", tag: tag, access: .write, "Change my settings",
        inputs: [Input<EntityTagCondition>.ifMatch, language, timeZone, throttle, colourScheme, name],
        answers: .json(.ok, .settings, headers: [.eTag])
    ) { caller, inputs in
        let condition = inputs[Input<EntityTagCondition>.ifMatch]
        let (language, timeZone) = (inputs[language], inputs[timeZone])
        let (throttle, colourScheme, name) = (inputs[throttle], inputs[colourScheme], inputs[name])
        return try await caller.scope.transaction { transaction, account in
            let current = try transaction.settings(of: account)
            try condition.requireMatch(current.tag)
            var next = current.settings
            if let language { next.locale = language.rawValue }
            if let timeZone {
                guard let zone = try transaction.execute(FindTimeZone(timeZone)).first else {
                    throw Problem(Self.timeZone, .unknownTimeZone)
                }
                next.timeZone = zone
            }
            next.throttleSeconds = throttle.applied(to: next.throttleSeconds.map { Int($0) }).map { Int32($0) }
            if let colourScheme { next.colourScheme = .known(colourScheme) }
            next.name = name.applied(to: next.name.flatMap(PersonName.init))?.text
            guard next != current.settings else { return current.answer }
            let changing = ChangeAccountSettings(account, version: current.version, next)
            guard try !transaction.execute(changing).isEmpty else {
                throw Problem(.preconditionFailed)  // another request was faster by a moment
            }
            return try transaction.settings(of: account).answer
        }
    }

    private static let timeZones = Route<Caller>(
        .get, "/time-zones", id: "listTimeZones", tag: tag, access: .read, "List the time zones that can be set",
        answers: .json(.ok, .list(of: .text)), limit: .heavy
    ) { caller, _ in
        try await caller.scope.transaction { transaction, _ in .value(try transaction.execute(ListTimeZones())) }
    }
}

extension Format where Value == PersonName {
    static let personName = Format.reading(
        "name", example: "Ada", count: 1...PersonName.longest
    ) { text throws(Fault) in
        guard let name = PersonName(text) else { throw .oneLine }
        return name
    }
}

extension Output where Value == ReadAccount.Row {
    fileprivate static let settings = Output.object(
        "Settings", "What the person set for all of their devices.",
        [
            .member("language", .choice(Language.self), "The language of alerts and of answers that ask for none.") {
                Language(locale: $0.settings.locale)
            },
            .member("timeZone", .text, "The time zone of times in alerts.", example: "Europe/Vienna") {
                $0.settings.timeZone
            },
            .member(
                "throttleSeconds", .optional(of: .integer),
                "The interval in which a parameter gives at most one alert; null: the operator's.", example: 1800
            ) { $0.settings.throttleSeconds.map { Int($0) } },
            .member("colourScheme", .choice(Word<AccountSettings.ColourScheme>.self), "How applications look.") {
                $0.settings.colourScheme
            },
            .member(
                "name", .optional(of: .text),
                "How others who share a device see the person; null: by the part of their address before the @.",
                example: "Ada"
            ) { $0.settings.name },
        ])
}

extension ReadAccount.Row {
    fileprivate var tag: EntityTag { EntityTag(version: Int64(version)) }

    fileprivate var answer: Answer<ReadAccount.Row> { .value(self, headers: [.eTag: tag.description]) }
}

extension PostgresTransaction {
    fileprivate func settings(of account: Account.ID) throws -> ReadAccount.Row {
        guard let row = try execute(ReadAccount(account)).first else { throw Problem(.unauthenticated) }
        return row
    }
}
