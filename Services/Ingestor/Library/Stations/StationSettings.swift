import PushClient
package import PushTargets
package import ServiceKit
package import Stations

/// Settings for others' public stations: `AQUA_STATIONS`, `AQUA_USGS_KEY_FILE`, `AQUA_PUSH_ALLOW` and `AQUA_PUSH_CA_FILE`.
package struct StationSettings: Sendable {
    package var hosts: StationHosts
    package var allowed = PushAllowList()
    package var authorityFile: String?
    /// The key that the Geological Survey gives to whoever asks it often; nil where it is asked without one.
    package var surveyKey: Renewable<Secret>?
    /// Where hosts are, by their names; others than they themselves are for tests.
    package var origins: [String: String] = [:]
    /// The pause between two looks for a station that is due.
    package var interval = Duration.seconds(5)
    /// Stations that are asked at once: one that hangs holds up no other.
    package var running = 4
    /// The pause between two questions to one host.
    package var pauseOfHost = Duration.seconds(2)
    /// From a question to the head of its answer, and as long again for the rest.
    package var longestAnswer = Duration.seconds(20)

    package init(hosts: StationHosts) {
        self.hosts = hosts
    }
}

extension ConfigurationReader {
    /// Nil unless `AQUA_STATIONS` names a host.
    func stations() -> StationSettings? {
        let hosts = optional(.stations, parse: StationHosts.init) ?? .none
        let key = optionalRenewableSecret(.usgsKeyFile, minimumLength: 1)
        guard !hosts.isEmpty else { return nil }
        var settings = StationSettings(hosts: hosts)
        settings.allowed = optional(.pushAllow, parse: PushAllowList.init) ?? PushAllowList()
        settings.authorityFile = optionalFile(.pushCAFile)
        settings.surveyKey = key
        return settings
    }
}
