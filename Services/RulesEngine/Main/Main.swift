import RulesEngine
import ServiceKit

@main
enum Main {
    static func main() async {
        await ServiceMain.run("aqua-rules", read: RulesConfiguration.init(reader:)) { configuration, facilities in
            [try RulesEngine(configuration, facilities)]
        }
    }
}
