import Testing

@Test func temporary() {}
