import { expect, it } from "vitest";
import { createReader } from "../../db/reader.ts";
import { all, select } from "../../db/scoped.ts";
import { useDatabase } from "../../testing/database.ts";
import { agentTokens, maySee, readerTokens, type Sight, visible, visibleText } from "./access.ts";

const database = useDatabase();
const member = { kind: "member", id: "mbr_1", role: "approver" } as const;
const lists: Record<string, string[] | null> = {
  open: null,
  nobody: [],
  approvers: ["role:approver", "agent:sales"],
  one: ["member:mbr_1"],
  support: ["agent:support"],
};

const sights: [string, Sight, string[]][] = [
  ["an approver", [readerTokens(member)], ["approvers", "one", "open"]],
  ["an admin", [readerTokens({ ...member, role: "admin" })], Object.keys(lists).sort()],
  ["a builder, who is no approver", [readerTokens({ ...member, id: "mbr_2", role: "builder" })], ["open"]],
  ["an agent, whoever dispatched it", [agentTokens("sales")], ["approvers", "open"]],
  ["an approver who looks as an agent", [readerTokens(member), agentTokens("sales")], ["approvers", "open"]],
  ["an approver who looks as a foreign agent", [readerTokens(member), agentTokens("support")], ["open"]],
];

it.each(sights)("shows %s what the lists allow, alike in all three forms", async (_who, sight, expected) => {
  const scope = { organization: "default", environment: "development" } as const;
  const ctx = { scope, db: createReader(database.pool) };
  for (const [name, readers] of Object.entries(lists)) {
    await database.pool.query(
      `insert into knowledge_bases (organization, environment, id, name, readers) values ('default', 'development', $1, $2, $3)
       on conflict do nothing`,
      [`kb_${name}`, name, readers],
    );
  }
  const typed = select(ctx, "knowledge_bases", "b").select("b.name").where(visible(sight, "b.readers"));
  const values: unknown[] = [];
  const predicate = visibleText(sight, ["readers"], (value) => `$${values.push(value)}`);
  const text = await database.pool.query(`select name from knowledge_bases where ${predicate}`, values);
  const byRule = Object.keys(lists).filter((name) => maySee(sight, lists[name] ?? null));
  for (const names of [(await all(ctx, typed)).map(({ name }) => name), text.rows.map(({ name }) => name), byRule])
    expect(names.sort()).toEqual(expected);
});

it("holds a document to its own list and its base's", () => {
  const sight = [readerTokens(member)];
  expect(maySee(sight, ["role:approver"], null)).toBe(true);
  expect(maySee(sight, ["role:approver"], ["role:auditor"])).toBe(false);
});
