package import ServiceKit

/// The settings for sending to apps on Android devices, by Firebase Cloud Messaging.
package struct FCMSettings: Sendable {
    package var account: Renewable<ServiceAccount>
    /// The origin of Google's server.
    package var server: String

    package init(account: Renewable<ServiceAccount>, server: String = "https://fcm.googleapis.com") {
        self.account = account
        self.server = server
    }

    /// - Returns: nil where nothing is set, or something is wrong.
    init?(_ reader: ConfigurationReader) {
        let account = reader.optionalRenewableDocument(
            .fcmKeyFile, content: "key of a Google service account (JSON)", parse: ServiceAccount.init(file:))
        guard let account else { return nil }
        self.init(account: account)
    }
}
