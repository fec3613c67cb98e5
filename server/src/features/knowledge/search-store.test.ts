import { beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../db/reader.ts";
import { systemClock } from "../../kernel/clock.ts";
import { createIds } from "../../kernel/ids.ts";
import type { Environment } from "../../kernel/principal.ts";
import { useDatabase } from "../../testing/database.ts";
import { documentOf, insertBase, putDocuments, searchChunks } from "./public.ts";
import type { AddDocumentBody } from "./schemas.ts";

const database = useDatabase();
const newId = createIds(systemClock);
const at = new Date();
const author = "system:test";
const lookingIn = (environment: Environment) => ({
  scope: { organization: "default", environment },
  db: createReader(database.pool),
});

async function base(
  name: string,
  texts: AddDocumentBody[],
  options: { language?: string; environment?: Environment } = {},
): Promise<void> {
  const ctx = lookingIn(options.environment ?? "development");
  const made = { id: newId("kb"), language: options.language ?? "english" };
  await insertBase(ctx, { ...made, name, description: "", author, created_at: at });
  await putDocuments(
    ctx,
    made,
    texts.map((one) => documentOf({ newId }, one)),
    { author, at, deciders: [] },
  );
}
const find = async (query: string, bases = ["rules"], limit = 10, environment: Environment = "development") =>
  searchChunks(lookingIn(environment), bases, query, limit);
const titles = async (...given: Parameters<typeof find>): Promise<string[]> =>
  (await find(...given)).map(({ title }) => title);

describe("searching chunks", () => {
  beforeAll(async () => {
    await base("rules", [
      {
        external_id: "routing",
        title: "Routing",
        text: "Every lead goes to a team. Leads with a partner go to partners.",
      },
      { external_id: "prices", title: "Prices", text: "Every lead may be told the list prices of a team." },
      {
        external_id: "discounts",
        title: "Discounts",
        text: "Every lead may ask a team. A discount above ten percent is for the head of sales.",
      },
      { external_id: "hours", title: "Opening hours", text: "The team answers every lead from eight to six." },
      { external_id: "quotes", title: "Quoting", text: `O'Brien & sons | "(broken" :* \\ back <-> forth !` },
    ]);
    await base("german", [{ title: "Preise", text: "Die Häuser kosten mehr als die Wohnungen." }], {
      language: "german",
    });
    await base("words", [{ title: "Literal", text: "The houses stand." }], { language: "simple" });
    await base("rules", [{ title: "Elsewhere", text: "Every discount of staging." }], { environment: "staging" });
    await base("long", [
      { title: "Long", text: `A refund. ${"Something else entirely is said in this sentence. ".repeat(18)}` },
      { title: "Short", text: "A refund is made." },
      { title: "Titled refund", text: "It is made." },
    ]);
  });

  it("finds words by their stems, wherever in the question they stand", async () => {
    expect(await titles("Who decides about discounted prices?")).toEqual(["Prices", "Discounts"]);
  });

  it("counts a rare word more than one that is everywhere", async () => {
    expect((await titles("team lead team lead partner"))[0]).toBe("Routing");
    const [routing, other] = await find("lead partner");
    expect(routing?.score).toBeGreaterThan(3 * (other?.score ?? 0));
  });

  it("prefers the shorter of chunks that say it once, and one that says it in its title", async () => {
    expect(await titles("refund", ["long"])).toEqual(["Titled refund", "Short", "Long"]);
  });

  it("answers what callers cite: the chunk, its document and the base's name", async () => {
    const { rows } = await database.pool.query("select id from documents where external_id = 'hours'");
    expect(await find("opening answer")).toMatchObject([
      {
        id: `${rows[0].id}#1`,
        citation: expect.stringMatching(/^cit_/),
        base: "rules",
        document: rows[0].id,
        external_id: "hours",
        title: "Opening hours",
        text: "The team answers every lead from eight to six.",
        highlights: [{ start: 9, end: 16 }],
        score: expect.any(Number),
      },
    ]);
  });

  it("answers the best ones where there are more than asked for, and none of a number of none", async () => {
    expect(await titles("discount team lead", ["rules"], 1)).toEqual(["Discounts"]);
    expect(await titles("lead", ["rules"], 0)).toEqual([]);
  });

  it("reads each base by its own language, and several in one search", async () => {
    expect(await titles("Haus", ["german"])).toEqual(["Preise"]);
    expect(await titles("housing", ["words"])).toEqual([]);
    expect(await titles("houses", ["words"])).toEqual(["Literal"]);
    expect((await titles("houses Haus", ["german", "words", "rules", "absent"])).sort()).toEqual(["Literal", "Preise"]);
  });

  it("sees its own environment only", async () => {
    expect(await titles("discount", ["rules"], 10, "staging")).toEqual(["Elsewhere"]);
    expect(await titles("discount", ["rules"], 10, "production")).toEqual([]);
  });

  it("finds nothing by words that are everywhere in the language, by none, or by what is not there", async () => {
    for (const query of ["", "the of and", "submarine", "!!! ---"]) expect(await find(query)).toEqual([]);
  });

  it.each([
    ["a quote", "O'Brien"],
    ["operators", "sons | & ! (broken"],
    ["backslashes", "\\ ' '' :*"],
    ["a statement", "'); drop table chunks; --"],
    ["a word without end", "a".repeat(10_000)],
    ["a text without end", "brien ".repeat(5000)],
  ])("takes %s as words to look for", async (_what, query) => {
    expect(await titles(query)).toEqual(/brien|sons/i.test(query) ? ["Quoting"] : []);
  });
});
