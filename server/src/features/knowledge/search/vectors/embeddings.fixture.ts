import { startWireServer, type WireRequest } from "../../../../runtime/models/providers/testing.ts";

/** Words that mean the same, and so have the same direction. */
const concepts = [
  ["car", "automobile", "vehicle"],
  ["refund", "money", "reimbursement"],
  ["cancel", "terminate", "end"],
  ["parcel", "package", "shipment"],
  ["late", "delayed", "overdue"],
];

/** A direction that depends on a text's words alone: a dimension for each concept, the others by a hash of the word. */
export function conceptVector(text: string, dimensions = 32): number[] {
  const vector = Array.from({ length: dimensions }, (_, at) => Math.sin(at + 1) * 1e-3);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const concept = concepts.findIndex((words) => words.includes(word));
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003;
    const at = concept >= 0 ? concept : concepts.length + (hash % (dimensions - concepts.length));
    vector[at] = (vector[at] as number) + (concept >= 0 ? 3 : 1);
  }
  return vector;
}

/** What the provider answers a request; null: vectors. */
export type Failing = (request: WireRequest, n: number) => { status: number; message: string } | null;

/** A server on loopback that speaks OpenAI's interface of embeddings. */
export function startEmbeddings(failing: Failing = () => null) {
  return startWireServer((request, n) => {
    const failure = failing(request, n);
    if (failure) return { status: failure.status, json: { error: { message: failure.message } } };
    const { input, dimensions, model } = request.body as { input: string[]; dimensions?: number; model: string };
    const data = input.map((text, index) => ({
      object: "embedding",
      index,
      embedding: conceptVector(text, dimensions),
    }));
    return {
      json: { object: "list", data, model, usage: { prompt_tokens: 7 * input.length, total_tokens: 7 * input.length } },
    };
  });
}
