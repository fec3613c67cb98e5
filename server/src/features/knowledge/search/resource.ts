import { exempt } from "../../../kernel/operation.ts";
import { erasedWith, ownTables, passing, untilRemoved } from "../../../resources/tables.ts";

const withChunks = untilRemoved("Deleted with the chunks that they index.");

export const owned = ownTables({
  chunks: {
    keeps: untilRemoved("Deleted with their document, or once another index of the base has taken their place."),
    personal: {
      columns: ["title", "text", "headings", "lexemes", "corrected_from"],
      erased: erasedWith("documents"),
    },
  },
  chunk_indexes: { keeps: withChunks, personal: exempt("counts chunks and words") },
  chunk_postings: { keeps: withChunks, personal: { columns: ["term"], erased: erasedWith("chunks") } },
  chunk_terms: { keeps: withChunks, personal: { columns: ["term", "trigrams"], erased: erasedWith("chunks") } },
  chunk_vectors: { keeps: withChunks, personal: { columns: ["vector", "signs"], erased: erasedWith("chunks") } },
  base_embeddings: {
    keeps: untilRemoved("One row for each base that names a model, deleted with it."),
    personal: exempt("a lease, tokens, cost, and why the provider could not be asked"),
  },
  embedding_queue: {
    keeps: passing("The job that embeds chunks takes them out; those that the provider refused stay with the reason."),
    personal: exempt("names chunks"),
  },
});
