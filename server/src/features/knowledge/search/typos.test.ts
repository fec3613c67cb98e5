import { beforeAll, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useDatabase } from "../../../testing/database.ts";
import { documentOf, insertBase, putDocuments } from "../public.ts";
import { search } from "./store.ts";

const database = useDatabase();
const scope = { organization: "default", environment: "development" } as const;
const looking = () => ({ scope, db: createReader(database.pool) });

/** More than a search looks for. */
const many = Array.from({ length: 40 }, (_none, at) => `granite${"abcdefgh"[at % 8]}${"klmno"[Math.floor(at / 8)]}`);

beforeAll(async () => {
  const [base, author, at] = [{ id: "kb_typos", language: "simple" }, "system:test", new Date()];
  await insertBase(looking(), { ...base, name: "typos", description: "", author, created_at: at });
  const document = documentOf({ newId: () => "doc_typos" } as never, {
    title: "",
    text: `The warehouse keeps a boat. ${many.join(" ")}`,
  });
  await putDocuments(looking(), base, [document], { author, at, deciders: [] });
});

it.each([
  ["two letters of a long word", "werehouze", ["warehouse"]],
  ["one letter of a short one", "keebs", ["keeps"]],
  ["not more of a long one", "warehoppers", []],
  ["not two of a short one", "keebz", []],
  ["nothing of a very short one, which is near to too many", "boad", []],
])("corrects %s", async (_what, query, expected) => {
  const { corrected } = await search(looking(), { query, bases: ["typos"], limit: 1, sight: [null] });
  expect(corrected.map(({ to }) => to)).toEqual(expected);
});

it("corrects no word that a base knows, however many there are", async () => {
  const { corrected } = await search(looking(), { query: many.join(" "), bases: ["typos"], limit: 1, sight: [null] });
  expect(corrected).toEqual([]);
});
