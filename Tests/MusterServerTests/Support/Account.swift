/// A user who has signed up.
struct Account {
    let id: String
    let username: String
    let password: String
    let name: String
    let token: String
}
