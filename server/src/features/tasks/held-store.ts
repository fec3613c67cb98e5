import type { CallContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";

// What tells what holds tasks and stands in no task's row: one statement for all of a page.

type Looking = Pick<CallContext, "scope"> & { readonly db: Statements };

/** What people are asked by an approval. */
export interface AskedApproval {
  readonly id: string;
  readonly status: string;
  readonly summary: string;
  readonly reason: string | null;
  readonly decided_at: Date | null;
}

export async function readAskedApprovals(
  { scope, db }: Looking,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AskedApproval>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<AskedApproval>(
    `select id, status, summary, reason, decided_at from approvals where organization = $1 and environment = $2 and id = any($3::text[])`,
    [scope.organization, scope.environment, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** What tasks of a version may use, as far as kill switches and budgets can name it. */
export interface VersionUses {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  /** Tools by skill. */
  readonly tools: Readonly<Record<string, readonly string[]>>;
}

export async function readVersionUses(
  { scope, db }: Looking,
  ids: readonly string[],
): Promise<ReadonlyMap<string, VersionUses>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<VersionUses>(
    `select id, definition #>> '{model,provider}' as provider, coalesce(definition #>> '{model,name}', definition #>> '{model,provider}') as model,
       (select coalesce(json_object_agg(s ->> 'name', coalesce(s -> 'tools', '[]')), '{}') from jsonb_array_elements(definition -> 'skills') s) as tools
     from agent_versions where organization = $1 and id = any($2::text[])`,
    [scope.organization, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
