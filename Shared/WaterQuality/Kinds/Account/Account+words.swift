import Words

extension WayContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        let name = isBrowser ? notice.text("way_browser", in: language, ["host": name]) : name
        let failure =
            switch failure {
            case .refused: notice.text("way_refused", in: language, ["status": status ?? ""])
            case .unanswered: notice.text("way_unanswered", in: language)
            case .unconfirmed: notice.text("way_unconfirmed", in: language)
            case .unsent: notice.text("way_unsent", in: language)
            case .gone: notice.text("way_gone", in: language)
            case .moved: notice.text("way_moved", in: language)
            }
        let action = notice.text(self.failure == .moved ? "way_back" : "way_action", in: language)
        return (notice.text("way", in: language, ["name": name]), language.joined([failure, action]))
    }
}

extension SignInContent {
    func words(_ notice: Notice, in language: Language) -> Notice.Words {
        (
            notice.text("signIn", in: language),
            language.joined([
                client.map { notice.text("signIn_client", in: language, ["client": $0]) }
                    ?? notice.text("signIn_unknown", in: language),
                notice.text("signIn_action", in: language),
            ])
        )
    }
}
