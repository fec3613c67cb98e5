import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { mostNodes } from "../children-store.ts";

const app = useSharedApp();

interface Node {
  readonly id: string;
  readonly parent_id: string;
  readonly depth: number;
}

/** A run of a workflow, started by an event of a task or by another run. */
async function run(more: { cause_task?: string; parent_run?: string }): Promise<string> {
  const id = app.app.newId("wfr");
  await app.pool.query(
    `insert into workflow_runs (organization, environment, id, workflow, version_number, version_id, status, input, trigger, principal, audit_ref, created_at, updated_at, cause_task, parent_run, cost_usd)
     values ('default', 'development', $1, 'follow_up', 1, 'wfv_1', 'running', '{}', 'event', 'mbr_1', 'aud_1', now(), now(), $2, $3, 0.5)`,
    [id, more.cause_task ?? null, more.parent_run ?? null],
  );
  return id;
}

/** A task that carries out a step of a run. */
async function step(of: string): Promise<string> {
  const { task_id } = await app.dispatch();
  await app.pool.query(
    "update tasks set run_id = $2, run_step = 'look', run_workflow = 'follow_up', cost_usd = 0.25 where id = $1",
    [task_id, of],
  );
  return task_id;
}

const childrenOf = (task: string, key = "viewer") => app.call("GET", `/v1/tasks/${task}/children`, { key });

it("shows the runs that a task's events started, with their tasks, sub-workflows and what came of those, parents first", async () => {
  const { task_id: root } = await app.dispatch();
  const first = await run({ cause_task: root });
  const inFirst = await step(first);
  const child = await run({ parent_run: first });
  const inChild = await step(child);
  const later = await run({ cause_task: inChild });
  const { status, body } = await childrenOf(root);
  expect(status).toBe(200);
  const nodes = body.nodes as Node[];
  expect(nodes.map(({ id, parent_id, depth }) => [id, parent_id, depth])).toEqual([
    [first, root, 1],
    [inFirst, first, 2],
    [child, first, 2],
    [inChild, child, 3],
    [later, inChild, 4],
  ]);
  expect(body).toMatchObject({ caused_by: null, cut: null, totals: { tasks: 2, runs: 3, open: 5, cost_usd: 0.5 } });
  expect((await childrenOf(inChild)).body.caused_by).toEqual({ task_id: root, run_id: first });
});

it("says that it was cut where there is more than it shows", async () => {
  const { task_id: root } = await app.dispatch();
  const first = await run({ cause_task: root });
  await app.pool.query(
    `insert into workflow_runs (organization, environment, id, workflow, version_number, version_id, status, input, trigger, principal, audit_ref, created_at, updated_at, parent_run)
     select organization, environment, id || n, workflow, version_number, version_id, status, input, trigger, principal, audit_ref, created_at, updated_at, id
     from workflow_runs, generate_series(1, $2::int) n where id = $1`,
    [first, mostNodes],
  );
  const wide = (await childrenOf(root)).body;
  expect([wide.cut, wide.nodes.length]).toEqual(["size", mostNodes]);
  const { task_id: top } = await app.dispatch();
  let parent = await run({ cause_task: top });
  for (let depth = 2; depth <= 13; depth += 1) parent = await run({ parent_run: parent });
  const deep = (await childrenOf(top)).body;
  expect([deep.cut, deep.nodes.length]).toEqual(["depth", 12]);
});

it("shows a key that is narrowed to agents no task of others, and not what runs cost in all", async () => {
  const { task_id: root } = await app.dispatch();
  const first = await run({ cause_task: root });
  const own = await step(first);
  const other = await step(first);
  await app.pool.query("update tasks set agent = 'other' where id = $1", [other]);
  const issued = await app.call("POST", "/v1/admin/keys", {
    body: { name: "narrow", role: "viewer", agents: ["sales"] },
  });
  expect(issued.status, issued.text).toBe(201);
  const { nodes } = (await childrenOf(root, issued.body.key)).body;
  expect((nodes as Node[]).map(({ id }) => id)).toEqual([first, own]);
  expect(nodes[0].cost_usd).toBeNull();
});
