import ArgumentParser
import Notifier
import PushClient
import ServiceKit

/// The product's Notifier, which sends to other servers than Apple's and Google's. No variable of the product's moves those, and none is
/// to: this program sets what its configuration leaves to tests.
struct BenchNotifier: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifier", abstract: "Runs a Notifier for a measurement.", shouldDisplay: false)

    /// The program and its first argument.
    static let command = ["aqua-bench", "notifier"]

    @Option(help: "The origin of the server that stands in for Apple's.")
    var apple: String?
    @Option(help: "The origin of the server that stands in for Google's.")
    var google: String?

    func run() async throws {
        NameLookup.boundSystemWaits()
        await ServiceMain.run("aqua-notifier", arguments: []) { [apple, google] reader in
            var configuration = NotifierConfiguration(reader: reader)
            if let apple { configuration.apns?.server = apple }
            if let google { configuration.fcm?.server = google }
            return configuration
        } build: { configuration, facilities in
            [try Notifier(configuration, facilities)]
        }
    }
}
