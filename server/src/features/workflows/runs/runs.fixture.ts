import type { Step, WorkflowDefinition } from "@aos/workflow";
import { wake } from "../../../jobs/queue.ts";
import type { Environment } from "../../../kernel/principal.ts";
import type { TestApp } from "../../../testing/app.ts";
import { wakeRun } from "../../tasks/public.ts";

let made = 0;

type Frozen = Partial<Omit<WorkflowDefinition, "steps">> & { readonly workflow?: string };

const memberOf = async ({ pool }: TestApp): Promise<string> =>
  (await pool.query("select id from members order by id limit 1")).rows[0].id;

/** The first frozen version of a workflow. Returns its name and the version's id. */
export async function frozen(
  test: TestApp,
  steps: readonly Step[],
  more: Frozen = {},
): Promise<{ workflow: string; version: string }> {
  const { organization } = test.scope;
  const n = ++made;
  const { workflow = `made_${n}` } = more;
  const member = await memberOf(test);
  await test.pool.query(
    `insert into workflows (organization, name, owner, draft, created_at, updated_at, updated_by) values ($1, $2, $3, '{}', now(), now(), $3)`,
    [organization, workflow, member],
  );
  await test.pool.query(
    `insert into workflow_versions (organization, workflow, number, id, definition, digest, author, created_at) values ($1, $2, 1, $3, $4, '', $5, now())`,
    [organization, workflow, `wfv_${n}`, JSON.stringify({ ...more, workflow, steps }), member],
  );
  return { workflow, version: `wfv_${n}` };
}

export function storedStarter(owner: string, environment: Environment, keyId: string | null = null): string {
  const credential = keyId === null ? { session: null } : { key: keyId };
  const persons = [{ id: owner, how: "owner", of: null, at: null }];
  return JSON.stringify({
    owner,
    credential,
    bounds: { role: null, scopes: null, agents: null, environment },
    persons,
  });
}

/** Starts a run; wakes a worker. */
export async function started(
  test: TestApp,
  steps: readonly Step[],
  input: unknown,
  more: Frozen = {},
): Promise<string> {
  const run = await insertRun(test, await frozen(test, steps, more), input);
  await wake(test.pool, [wakeRun(test.scope, run)]);
  return run;
}

/** A run that has not advanced yet. */
export async function insertRun(
  test: TestApp,
  { workflow, version }: { workflow: string; version: string },
  input: unknown,
): Promise<string> {
  const { organization, environment } = test.scope;
  const run = `wfr_${String(++made).padStart(26, "0")}`;
  const member = await memberOf(test);
  const actor = storedStarter(member, environment);
  await test.pool.query(
    `insert into workflow_runs (organization, environment, id, workflow, version_number, version_id, status, input, trigger, principal, actor, audit_ref, created_at, updated_at, wake_at)
     values ($1, $2, $3, $4, 1, $5, 'queued', $6, 'manual', $7, $8, 'aud_0', now(), now(), now())`,
    [organization, environment, run, workflow, version, JSON.stringify(input), member, actor],
  );
  return run;
}

export const runRow = async ({ pool }: TestApp, run: string) =>
  (await pool.query("select * from workflow_runs where id = $1", [run])).rows[0];

/** The steps of a run, in the order in which they changed. */
export const stepRows = async ({ pool }: TestApp, run: string) =>
  (await pool.query("select * from workflow_steps where run_id = $1 order by changed_as", [run])).rows;
