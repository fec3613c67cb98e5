import { createHash } from "node:crypto";
import type { Step, WorkflowDefinition } from "@aos/workflow";
import { systemClock } from "../../../kernel/clock.ts";
import { createIds } from "../../../kernel/ids.ts";
import type { Environment } from "../../../kernel/principal.ts";
import type { TestApp } from "../../../testing/app.ts";

const newId = createIds(systemClock);
let made = 0;

/** A step without effects outside. */
export const plain: Step = { id: "only", set: { done: "true" } };
/** A step that waits longer than any test. */
export const waiting: Step = { id: "hold", wait: { for: "1d" } };

export interface Published {
  readonly name?: string;
  readonly environment?: Environment;
  readonly version?: number;
}

/** Publishes a workflow, or freezes its version if another is live; returns its name. */
export async function publish(
  { pool, scope }: TestApp,
  definition: Partial<Omit<WorkflowDefinition, "workflow">>,
  { name = `made_${++made}`, environment = "development", version = 1 }: Published = {},
): Promise<string> {
  const { organization } = scope;
  const whole = { workflow: name, steps: [plain], ...definition };
  const text = JSON.stringify(whole);
  const [member] = (await pool.query("select id from members order by id limit 1")).rows;
  await pool.query(
    `insert into workflows (organization, name, owner, draft, created_at, updated_at, updated_by) values ($1, $2, $3, $4, now(), now(), $3)
     on conflict do nothing`,
    [organization, name, member.id, text],
  );
  await pool.query(
    `insert into workflow_versions (organization, workflow, number, id, definition, digest, author, created_at) values ($1, $2, $3, $4, $5, $6, $7, now())`,
    [organization, name, version, newId("wfv"), text, createHash("sha256").update(text).digest("hex"), member.id],
  );
  await pool.query(
    `insert into workflow_releases (organization, environment, id, workflow, version_number, kind, author, created_at)
     values ($1, $2, $3, $4, $5, 'publish', $6, now()) on conflict do nothing`,
    [organization, environment, newId("wrl"), name, version, member.id],
  );
  return name;
}

export async function begin(
  app: TestApp,
  workflow: string,
  body: object = {},
  environment: Environment = "development",
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
): Promise<any> {
  const { status, body: run, text } = await app.call("POST", `/v1/workflows/${workflow}/runs`, { body, environment });
  if (status !== 202) throw new Error(`starting a run answered ${status}: ${text}`);
  return run;
}
