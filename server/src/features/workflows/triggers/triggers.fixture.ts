import type { Trigger, WorkflowDefinition } from "@aos/workflow";
import { expect } from "vitest";
import type { Environment } from "../../../kernel/principal.ts";
import type { CallOptions, TestApp } from "../../../testing/app.ts";
import { eventually } from "../../../testing/tasks.ts";

let made = 0;

type Draft = Partial<WorkflowDefinition>;

/** Creates a workflow, by default of one step that only answers. Returns its name. */
export async function created(app: TestApp, draft: Draft = {}, options: CallOptions = {}): Promise<string> {
  const body = { workflow: `triggered_${++made}`, steps: [{ id: "done", set: { ok: true } }], ...draft };
  const answered = await app.call("POST", "/v1/workflows", { ...options, body });
  expect(answered.status, answered.text).toBe(201);
  return body.workflow;
}

export async function published(app: TestApp, draft: Draft = {}, options: CallOptions = {}): Promise<string> {
  const name = await created(app, draft, options);
  await publish(app, name, options);
  return name;
}

export async function publish(app: TestApp, name: string, options: CallOptions = {}): Promise<void> {
  const answered = await app.call("POST", `/v1/workflows/${name}/publish`, { ...options, body: {} });
  expect(answered.status, answered.text).toBe(200);
}

export async function republish(app: TestApp, name: string, draft: Draft): Promise<void> {
  const read = await app.call("GET", `/v1/workflows/${name}`);
  const body = { ...read.body.draft, ...draft };
  const headers = { "if-match": read.headers.get("etag") as string };
  const put = await app.call("PUT", `/v1/workflows/${name}`, { body, headers });
  expect(put.status, put.text).toBe(200);
  await publish(app, name);
}

export const add = (app: TestApp, name: string, definition: Trigger, options: CallOptions = {}) =>
  app.call("POST", `/v1/workflows/${name}/triggers`, { ...options, body: { definition } });

export const triggersOf = async (app: TestApp, name: string, environment: Environment = "development") =>
  (await app.call("GET", `/v1/workflows/${name}/triggers`, { environment })).body.data.toReversed();

export const runsOf = async ({ pool }: TestApp, name: string) =>
  (await pool.query("select * from workflow_runs where workflow = $1 order by id", [name])).rows;

export async function dueAt({ pool }: TestApp, name: string, at: Date): Promise<void> {
  await pool.query("update workflow_triggers set next_at = $2 where workflow = $1", [name, at]);
}

export const sequenced = ({ pool }: TestApp): Promise<void> =>
  eventually(async () => {
    const { rows } = await pool.query(
      "select count(*)::int as left from events e where not exists (select from event_positions p where p.event_id = e.id)",
    );
    expect(rows[0].left).toBe(0);
  });
