import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { gapView } from "../gaps.ts";
import { deleteOldQuestions } from "../question-store.ts";

const app = useApp();
const day = 86_400_000;
const now = Date.now();
let base = "";
let asked = 0;

/** As a search writes it down. */
async function ask(query: string, daysAgo: number, { answered = false, agent = null as string | null } = {}) {
  await app.pool.query(
    `insert into knowledge_questions (organization, environment, id, base, query, asked_by, agent, at, best_score, coverage, answered, results)
     values ($1, $2, $3, $4, $5, 'mbr_x', $6, $7, 1, .2, $8, 1)`,
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

it("names to a key that is narrowed to agents none but those", () => {
  const asked = ["sales", "support"].map((agent) => ({
    ...{ id: agent, query: "Hours?", stems: ["hour"], at: now, agent, answered: false },
  }));
  const row = { group: { question: "Hours?", asked }, resolvedAt: null, best: null };
  expect(gapView(row, ["sales"])).toMatchObject({ agents: ["sales"], by_people: false, asked: 2 });
  expect(gapView(row, null).agents).toEqual(["sales", "support"]);
});

it("keeps questions no longer than 90 days", async () => {
  const db = {
    query: async (text: string, values?: readonly unknown[]) => (await app.pool.query(text, values as unknown[])).rows,
  };
  expect(await deleteOldQuestions(db as never, new Date(now - 90 * day), 10)).toBe(1);
  const { rows } = await app.pool.query("select from knowledge_questions where base = $1", [base]);
  expect(rows).toHaveLength(6);
});
