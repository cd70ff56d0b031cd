import Gateway
import PublicHTTP
import PushClient
import ServiceKit

@main
enum Main {
    static func main() async {
        FileLimit.raise()
        NameLookup.boundSystemWaits()
        await ServiceMain.run("aqua-gateway", read: GatewayConfiguration.init(reader:)) { configuration, facilities in
            [try Gateway(configuration, facilities)]
        }
    }
}
