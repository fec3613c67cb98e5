import type { TestApp } from "../../testing/app.ts";
import type { useWorkerProcess } from "../../testing/worker.ts";

type WorkerProcess = ReturnType<typeof useWorkerProcess>;

/** Does `work` while a policy is in force for the service and a worker, and retires the policy afterwards. By default it always holds. */
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

/** The approvals of a task, oldest first, with what each demands. */
export async function approvalsOf(app: TestApp, task: string) {
  const { rows } = await app.pool.query<{ status: string; approvers: number; requester_allowed: boolean; reasons: string[] }>(
    "select status, approvers, requester_allowed, reasons::json as reasons from approvals where task_id = $1 order by id",
    [task],
  );
  return rows;
}
