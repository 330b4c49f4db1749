import ArkivedCore
import Foundation
import Testing

@Suite("The people whom a note still names")
struct NoteMentionTests {
  private static let meier = KnownPerson(id: UUID(), name: "Jonas Meier")
  private static let weber = KnownPerson(id: UUID(), name: "Jonas Weber")
  private static let al = KnownPerson(id: UUID(), name: "Al Short")
  private static let doctor = KnownPerson(id: UUID(), name: "Dr. Arne Holm")

  private func mention(_ person: KnownPerson) -> Mention {
    Mention(name: person.name, personID: person.id)
  }

  private func people(in note: String, before: KnownPerson...) -> [UUID?] {
    NoteMentions(people: [Self.meier, Self.weber, Self.al, Self.doctor])
      .mentions(in: note, before: before.map(mention)).map(\.personID)
  }

  @Test func aNameThatWasCorrectedIsNotTheFormerPerson() {
    #expect(people(in: "Lunch with Jonas Meier") == [Self.meier.id])
    #expect(people(in: "Lunch with Jonas Weber", before: Self.meier) == [Self.weber.id])
    #expect(people(in: "@Jonas_Weber calls back", before: Self.meier) == [Self.weber.id])
    // The first name alone still means who was meant before.
    #expect(people(in: "Lunch with Jonas", before: Self.meier) == [Self.meier.id])
    #expect(
      people(in: "Jonas Weber, and Jonas, came", before: Self.meier)
        == [Self.meier.id, Self.weber.id])
    // Somebody unknown with the same first name may be the same person under a new name.
    #expect(people(in: "Lunch with Jonas Blume", before: Self.meier) == [Self.meier.id])
  }

  @Test func aNameInsideAnotherWordIsNobody() {
    #expect(people(in: "Also alright", before: Self.al).isEmpty)
    #expect(people(in: "Met Al’s brother", before: Self.al) == [Self.al.id])
    #expect(people(in: "Als Buch", before: Self.al) == [Self.al.id])
    #expect(people(in: "(Al)", before: Self.al) == [Self.al.id])
  }

  @Test func aNameInTheGenitiveIsTheSamePerson() {
    for note in ["Read @Zoe's draft", "Read @Zoe’s draft"] {
      #expect(NoteMentions(people: []).mentions(in: note) == [Mention(name: "Zoe")])
    }
    #expect(people(in: "Read @Jonas.Weber's draft") == [Self.weber.id])
    #expect(NoteMentions(people: []).mentions(in: "@O'Neil") == [Mention(name: "O'Neil")])
  }

  @Test func aTitleAloneIsNobody() {
    #expect(people(in: "Dr. Weber was late", before: Self.doctor).isEmpty)
    #expect(people(in: "Arne was late", before: Self.doctor) == [Self.doctor.id])
    let teacher = KnownPerson(id: UUID(), name: "Frau Blum")
    #expect(people(in: "Frau Roth war da", before: teacher).isEmpty)
    #expect(people(in: "Blum war da", before: teacher) == [teacher.id])
  }

  @Test func namesInScriptsWithoutSpacesStay() {
    let person = KnownPerson(id: UUID(), name: "王小明")
    let found = NoteMentions(people: [person]).mentions(in: "和王小明吃饭", before: [mention(person)])
    #expect(found.map(\.personID) == [person.id])
  }
}
