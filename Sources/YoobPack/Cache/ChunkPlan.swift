/// The chunks of a pack in the order in which they are fetched: by tier, then as listed, each once.
struct ChunkPlan: Sendable {
  /// Each chunk with the first tier that needs it.
  let chunks: [(chunk: CharacterManifest.File.Chunk, tier: Int)]
  /// Chunks of each tier, 0...3, that no earlier tier needs.
  let pending: [Int]
  /// Bytes of all chunks, each counted once.
  let totalBytes: Int

  init(_ manifest: CharacterManifest) {
    var chunks: [(chunk: CharacterManifest.File.Chunk, tier: Int)] = []
    var seen = Set<String>()
    var pending = [0, 0, 0, 0]
    for tier in 0..<pending.count {
      for file in manifest.files where file.tier == tier {
        for chunk in file.chunks where seen.insert(chunk.sha256).inserted {
          chunks.append((chunk, tier))
          pending[tier] += 1
        }
      }
    }
    self.chunks = chunks
    self.pending = pending
    totalBytes = chunks.reduce(0) { $0 + $1.chunk.size }
  }
}
