import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { accountableFindings } from "./accountable.ts";
import { readSources, type Source } from "./sources.ts";
import { wordFindings, wordRules } from "./words.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const file = "server/src/db/schema.sql";
const schema = (text: string): Source[] => [{ file, text }];
const found = (text: string, listed: Parameters<typeof accountableFindings>[1]): string[] =>
  accountableFindings(schema(text), listed).map((one) => `${one.file}:${one.line}: ${one.what}`);
const notes = (...columns: string[]): string =>
  `create table notes (\n  organization text not null,\n${columns.map((column) => `  ${column}`).join(",\n")},\n  constraint notes_pkey primary key (organization)\n);`;

describe("a column that names somebody", () => {
  it("means what the list says, in the whole schema", () => {
    expect(accountableFindings(readSources(root, [".sql"]))).toEqual([]);
  });

  it.each(["principal", "owner", "author", "key_id", "sent_by"])("is found where the list lacks it (%s)", (name) => {
    expect(found(notes(`${name} text not null`), {})).toEqual([
      `${file}:3: notes.${name} names somebody: say in scripts/checks/accountable-columns.ts whether it acts, decides or tells (decision 0064)`,
    ]);
    expect(found(notes(`${name} text`), { notes: { other: { is: "tells", why: "a record" } } })).toHaveLength(2);
    expect(found(notes(`${name} text`), { notes: { [name]: { is: "tells", why: "a record" } } })).toEqual([]);
  });

  it("is taken off the list where it is gone", () => {
    expect(found(notes("title text"), { notes: { author: { is: "tells", why: "a record" } } })).toEqual([
      "scripts/checks/accountable-columns.ts:1: names notes.author, which does not exist: take it off the list",
    ]);
  });

  it("needs an actor where it acts, and deciders where it decides", () => {
    const listed = { notes: { author: { is: ["acts", "decides"], why: "both" } } } as const;
    const asked = (column: string) =>
      `${file}:3: notes.author acts and decides: add the column notes.${column} of type jsonb, which stores who is accountable (decision 0064)`;
    expect(found(notes("author text"), listed)).toEqual([asked("actor"), asked("deciders")]);
    expect(found(notes("author text", "actor text", "deciders jsonb"), listed)).toEqual([asked("actor")]);
    expect(found(notes("author text", "actor jsonb", "deciders jsonb"), listed)).toEqual([]);
    const elsewhere = { notes: { author: { is: "decides", why: "a draft", stored: "notes.draft_deciders" } } } as const;
    expect(found(notes("author text", "deciders jsonb"), elsewhere)).toHaveLength(1);
    expect(found(notes("author text", "draft_deciders jsonb"), elsewhere)).toEqual([]);
  });
});

describe("an actor", () => {
  const broken = (text: string, where = "server/src/features/notes/send.ts"): string[] =>
    wordRules
      .filter(({ name }) => name.startsWith("actors"))
      .flatMap((rule) => wordFindings({ ...rule, exceptions: {} }, [{ file: where, text }]))
      .map(({ what }) => what);

  it.each([
    ["const by = { principal: row.owner, keyId: null };", "`keyId: null` forgets the key"],
    ["await insert(ctx, { principal, key_id: null });", "`key_id: null` forgets the key"],
    ["acceptTask(ctx, { owner } as Actor, work);", "`as Actor` makes an actor"],
    ["acceptTask(ctx, row as unknown as Actor, work);", "`as unknown as Actor` makes an actor"],
    ['import { resolvedAs } from "../../kernel/actor.ts";', "`resolvedAs` makes an actor without a look"],
    ['import { undoingActor } from "../../kernel/actor.ts";', "`undoingActor` makes an actor without a look"],
    ["const stored = storedActor({ owner: row.owner });", "`storedActor({` puts an actor together from ids"],
  ])("is not made from a bare id: %s", (text, what) => {
    expect(broken(text)).toEqual([expect.stringContaining(what)]);
    expect(broken(text, "server/src/features/notes/send.test.ts")).toEqual([]);
  });

  it("may be read from its row", () => {
    expect(broken("const stored = storedActor(row.actor);\nconst key = keyOfActor(actor);")).toEqual([]);
  });
});
