@main struct Arkived { static func main() {} }
