import Ingestor
import PublicHTTP
import ServiceKit

@main
enum Main {
    static func main() async {
        FileLimit.raise()
        await ServiceMain.run("aqua-ingestor", read: IngestorConfiguration.init(reader:)) { configuration, facilities in
            [try Ingestor(configuration, facilities)]
        }
    }
}
