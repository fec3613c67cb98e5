import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { keyEnd, surelyMayGoOnSql, whyStopped } from "../../admin/public.ts";
import { webhookPermission } from "./kind.ts";

/** What becomes of the owners of an environment's endpoints. */
export interface OwnersLook {
  /** Endpoints whose owners may not go on. */
  readonly stopped: readonly string[];
  /** When the next key by which one acts ends (milliseconds); null: none is known to. */
  readonly again: number | null;
}

interface OwnedRow {
  readonly id: string;
  readonly actor: unknown;
  readonly agents: string[] | null;
  readonly sure: boolean;
  readonly key_end: Date | null;
}

/** Looks whether the owners of an environment's enabled endpoints may go on. One statement, and more only for those against whom something is known. */
export async function lookAtOwners(db: Statements, scope: Scope, now: number): Promise<OwnersLook> {
  const rows = await db.query<OwnedRow>(
    `select w.id, w.actor, w.agents, ${surelyMayGoOnSql("w", webhookPermission, "$3")} as sure, ${keyEnd("w")} as key_end
     from webhooks w where w.organization = $1 and w.environment = $2 and w.state = 'enabled' and w.removed_at is null`,
    [scope.organization, scope.environment, new Date(now)],
  );
  const stopped: string[] = [];
  for (const row of rows.filter(({ sure }) => !sure))
    if ((await whyStopped({ scope, db, now }, row, webhookPermission)) !== null) stopped.push(row.id);
  // A key's end has parts of a millisecond, which a Date drops: it may lie within the millisecond of this look.
  const ends = rows.flatMap(({ key_end: end }) => (end !== null && end.getTime() >= now ? [end.getTime() + 1] : []));
  return { stopped, again: ends.length === 0 ? null : Math.min(...ends) };
}
