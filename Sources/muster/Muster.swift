@main
enum Muster {
    static func main() {}
}
