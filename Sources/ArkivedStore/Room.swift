import GRDB
let y = DatabaseQueue.self
