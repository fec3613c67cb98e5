import type { Base, BaseChange } from "../../api/knowledge.ts";

/** The languages whose stems the service knows; `simple` takes words as they are. */
type Language = Base["language"];
export const languages =
  "english simple arabic armenian basque catalan danish dutch finnish french german greek hindi hungarian indonesian irish italian lithuanian nepali norwegian portuguese romanian russian serbian spanish swedish tamil turkish yiddish".split(
    " ",
  ) as readonly Language[];

/** What was changed in the form of settings, and nothing else. */
export function settingsBody(base: Base, form: FormData, readers: string[] | null): BaseChange {
  const text = (name: string): string => String(form.get(name) ?? "").trim();
  const days = (name: string): number | null => (text(name) === "" ? null : Number(text(name)));
  const wanted = {
    name: text("name"),
    description: text("description"),
    language: text("language"),
    readers,
    settings: { chunk_length: Number(text("chunk_length")) },
    review_days: days("review_days"),
    version_days: days("version_days"),
    embedding: embeddingOf(base, text("embedding_connection"), text("embedding_model")),
    reranker: rerankerOf(base, text("reranker_connection"), text("reranker_model")),
  };
  const known: Readonly<Record<string, unknown>> = {
    ...base,
    embedding: base.embedding ?? null,
    reranker: base.reranker ?? null,
  };
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
  );
  return Object.fromEntries(changed) as BaseChange;
}

/** Of a reranker that stays the same, its interface stays too. */
function rerankerOf({ reranker }: Base, connection: string, model: string): Base["reranker"] {
  if (connection === "") return null;
  return reranker?.connection === connection && reranker.model === model ? reranker : { connection, model };
}

/** Of an embedding that stays the same, its dimensions and price stay too. */
function embeddingOf({ embedding }: Base, connection: string, model: string): Base["embedding"] {
  if (connection === "") return null;
  return embedding?.connection === connection && embedding.model === model ? embedding : { connection, model };
}
