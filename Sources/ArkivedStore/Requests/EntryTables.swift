/// The names of the tables for listing and looking up entries, defined only once.
enum EntryTables {
  static let activities = "activities"
  static let days = "days"
  static let activityTags = "activity_tags"
  static let tags = "tags"
  static let mentions = "mentions"
  static let persons = "persons"
  static let personNames = "person_names"
  static let attachments = "attachments"
  static let changes = "changes"
  static let history = "history"
}
