import type { WorkflowDefinition } from "@aos/workflow";
import type { TestApp } from "../../../testing/app.ts";

export async function savedDraft(app: TestApp, draft: Partial<WorkflowDefinition>): Promise<string> {
  const { workflow = "drafted", steps = [{ id: "only", set: {} }] } = draft;
  const [{ id: member }] = (await app.pool.query("select id from members order by id limit 1")).rows as [
    { id: string },
  ];
  await app.pool.query(
    `insert into workflows (organization, name, owner, draft, created_at, updated_at, updated_by) values ($1, $2, $3, $4, now(), now(), $3)`,
    [app.scope.organization, workflow, member, JSON.stringify({ ...draft, workflow, steps })],
  );
  return workflow;
}
