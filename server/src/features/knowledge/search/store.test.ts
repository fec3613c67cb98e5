import { beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { createIds } from "../../../kernel/ids.ts";
import type { Environment } from "../../../kernel/principal.ts";
import { useDatabase } from "../../../testing/database.ts";
import { documentOf, insertBase, putDocuments, searchChunks } from "../public.ts";
import type { AddDocumentBody } from "../schemas.ts";

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
    await base(
      "german",
      [
        { title: "Preise", text: "Die Häuser kosten mehr als die Wohnungen." },
        { title: "Team", text: "Unser Know-how: how to lead a team. Do it." },
      ],
      { language: "german" },
    );
    await base("boats", [
      { title: "Boat", text: "Submarine." },
      { title: "Other", text: "Nothing else." },
      { title: "More", text: "Nothing more." },
    ]);
    await base("boote", [{ title: "Boat", text: "Submarine." }], { language: "german" });
    await base("manual", [
      { title: "Settings", text: "Set max_wal_size in the file. Then call fastify.register for it." },
      { title: "Sizes", text: "The size of a wal is the most that a max allows." },
      { title: "返品について", text: "商品の返品期限は三十日です。" },
    ]);
    await base("mixed", [
      {
        title: "Rechnungen",
        text: "Die Rechnungen werden am Ende des Monats mit der Post an alle Kunden versandt. Wer nicht bezahlt hat, wird nach zwei Wochen noch einmal erinnert.",
      },
      {
        title: "Invoices",
        text: "The invoices are sent by mail at the end of the month to all of the customers. Who has not paid is reminded once more after two weeks.",
      },
      { title: "Given", text: "Rezepte.", language: "german" },
      { title: "Счета", text: "Счета отправляются клиентам по почте в конце месяца." },
    ]);
    await base(
      "backups",
      [
        { title: "Sicherung", text: "Die Sicherung der Datenbank läuft in jeder Nacht." },
        { title: "Wartung", text: "Die Wartungsarbeiten dauern eine Stunde." },
        { title: "Bank", text: "Die Bank ist am Montag geschlossen, die Daten auch." },
      ],
      { language: "german" },
    );
    await base("mail", [
      { title: "Incoming", text: "You receive a receipt for each parcel." },
      { title: "Outgoing", text: "We recite nothing." },
    ]);
    const said = "A ferry leaves. ";
    await base("ferries", [
      { title: "Long", text: `${said.repeat(60)}\n\n`.repeat(6) },
      ...["A", "B", "C", "D", "E", "F", "G", "H"].map((title) => ({
        title,
        text: `${title} ferry runs on each day of the week but Sunday.`,
      })),
    ]);
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

  it("reads each document in its own language, whatever its base's is", async () => {
    expect(await titles("Rechnung", ["mixed"])).toEqual(["Rechnungen"]);
    expect(await titles("invoice", ["mixed"])).toEqual(["Invoices"]);
    expect(await titles("nichts als das Rezept", ["mixed"])).toEqual(["Given"]);
    expect((await find("Rechnungen bezahlt", ["mixed"]))[0]?.highlights).toHaveLength(2);
    const { rows } = await database.pool.query(
      "select title, coalesce(language, found_language) as language from documents where base = (select id from knowledge_bases where name = 'mixed') order by title",
    );
    expect(rows).toEqual([
      { title: "Given", language: "german" },
      { title: "Invoices", language: null },
      { title: "Rechnungen", language: "german" },
      { title: "Счета", language: "russian" },
    ]);
    expect(await titles("счёт за услуги счета", ["mixed"])).toEqual(["Счета"]);
  });

  it("finds a compound by its parts, and parts by their compound", async () => {
    expect((await titles("Datenbanksicherung", ["backups"]))[0]).toBe("Sicherung");
    expect((await titles("Wie sind die Arbeiten der Wartung?", ["backups"]))[0]).toBe("Wartung");
  });

  it("corrects two letters that are swapped", async () => {
    expect(await titles("recieve", ["mail"])).toEqual(["Incoming"]);
  });

  it("leaves the first ten to several documents, and one alone all of them", async () => {
    const found = await titles("ferry leaves", ["ferries"], 12);
    expect(found.slice(0, 3)).toEqual(["Long", "Long", "Long"]);
    expect(found.slice(3, 10)).not.toContain("Long");
    expect(found.length).toBeGreaterThan(10);
    expect((await titles('"ferry leaves"', ["ferries"])).length).toBeGreaterThan(3);
  });

  it("lets words that say nothing in the question's language count in no base", async () => {
    expect((await titles("how do partners get a lead", ["rules", "german"]))[0]).toBe("Routing");
    expect(await titles("how do", ["german"])).toEqual(["Team"]);
  });

  it("scores the same text alike in bases of two languages", async () => {
    const found = await find("submarine", ["boats", "boote"]);
    expect(found.map(({ base }) => base).sort()).toEqual(["boats", "boote"]);
    expect(found[0]?.score).toBeCloseTo(found[1]?.score as number, 9);
  });

  it.each([
    ["an identifier as a whole", "max_wal_size", "Settings"],
    ["a part of one", "register", "Settings"],
    ["words of a script without spaces", "返品の期限", "返品について"],
  ])("finds %s", async (_what, query, title) => {
    expect((await titles(query, ["manual"]))[0]).toBe(title);
  });

  it("sees its own environment only", async () => {
    expect(await titles("discount", ["rules"], 10, "staging")).toEqual(["Elsewhere"]);
    expect(await titles("discount", ["rules"], 10, "production")).toEqual([]);
  });

  it("finds nothing by words that are everywhere in the language, by none, or by what is not there", async () => {
    for (const query of ["", "the of and", "zeppelin", "!!! ---"]) expect(await find(query)).toEqual([]);
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
