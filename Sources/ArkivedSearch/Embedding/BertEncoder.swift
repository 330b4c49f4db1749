import CKernels

/// Runs a BERT encoder over batches of texts on one thread.
///
/// The texts of a batch are contiguous, without padding: products are computed over all their
/// tokens at once, and attention over the tokens of each text.
struct BertEncoder: ~Copyable {
  private let shape: BertShape
  private let weights: BertWeights
  private let kernels: ck_kernels
  private let room: Room

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - shape: the sizes of the model.
  ///   - weights: the model's weights.
  ///   - tokens: the largest number of tokens in a batch.
  ///   - longest: the largest number of tokens in a text.
  init(shape: BertShape, weights: BertWeights, tokens: Int, longest: Int) {
    self.shape = shape
    self.weights = weights
    kernels = ck_kernels_best().pointee
    room = Room(shape: shape, tokens: tokens, longest: longest)
  }

  /// Appends a unit vector for each text: the mean of its tokens' vectors, normalised to length 1.
  ///
  /// - Parameters:
  ///   - texts: the tokens of each text; at least one, all of them in the vocabulary, and no more
  ///     than the allocated room allows.
  ///   - model: the bytes of the weights' file.
  ///   - vectors: receives the vectors.
  func append(
    vectorsOf texts: some Collection<[Int32]>, model: UnsafeRawBufferPointer,
    to vectors: inout [Float]
  ) {
    let tokens = texts.reduce(0) { $0 + $1.count }
    precondition(tokens <= room.tokens && texts.allSatisfy { $0.count <= room.longest })
    let pass = Pass(
      kernels: kernels, shape: shape, isPacked: weights.isPacked, tokens: tokens, model: model,
      room: room.borrowed)
    pass.look(up: texts, in: weights)
    for layer in weights.layers { pass.run(layer, texts: texts) }
    for (start, text) in zip(starts(of: texts), texts) {
      let mean = [Float](unsafeUninitializedCapacity: shape.width) { buffer, count in
        if let base = buffer.baseAddress {
          kernels.unit_mean(
            room.borrowed.hidden + start * shape.width, text.count, shape.width, base)
        }
        count = shape.width
      }
      vectors.append(contentsOf: mean)
    }
  }
}

/// Returns the index of the first token of each text.
private func starts(of texts: some Collection<[Int32]>) -> [Int] {
  var start = 0
  return texts.map { text in
    defer { start += text.count }
    return start
  }
}

/// Memory for the intermediate results of a batch, reused by the next.
private struct Room: ~Copyable {
  let tokens: Int
  let longest: Int
  let borrowed: Pointers

  struct Pointers {
    let hidden: UnsafeMutablePointer<Float>
    let next: UnsafeMutablePointer<Float>
    /// The values of the feed-forward part; before that, the queries, keys, values and context.
    let inner: UnsafeMutablePointer<Float>
    let scores: UnsafeMutablePointer<Float>
    /// The packed weights in use.
    let panel: UnsafeMutablePointer<Float>
  }

  init(shape: BertShape, tokens: Int, longest: Int) {
    self.tokens = tokens
    self.longest = longest
    borrowed = Pointers(
      hidden: Room.floats(tokens * shape.width), next: Room.floats(tokens * shape.width),
      inner: Room.floats(tokens * max(shape.inner, 4 * shape.width)),
      scores: Room.floats(Int(CK_SCORE_ROWS) * ((longest + 15) / 16 * 16)),
      panel: Room.floats(Int(CK_PANEL_FLOATS)))
  }

  /// Returns memory for floats aligned to a cache line, where loads of whole vectors are fastest.
  private static func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
    UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
      .bindMemory(to: Float.self, capacity: count)
  }

  deinit {
    borrowed.hidden.deallocate()
    borrowed.next.deallocate()
    borrowed.inner.deallocate()
    borrowed.scores.deallocate()
    borrowed.panel.deallocate()
  }
}

/// The pass of one batch through the layers.
private struct Pass {
  let kernels: ck_kernels
  let shape: BertShape
  let isPacked: Bool
  let tokens: Int
  let model: UnsafeRawBufferPointer
  let room: Room.Pointers

  private func floats(_ offset: Int) -> UnsafePointer<Float> {
    // The access is in bounds and aligned, because every tensor was checked when the file was
    // opened.
    let bytes = UnsafeRawBufferPointer(rebasing: model[offset...])
    return bytes.assumingMemoryBound(to: Float.self).baseAddress.unsafelyUnwrapped
  }

  private func packed(_ offset: Int) -> UnsafePointer<UInt8> {
    let bytes = UnsafeRawBufferPointer(rebasing: model[offset...])
    return bytes.assumingMemoryBound(to: UInt8.self).baseAddress.unsafelyUnwrapped
  }

  private func apply(
    _ linear: BertWeights.Linear, to x: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>
  ) {
    if isPacked {
      kernels.packed_linear(
        x, tokens, linear.inputs, packed(linear.weight), floats(linear.bias), linear.outputs,
        room.panel, y)
    } else {
      kernels.linear(
        x, tokens, linear.inputs, floats(linear.weight), floats(linear.bias), linear.outputs, y)
    }
  }

  private func normalise(
    _ x: UnsafeMutablePointer<Float>, adding residual: UnsafePointer<Float>,
    _ norm: BertWeights.Norm
  ) {
    kernels.layer_norm(
      x, residual, tokens, shape.width, floats(norm.gain), floats(norm.bias), BertShape.epsilon)
  }

  /// Computes each token's vector from its piece, its position and its text.
  func look(up texts: some Collection<[Int32]>, in weights: BertWeights) {
    let width = shape.width
    let types = floats(weights.types)
    var hidden = room.hidden
    var next = room.next
    for text in texts {
      for (place, token) in text.enumerated() {
        if isPacked {
          let rowBytes = width / Int(CK_BLOCK_VALUES) * Int(CK_BLOCK_BYTES)
          kernels.unpack(packed(weights.words) + Int(token) * rowBytes, width, hidden)
        } else {
          hidden.update(from: floats(weights.words) + Int(token) * width, count: width)
        }
        let position = floats(weights.positions) + place * width
        for index in 0..<width { next[index] = position[index] + types[index] }
        hidden += width
        next += width
      }
    }
    normalise(room.hidden, adding: room.next, weights.norm)
  }

  func run(_ layer: BertWeights.Layer, texts: some Collection<[Int32]>) {
    let size = tokens * shape.width
    let (query, key, value) = (room.inner, room.inner + size, room.inner + 2 * size)
    let context = room.inner + 3 * size
    apply(layer.query, to: room.hidden, into: query)
    apply(layer.key, to: room.hidden, into: key)
    apply(layer.value, to: room.hidden, into: value)
    for (start, text) in zip(starts(of: texts), texts) {
      let from = start * shape.width
      kernels.attention(
        query + from, key + from, value + from, text.count, shape.heads,
        shape.width / shape.heads, room.scores, context + from)
    }
    apply(layer.attended, to: context, into: room.next)
    normalise(room.next, adding: room.hidden, layer.attendedNorm)
    apply(layer.inner, to: room.next, into: room.inner)
    kernels.gelu(room.inner, tokens * shape.inner)
    apply(layer.output, to: room.inner, into: room.hidden)
    normalise(room.hidden, adding: room.next, layer.outputNorm)
  }
}
