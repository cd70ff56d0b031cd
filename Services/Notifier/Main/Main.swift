import Notifier
import PushClient
import ServiceKit

@main
enum Main {
    static func main() async {
        NameLookup.boundSystemWaits()
        await ServiceMain.run("aqua-notifier", read: NotifierConfiguration.init(reader:)) { configuration, facilities in
            [try Notifier(configuration, facilities)]
        }
    }
}
