import Gateway

@main
enum Main {
    static func main() {}
}
