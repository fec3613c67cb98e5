import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const base = "/v1/knowledge/bases";

it("tells how often bases were asked with success, what nobody needed, and what they lack", async () => {
  const made = await app.call("POST", base, { body: { name: "guide" } });
  const id = made.body.base_id as string;
  for (const title of ["Returns", "Old prices"])
    await app.call("POST", `${base}/${id}/documents`, { body: { title, text: `${title} are described here.` } });
  await app.pool.query(
    "update documents set created_at = now() - interval '60 days', state = 'indexed', review_at = case title when 'Old prices' then now() end where base = $1",
    [id],
  );
  await app.pool.query(
    `insert into document_usage (organization, environment, document, retrievals, last_retrieved_at)
     select organization, environment, id, 1, now() from documents where base = $1 and title = 'Returns'`,
    [id],
  );
  const ask = (query: string, answered: boolean, agent: string | null) =>
    app.pool.query(
      `insert into knowledge_questions (organization, environment, id, base, query, asked_by, agent, at, best_score, coverage, answered, results)
       values ('default', 'development', $1, $2, $3, 'mbr_1', $4, now() - interval '2 days', 1, 1, $5, 1)`,
      [`qst_${Math.random()}`, id, query, agent, answered],
    );
  for (let time = 0; time < 3; time++) await ask("How do returns work?", true, null);
  await ask("Is there a  warranty?", false, "sales");
  await ask("is there a warranty?", false, null);
  const { status, body } = await app.call("GET", "/v1/analytics/knowledge");
  expect(status).toBe(200);
  expect(body.questions).toBe(5);
  expect(body.hit_rate).toMatchObject({ value: 0.6, n: 5 });
  expect(body.bases[0]).toMatchObject({ base_id: id, questions: 5, documents: 2, unused: 1, stale: 1 });
  expect(body.unused).toMatchObject([{ title: "Old prices", last_retrieved_at: null }]);
  expect(body.gaps).toMatchObject([{ base_id: id, asked: 2, agents: ["sales"], link: `${base}/${id}/gaps` }]);
  expect(
    body.series.reduce((sum: number, { values }: { values: { questions: number } }) => sum + values.questions, 0),
  ).toBe(5);
  const { body: key } = await app.call("POST", "/v1/admin/keys", {
    body: { name: "n", role: "viewer", agents: ["support"] },
  });
  const narrow = await app.call("GET", "/v1/analytics/knowledge", { key: key.key });
  expect(narrow.body.bases.map(({ name }: { name: string }) => name)).not.toContain("guide");
});
