import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { deleteOldQuestions } from "../store.ts";

const app = useApp();
const day = 86_400_000;
const now = Date.now();
let base = "";
let asked = 0;

/** As a search writes it down. */
async function ask(query: string, daysAgo: number, { answered = false, agent = null as string | null } = {}) {
  await app.pool.query(
    `insert into knowledge_questions (organization, environment, id, base, query, asked_by, agent, at, best_score, coverage, answered, results, readers)
     values ($1, $2, $3, $4, $5, 'mbr_x', $6, $7, 1, .2, $8, 1, '[]')`,
    [
      app.scope.organization,
      app.scope.environment,
      `qst_${String(++asked).padStart(4, "0")}`,
      base,
      query,
      agent,
      new Date(now - daysAgo * day),
      answered,
    ],
  );
}

beforeAll(async () => {
  base = (await app.call("POST", "/v1/knowledge/bases", { body: { name: "gappy" } })).body.base_id;
  const document = { external_id: "d1", title: "Invoices", text: "Invoices are sent by post." };
  await app.call("POST", `/v1/knowledge/bases/${base}/documents`, { body: document });
  await ask("How do I return a parcel?", 3, { agent: "support" });
  await ask("returning parcels", 2);
  await ask("how do i retrun a parcel", 1, { agent: "sales" });
  await ask("Can invoices be changed?", 5);
  await ask("opening hours?", 9);
  await ask("what are the opening hours", 8, { answered: true });
  await ask("opening hours", 100);
});

const gaps = async (query = "") => {
  const { status, body } = await app.call("GET", `/v1/knowledge/bases/gappy/gaps${query}`);
  expect(status).toBe(200);
  return body;
};

it("groups wordings of one question, with who asked it, how often and what is found for it now", async () => {
  const { data } = await gaps();
  expect(data.map(({ asked: count }: { asked: number }) => count)).toEqual([3, 1]);
  expect(data[0]).toMatchObject({
    agents: ["sales", "support"],
    by_people: true,
    first_asked_at: new Date(now - 3 * day).toISOString(),
    last_asked_at: new Date(now - day).toISOString(),
    resolved_at: null,
    best: null,
  });
  expect(data[1]).toMatchObject({
    question: "Can invoices be changed?",
    best: { external_id: "d1", title: "Invoices" },
  });
});

it("takes a gap off the list once its question was asked again and answered", async () => {
  const { data } = await gaps("?resolved=true");
  expect(data).toMatchObject([{ question: "opening hours?", resolved_at: new Date(now - 8 * day).toISOString() }]);
});

it("narrows to a range of time, and pages", async () => {
  const since = new Date(now - 4 * day).toISOString();
  expect((await gaps(`?asked_after=${since}`)).data).toHaveLength(1);
  expect((await gaps(`?asked_before=${since}`)).data).toMatchObject([{ question: "Can invoices be changed?" }]);
  const first = await gaps("?limit=1");
  expect(first).toMatchObject({ has_more: true, data: [{ asked: 3 }] });
  const second = await gaps(`?limit=1&cursor=${first.next_cursor}`);
  expect(second).toMatchObject({ has_more: false, data: [{ question: "Can invoices be changed?" }] });
});

it("hides the gaps of a base that the caller may not read", async () => {
  await app.pool.query("update knowledge_bases set readers = '{role:approver}' where id = $1", [base]);
  expect((await app.call("GET", "/v1/knowledge/bases/gappy/gaps", { key: "viewer" })).status).toBe(404);
  expect((await app.call("GET", "/v1/knowledge/bases/gappy/gaps", { key: "approver" })).status).toBe(200);
});

const named = async (name: string, options: object = {}) => {
  const { status, body } = await app.call("GET", `/v1/knowledge/bases/${name}/gaps`, options);
  expect(status).toBe(200);
  return body.data.map(({ question, asked }: { question: string; asked: number }) => [question, asked]);
};
const search = (query: string, bases: string[], key: string) =>
  app.call("POST", "/v1/knowledge/search", { key, body: { query, bases } });

describe("a gap", () => {
  beforeAll(async () => {
    const readers = ["role:approver"];
    await app.call("POST", "/v1/knowledge/bases", { body: { name: "mixed" } });
    await app.call("POST", "/v1/knowledge/bases", { body: { name: "closed", readers } });
    const documents = "/v1/knowledge/bases/mixed/documents";
    await app.call("POST", documents, { body: { external_id: "secret", text: "The harvest of rye.", readers } });
    await search("when does Zanzibar sell its cloves", ["mixed", "closed"], "approver");
    await search("when does Zanzibar sell its cloves", ["mixed"], "viewer");
    await search("who buys nutmeg", ["mixed"], "admin");
    await app.call("DELETE", `${documents}/secret`);
  });

  it("shows a caller only questions whose documents and bases they may read, counted without the others", async () => {
    expect(await named("mixed", { key: "viewer" })).toEqual([["when does Zanzibar sell its cloves", 1]]);
    expect(await named("mixed", { key: "builder" })).toEqual([["when does Zanzibar sell its cloves", 1]]);
    expect(await named("mixed", { key: "approver" })).toEqual([
      ["when does Zanzibar sell its cloves", 2],
      ["who buys nutmeg", 1],
    ]);
    const figures = await app.call("GET", "/v1/analytics/knowledge", { key: "viewer" });
    expect(figures.text).not.toContain("nutmeg");
    const mixed = figures.body.bases.find(({ name }: { name: string }) => name === "mixed");
    expect(mixed.questions).toBe(1);
  });

  it("shows people what they asked themselves, whatever it quotes", async () => {
    const { secret: key } = await app.member("builder");
    await search("how heavy is saffron", ["mixed"], key);
    await app.pool.query("update knowledge_questions set readers = default where query = 'how heavy is saffron'");
    expect(await named("mixed", { key })).toContainEqual(["how heavy is saffron", 1]);
    expect(await named("mixed", { key: "viewer" })).not.toContainEqual(["how heavy is saffron", 1]);
  });

  it("shows a key that is narrowed to agents questions of those only", async () => {
    const { rows } = await app.pool.query("select id from knowledge_bases where name = 'leads'");
    const before = base;
    base = rows[0].id;
    for (const agent of ["sales", "support", null]) await ask("who makes glass", 1, { agent });
    base = before;
    const body = { name: "narrow", role: "viewer", agents: ["sales"] };
    const { key } = (await app.call("POST", "/v1/admin/keys", { body })).body;
    expect((await app.call("GET", "/v1/knowledge/bases/leads/gaps", { key })).body.data).toMatchObject([
      { question: "who makes glass", asked: 1, agents: ["sales"], by_people: false },
    ]);
  });
});

it("keeps questions no longer than 90 days", async () => {
  const db = {
    query: async (text: string, values?: readonly unknown[]) => (await app.pool.query(text, values as unknown[])).rows,
  };
  expect(await deleteOldQuestions(db as never, new Date(now - 90 * day), 10)).toBe(1);
  const { rows } = await app.pool.query("select from knowledge_questions where base = $1", [base]);
  expect(rows).toHaveLength(6);
});
