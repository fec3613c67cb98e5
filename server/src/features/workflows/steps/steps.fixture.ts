import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Step, WorkflowDefinition } from "@aos/workflow";
import { wake } from "../../../jobs/queue.ts";
import type { Environment } from "../../../kernel/principal.ts";
import type { TestApp } from "../../../testing/app.ts";
import { eventually } from "../../../testing/tasks.ts";
import type { useWorkerProcess } from "../../../testing/worker.ts";
import { wakeRun } from "../../tasks/public.ts";
import { changeFacts } from "../../tasks/runs/testing.ts";
import { storedStarter } from "../runs/runs.fixture.ts";

type WorkerProcess = ReturnType<typeof useWorkerProcess>;

let made = 0;

interface Starting extends Partial<WorkflowDefinition> {
  readonly steps: readonly Step[];
  readonly given?: unknown;
  /** Who starts it; by default a member of the seed without a key. */
  readonly environment?: Environment;
  readonly by?: { readonly memberId: string; readonly keyId: string | null };
}

/** Starts a run; wakes a worker. */
export async function startedRun(
  app: TestApp,
  { steps, given = {}, by, environment = "development", ...more }: Starting,
): Promise<string> {
  const { organization } = app.scope;
  const workflow = `steps_${++made}`;
  const run = `wfr_${String(made).padStart(26, "0")}`;
  const version = `wfv_${String(made).padStart(26, "0")}`;
  const { memberId, keyId } = by ?? { ...(await app.member("operator", environment)), keyId: null };
  await app.pool.query(
    `insert into workflows (organization, name, owner, draft, created_at, updated_at, updated_by) values ($1, $2, $3, '{}', now(), now(), $3)`,
    [organization, workflow, memberId],
  );
  await app.pool.query(
    `insert into workflow_versions (organization, workflow, number, id, definition, digest, author, created_at) values ($1, $2, 1, $3, $4, '', $5, now())`,
    [organization, workflow, version, JSON.stringify({ workflow, steps, ...more }), memberId],
  );
  const actor = storedStarter(memberId, environment, keyId);
  await app.pool.query(
    `insert into workflow_runs (organization, environment, id, workflow, version_number, version_id, status, input, trigger, principal, key_id, actor, audit_ref, created_at, updated_at)
     values ($1, $2, $3, $4, 1, $5, 'queued', $6, 'manual', $7, $8, $9, 'aud_0', now(), now())`,
    [organization, environment, run, workflow, version, JSON.stringify(given), memberId, keyId, actor],
  );
  await wakeAgain(app, run, environment);
  return run;
}

/** Advances a run once more. */
export const wakeAgain = (app: TestApp, run: string, environment: Environment = "development"): Promise<void> =>
  wake(app.pool, [wakeRun({ ...app.scope, environment }, run)]);

export interface StoredStep {
  step: string;
  status: string;
  attempt: number;
  task_id: string | null;
  output: Record<string, unknown> | null;
  failure: { code: string; detail: string } | null;
  held: { code: string; detail: string } | null;
}

export async function stepOf(app: TestApp, run: string, step: string): Promise<StoredStep | undefined> {
  const { rows } = await app.pool.query<StoredStep>(
    `select step, status, attempt, task_id, output::json as output, failure::json as failure, held::json as held
     from workflow_steps where run_id = $1 and step = $2`,
    [run, step],
  );
  return rows[0];
}

export const endOf = (app: TestApp, run: string) =>
  eventually(async () => {
    const { rows } = await app.pool.query<{ status: string; failure: { code: string; detail: string } | null }>(
      "select status, failure::json as failure from workflow_runs where id = $1 and finished_at is not null",
      [run],
    );
    if (!rows[0]) throw new Error(`${run} is not over`);
    return rows[0];
  });

export const asking = (app: TestApp, run: string, step: string) =>
  eventually(async () => {
    const { rows } = await app.pool.query<{ task: string }>(
      "select t.id as task from workflow_steps s join tasks t on t.id = s.task_id where s.run_id = $1 and s.step = $2 and t.status = 'awaiting_approval'",
      [run, step],
    );
    if (!rows[0]) throw new Error(`${step} does not wait for people`);
    return rows[0].task;
  });

/** The service on this machine that a tool of the sample's agent calls. */
export interface Target {
  readonly received: { readonly path: string; readonly body: unknown; readonly key: string | undefined }[];
  /** Its response: a status, or 0 to drop the connection after the request. */
  answer: (path: string) => { readonly status: number; readonly body?: unknown };
  url(): string;
  listen(): Promise<void>;
  close(): void;
}

export function createTarget(): Target {
  const received: { path: string; body: unknown; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const path = request.url ?? "/";
      const key = request.headers["idempotency-key"] as string | undefined;
      received.push({ path, body: text === "" ? null : JSON.parse(text), key });
      const { status, body = { ok: true } } = target.answer(path);
      if (status === 0) return void request.socket.destroy();
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
  });
  const target: Target = {
    received,
    answer: () => ({ status: 200 }),
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    listen: () => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)),
    close: () => void server.close(),
  };
  return target;
}

/**
 * Gives the sample's agent tools of a target: `price` reads, `issue_refund` writes what cannot be undone by itself, `note` writes what anybody may, as do
 * `book` and `unbook`, whose service knows a repeated call by its key. */
export function withTools(app: TestApp, process: WorkerProcess, target: Target): Promise<void> {
  const tool = (name: string, effect: "read" | "write", impact: object) => ({
    name,
    kind: "http",
    effect,
    impact,
    request:
      effect === "read"
        ? { method: "GET", url: `${target.url()}/${name}/{order}` }
        : { method: "POST", url: `${target.url()}/${name}`, body: { order: "{order}", amount: "{amount}" } },
    arguments: {
      type: "object",
      required: effect === "read" ? ["order"] : ["order", "amount"],
      properties: { order: { type: "string" }, amount: { type: "number" }, at: { type: "string" } },
      additionalProperties: false,
    },
  });
  const tools = [
    tool("price", "read", {}),
    tool("issue_refund", "write", { money: 2_000, reversible: false, external: true }),
    tool("note", "write", { reversible: true }),
    { ...tool("book", "write", { reversible: true }), idempotency: { header: "Idempotency-Key" } },
    { ...tool("unbook", "write", { reversible: true }), idempotency: { header: "Idempotency-Key" } },
  ];
  return changeFacts(
    app,
    process,
    "agents",
    `update agent_versions set definition = definition || jsonb_build_object('tools', jsonb_build_array(definition -> 'tools' -> 0) || $1::jsonb) where agent = 'sales'`,
    [JSON.stringify(tools)],
  );
}
