import Notifier
import ServiceKit

@main
enum Main {
    static func main() async {
        await ServiceMain.run("aqua-notifier", read: NotifierConfiguration.init(reader:)) { configuration, facilities in
            [try Notifier(configuration, facilities)]
        }
    }
}
