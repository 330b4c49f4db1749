import ArkivedCore
import Testing

/// Sums of money and amounts whose point or space may mark thousands.
@Suite struct QuickAddThousandTests {
  @Test func readsThousandsOnlyWhereTheyAreCertain() throws {
    try QuickAddTable.check(
      """
      rent €1.234,56 => rent €1.234,56 | 1234.56 €
      rent 1.234,56 € => rent 1.234,56 € | 1234.56 €
      new car €12.500 => new car €12.500
      petrol 1.659 € => petrol 1.659 €
      shares $0.125 => shares $0.125 | 0.125 $
      rent 1 250 € => rent 1 250 €
      kitchen $12 500 => kitchen $12 500
      latte $5 300 kcal => latte $5 300 kcal | 5 $ | 300 kcal
      """)
  }

  @Test func readsGermanThousandsAndMillions() throws {
    try QuickAddTable.check(
      """
      Miete 1.250 € => Miete 1.250 € | 1250 €
      Miete 1.250,50 € => Miete 1.250,50 € | 1250.5 €
      Haus gekauft, 1.250.000 € => Haus gekauft, 1.250.000 € | 1250000 €
      8.000.000 Schritte => 8.000.000 Schritte | 8000000 steps
      0.500 km geschwommen => 0.500 km geschwommen | 0.5 km
      Diesel 1,659 € => Diesel 1,659 € | 1.659 €
      """, language: .german)
  }
}
