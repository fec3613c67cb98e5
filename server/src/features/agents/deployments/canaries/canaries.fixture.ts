import type { TestApp } from "../../../../testing/app.ts";
import { sealEnded } from "../../../../testing/tasks.ts";
import { deployedAgent } from "../../testing.ts";

/** An agent with version 1 live and version 2 as a canary beside it; answers the path of the canary's deployment. */
export async function runningCanary(app: TestApp, agent: string, body: object = {}): Promise<string> {
  await deployedAgent(app, agent, { versions: 3, deploy: [1] });
  const path = `/v1/agents/${agent}/deployments`;
  const started = await app.call("POST", path, { body: { version: 2, mode: "canary", ...body } });
  if (started.status !== 201) throw new Error(`the canary of ${agent}: ${started.text}`);
  return `${path}/${started.body.deployment_id}`;
}

/** Whether people accept the task of a version; `n` counts the tasks of each version from 0. */
export type Accepts = (version: number, n: number) => boolean;

/** Dispatches tasks, completes them, and has people judge each. */
export async function judgeTasks(app: TestApp, agent: string, count: number, accepts: Accepts): Promise<void> {
  const seen = new Map<number, number>();
  for (let done = 0; done < count; done += 50) {
    const items = Array.from({ length: 50 }, () => ({ agent, task: "answer", question: "when?" }));
    const { body } = await app.call("POST", "/v1/tasks/batch", { body: { items } });
    const ids: string[] = body.results.map((one: { body: { task_id: string } }) => one.body.task_id);
    const { rows } = await app.pool.query<{ id: string; version: number }>(
      `update tasks set status = 'completed', output = '{}', started_at = now(), finished_at = now()
       where id = any($1) returning id, version_number as version`,
      [ids],
    );
    await sealEnded(app);
    const given = rows.map(async ({ id, version }) => {
      const n = seen.get(version) ?? 0;
      seen.set(version, n + 1);
      const feedback = { key: "evaluator", body: { accepted: accepts(version, n) } } as const;
      const { status, text } = await app.call("POST", `/v1/tasks/${id}/feedback`, feedback);
      if (status !== 201) throw new Error(`feedback on ${id}: ${text}`);
    });
    await Promise.all(given);
  }
}
