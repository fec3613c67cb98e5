import { all, type Row, rowsOf, select, sql } from "../../../db/scoped.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { lowestId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { momentOf } from "../../../kernel/moment.ts";

export type ViolationRow = Omit<Row<"violations">, "organization" | "environment" | "key_id">;

export interface ViolationFilter {
  readonly kind?: readonly ViolationRow["kind"][];
  readonly source?: string;
  readonly agent?: readonly string[];
  readonly status?: readonly ViolationRow["status"][];
  readonly created_after?: string;
  readonly created_before?: string;
}

/** A page of violations, newest first: the ids of their records sort by time. A key that is narrowed to agents sees only theirs. */
export async function listViolations(
  ctx: ReadContext,
  { kind, source, agent, status, created_after: from, created_before: to }: ViolationFilter,
  { after, take }: PageRequest,
): Promise<ViolationRow[]> {
  const { agents } = ctx.principal;
  const query = select(ctx, "violations", "v")
    .leftJoin(rowsOf(ctx, "policies", "p"), (join) =>
      join.onRef("p.id", "=", "v.source").onRef("p.version", "=", "v.source_version"),
    )
    .select(["v.id", "v.source", "v.source_version", "v.kind", "v.reason_code", "v.message", "v.operation", "v.action"])
    .select(["v.agent", "v.task_id", "v.principal", "v.status"])
    .select((of) => of.fn.coalesce("v.owner", "p.author").as("owner"))
    .$if(kind !== undefined, (q) => q.where("v.kind", "in", kind ?? []))
    .$if(source !== undefined, (q) => q.where("v.source", "=", source ?? ""))
    .$if(agent !== undefined, (q) => q.where("v.agent", "in", agent ?? []))
    .$if(agents !== null, (q) => q.where(sql<boolean>`v.agent = any(${agents}::text[])`))
    .$if(status !== undefined, (q) => q.where("v.status", "in", status ?? []))
    .$if(from !== undefined, (q) => q.where("v.id", ">=", lowestId("aud", momentOf(from ?? ""))))
    .$if(to !== undefined, (q) => q.where("v.id", "<", lowestId("aud", momentOf(to ?? ""))))
    .$if(after !== undefined, (q) => q.where(sql<boolean>`(v.id, v.source) < (${after?.id}, ${after?.keys[0]})`))
    .orderBy("v.id", "desc")
    .orderBy("v.source", "desc")
    .limit(take);
  return all(ctx, query);
}
