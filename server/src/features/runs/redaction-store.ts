import type { Replaced } from "@aos/data-classes";
import { seal, unseal } from "../../db/secrets.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { LeaseKey } from "./step-store.ts";

// What stands behind the placeholders of a task. Encrypted, and bound to its task and placeholder: moved elsewhere it does not open.

const contextOf = (task: string, placeholder: string): string => `task-redaction ${task} ${placeholder}`;

/** What stands behind the placeholders that the task has. */
export async function loadRedactions(db: Statements, key: Buffer, { scope, task }: LeaseKey): Promise<Replaced> {
  const rows = await db.query<{ placeholder: string; value: Buffer }>(
    "select placeholder, value from task_redactions where organization = $1 and environment = $2 and task_id = $3",
    [scope.organization, scope.environment, task],
  );
  return Object.fromEntries(
    rows.map(({ placeholder, value }) => {
      const opened = unseal(key, value, contextOf(task, placeholder));
      if (!opened) throw new Error(`a redaction of ${task} does not open under the credential key`);
      return [placeholder, JSON.parse(opened.toString()) as string | number];
    }),
  );
}

/** Keeps what stands behind new placeholders, as long as the lease holds. False where it is lost. */
export async function keepRedactions(db: Statements, key: Buffer, lease: LeaseKey, added: Replaced): Promise<boolean> {
  const entries = Object.entries(added);
  if (entries.length === 0) return true;
  const { scope, task, owner } = lease;
  const sealed = entries.map(([placeholder, original]) =>
    seal(key, Buffer.from(JSON.stringify(original)), contextOf(task, placeholder)),
  );
  const rows = await db.query(
    `with held as (select from tasks where organization = $1 and environment = $2 and id = $3 and lease_owner = $4 and status = 'running' for share)
     insert into task_redactions (organization, environment, task_id, placeholder, value)
     select $1, $2, $3, n.placeholder, n.value from held, unnest($5::text[], $6::bytea[]) as n(placeholder, value)
     on conflict do nothing returning placeholder`,
    [scope.organization, scope.environment, task, owner, entries.map(([placeholder]) => placeholder), sealed],
  );
  return rows.length === entries.length;
}
