import type { TestApp } from "../../../testing/app.ts";
import type { useWorkerProcess } from "../../../testing/worker.ts";

type WorkerProcess = ReturnType<typeof useWorkerProcess>;

/** Does `work` while a policy is in force for the service and a worker, and retires the policy afterwards. By default it always applies. */
export async function underPolicy(
  app: TestApp,
  worker: WorkerProcess,
  definition: Record<string, unknown>,
  work: (policy: string) => Promise<void>,
): Promise<void> {
  const policy = await app.policy({ when: "true", ...definition });
  await worker.refresh();
  try {
    await work(policy);
  } finally {
    await app.pool.query("update policies set state = 'retired' where id = $1", [policy]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'policies'");
    await app.app.facts.refresh();
    await worker.refresh();
  }
}

export async function approvalsOf(app: TestApp, task: string) {
  const { rows } = await app.pool.query<{
    status: string;
    approvers: number;
    requester_allowed: boolean;
    reasons: string[];
  }>(
    "select status, approvers, requester_allowed, reasons::json as reasons from approvals where task_id = $1 order by id",
    [task],
  );
  return rows;
}

type StopRequest = { kind: string; target?: string; mode?: string };

/** Does `work` under a kill switch that service and worker know, and releases it. `work` gets its id. */
export async function underKillSwitch(
  app: TestApp,
  worker: WorkerProcess,
  stop: StopRequest,
  work: (stop: string) => Promise<void>,
): Promise<void> {
  const unlisted = stop.kind === "tool" || stop.kind === "model" ? { allow_unknown: true } : {};
  const engaged = await app.call("POST", "/v1/governance/kill-switch", {
    body: { reason: "it harms", ...unlisted, ...stop },
  });
  if (engaged.status !== 201) throw new Error(`the stop was answered ${engaged.status}: ${engaged.text}`);
  const id = engaged.body.kill_switch_id as string;
  await worker.refresh();
  try {
    await work(id);
  } finally {
    await changeFacts(
      app,
      worker,
      "kill_switches",
      "update kill_switches set released_at = now(), released_by = 'test' where id = $1",
      [id],
    );
  }
}

/** Does `work` while the agent `sales` is paused for service and worker, and resumes it. */
export async function underPause(
  app: TestApp,
  worker: WorkerProcess,
  mode: "drain" | "cancel",
  work: () => Promise<void>,
): Promise<void> {
  const { organization, environment } = app.scope;
  const row = [organization, environment, mode];
  const pause =
    "insert into agent_pauses (organization, environment, agent, mode, reason, author) values ($1, $2, 'sales', $3, 'it rests', 'test')";
  await changeFacts(app, worker, "agents", pause, row);
  try {
    await work();
  } finally {
    await changeFacts(
      app,
      worker,
      "agents",
      "delete from agent_pauses where organization = $1 and environment = $2 and mode = $3",
      row,
    );
  }
}

/** Changes facts in the database, and waits until service and worker know it. */
export async function changeFacts(
  app: TestApp,
  worker: WorkerProcess,
  topic: string,
  text: string,
  values: unknown[],
): Promise<void> {
  await app.pool.query(text, values);
  const raise =
    "insert into fact_epochs (topic, epoch) values ($1, 1) on conflict (topic) do update set epoch = fact_epochs.epoch + 1";
  await app.pool.query(raise, [topic]);
  await app.app.facts.refresh();
  await worker.refresh();
}
