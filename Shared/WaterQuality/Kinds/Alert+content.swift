extension Alert {
    /// The content of an alert, by its kind: the one form of it from its row to its words. Values are in the parameter's canonical unit.
    package enum Content: Hashable, Sendable {
        case range(RangeContent)
        case silence(SilenceContent)
        case fault(FaultContent)
        case rate(RateContent)
        case ahead(AheadContent)
        case byHand(ByHandContent)
        case test
        case way(WayContent)
        case signIn(SignInContent)
        case summary(SummaryContent)
        case proof
        case care(CareContent)
        /// The content of an alert that only a newer version can tell: a kind, a parameter or a purpose that this version does not know.
        case other(kind: String, Word<Parameter>?)

        package var kind: Word<Kind> {
            switch self {
            case .range: .known(.range)
            case .silence: .known(.silence)
            case .fault: .known(.fault)
            case .rate: .known(.rate)
            case .ahead: .known(.ahead)
            case .byHand: .known(.byHand)
            case .test: .known(.test)
            case .way: .known(.way)
            case .signIn: .known(.signIn)
            case .summary: .known(.summary)
            case .proof: .known(.proof)
            case .care: .known(.care)
            case .other(let kind, _): Word(rawValue: kind)
            }
        }

        /// The parameter; `nil` for a test or a note, for the silence of a whole device, and for one that only a newer version knows.
        package var parameter: Parameter? {
            switch self {
            case .range(let content): content.parameter
            case .silence(let content): content.parameter
            case .fault(let content): content.parameter
            case .rate(let content): content.parameter
            case .ahead(let content): content.parameter
            case .byHand(let content): content.parameter
            case .test, .way, .signIn, .summary, .proof, .care: nil
            case .other(_, let parameter): parameter?.known
            }
        }

        /// The parameter as it is stored; `nil` for a test and for the silence of a whole device.
        package var subject: Word<Parameter>? {
            if case .other(_, let parameter) = self { parameter } else { parameter.map(Word.known) }
        }

        /// Whether the value is beyond the person's critical limit.
        package var isCritical: Bool {
            switch self {
            case .range(let content): content.isCritical
            case .byHand(let content): content.found?.isCritical ?? false
            default: false
            }
        }

        /// The content of kind range; `nil` for another kind.
        package var range: RangeContent? {
            if case .range(let content) = self { content } else { nil }
        }
    }
}

extension Alert.Content {
    /// Takes over newer values, while the alert is on its way. That it is critical or unstable stays.
    /// - Parameter ofSameEpisode: Whether they are of the episode that the alert tells of. That something goes on after work on the water
    ///   is said of that episode alone.
    package mutating func replaceText(by newer: Alert.Content, ofSameEpisode: Bool) {
        guard case .range(var content) = self, case .range(let newer) = newer else { return }
        content.value = newer.value
        content.worst = newer.worst
        content.checkProbe = newer.checkProbe
        content.isAfterWork = newer.isAfterWork || ofSameEpisode && content.isAfterWork
        // By the clock another limit may hold; a critical alert goes on to name the critical one.
        if newer.isCritical == content.isCritical {
            content.limit = newer.limit
            content.limitTime = newer.limitTime
        }
        self = .range(content)
    }
}

extension Alert.Content {
    /// The content of an episode's all-clear.
    /// - Returns: `nil` where something is missing that the kind must have.
    package init?(
        allClearOf kind: Alert.Kind, parameter: Parameter?, side: Side?, value: Float?, worst: Float?, limit: Float?,
        flatAt: Float?, differsBy: Float? = nil
    ) {
        switch (kind, parameter) {
        case (.range, let parameter?):
            guard let side, let value, let worst else { return nil }
            self = .range(RangeContent(parameter: parameter, side: side, value: value, worst: worst, limit: limit))
        case (.silence, let parameter): self = .silence(SilenceContent(parameter: parameter, checkProbe: false))
        case (.fault, let parameter?):
            self = .fault(FaultContent(parameter: parameter, flatAt: flatAt, differsBy: differsBy))
        case (.rate, let parameter?): self = .rate(RateContent(parameter: parameter))
        case (.ahead, let parameter?): self = .ahead(AheadContent(parameter: parameter))
        case (.byHand, let parameter?): self = .byHand(ByHandContent(parameter: parameter))
        case (.range, nil), (.fault, nil), (.rate, nil), (.ahead, nil), (.byHand, nil): return nil
        case (.test, _), (.way, _), (.signIn, _), (.summary, _), (.proof, _), (.care, _): return nil
        }
    }
}
