import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();
const path = "/v1/governance/kill-switch";
const engage = async (body: Record<string, unknown>) =>
  (await app.call("POST", path, { body: { reason: "it harms", ...body } })).body.kill_switch_id as string;
const listed = async (query = "", key = "admin") =>
  (await app.call("GET", `${path}${query}`, { key })).body.data.map(
    ({ kill_switch_id }: { kill_switch_id: string }) => kill_switch_id,
  );

it("shows what is in force here, newest first, and others on demand", async () => {
  const [tool, model] = [
    await engage({ kind: "tool", target: "one", allow_unknown: true }),
    await engage({ kind: "model", target: "one", allow_unknown: true, critical: true }),
  ];
  const gone = await engage({ kind: "tool", target: "gone", allow_unknown: true });
  await app.call("DELETE", `${path}/${gone}`, { body: { reason: "over" } });
  await app.call("DELETE", `${path}/${model}`, { body: { reason: "over" } });
  await app.call("POST", path, {
    environment: "staging",
    body: { kind: "tool", target: "one", allow_unknown: true, reason: "elsewhere" },
  });
  expect(await listed()).toEqual([model, tool]);
  expect(await listed("?state=released")).toEqual([gone]);
  expect(await listed("?state=release_requested")).toEqual([model]);
  expect(await listed("?kind=tool")).toEqual([tool]);
  const page = await app.call("GET", `${path}?limit=1`);
  expect(page.body).toMatchObject({ has_more: true, data: [{ kill_switch_id: model }] });
  expect(await listed(`?limit=1&cursor=${page.body.next_cursor}`)).toEqual([tool]);
});

it("shows a stop of everything in every environment, with where it is released", async () => {
  const { secret, memberId } = await app.member("admin", "production");
  await app.pool.query(
    `update members set roles = '{"development":"admin","staging":"admin","production":"admin"}' where id = $1`,
    [memberId],
  );
  const { body } = await app.call("POST", path, { key: secret, body: { kind: "all", mode: "drain", reason: "x" } });
  const { data } = (await app.call("GET", `${path}?kind=all`)).body;
  expect(data).toMatchObject([{ kill_switch_id: body.kill_switch_id, environment: "production" }]);
});

it("counts what a stop ended, and how long the last running task took to end", async () => {
  const stop = await engage({ kind: "agent", target: "sales", mode: "drain" });
  const tasks = await app.pool.query<{ id: string }>(
    `insert into tasks (organization, environment, id, agent, version_id, version_number, skill, status, input, trust_score, trust, risk_level, risk, audit_ref, principal,
       subject, event_count, kill_switch_id, finished_at)
     select 'default', 'development', 'tsk_0000000000000000000000000' || n, 'sales', 'ver_1', 1, 's', status, '{}', 0.5, '{}', 'low', '{}', 'aud_1', 'p', 's', 1, $1,
       (select engaged_at from kill_switches where id = $1) + ms * interval '1 millisecond'
     from (values (1, 'cancelled', 300), (2, 'cancelled', 900), (3, 'blocked', 5000)) as t(n, status, ms) returning id`,
    [stop],
  );
  expect(tasks.rows).toHaveLength(3);
  const { data } = (await app.call("GET", `${path}?kind=agent`)).body;
  expect(data).toMatchObject([{ kill_switch_id: stop, tasks_ended: 3, time_to_stop_ms: 900 }]);
});

it("hides stops of other agents from a key that is narrowed", async () => {
  const stop = await engage({ kind: "skill", target: "sales.qualify_lead", mode: "pause" });
  const { secret, keyId } = await app.member("viewer");
  await app.pool.query("update keys set agents = '{support}' where id = $1", [keyId]);
  await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
  await app.app.facts.refresh();
  expect(await listed("?kind=skill")).toEqual([stop]);
  expect(await listed("?kind=skill", secret)).toEqual([]);
});
