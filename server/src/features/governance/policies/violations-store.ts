import type { ReadContext } from "../../../kernel/context.ts";
import { lowestId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { momentOf } from "../../../kernel/moment.ts";

export interface ViolationFilter {
  readonly kind?: readonly string[];
  readonly source?: string;
  readonly agent?: readonly string[];
  readonly status?: readonly string[];
  readonly created_after?: string;
  readonly created_before?: string;
}

export interface ViolationRow {
  id: string;
  source: string;
  source_version: number | null;
  kind: "blocked" | "would_block" | "would_wait" | "warned";
  reason_code: string;
  message: string;
  operation: string;
  action: string;
  agent: string | null;
  task_id: string | null;
  principal: string;
  status: "open" | "resolved";
  owner: string | null;
}

/** A page of violations, the newest first: the ids of their records sort by time. A key that is narrowed to agents sees theirs only. */
export async function listViolations(
  ctx: ReadContext,
  filter: ViolationFilter,
  page: PageRequest,
): Promise<ViolationRow[]> {
  const after = filter.created_after === undefined ? null : lowestId("aud", momentOf(filter.created_after));
  const before = filter.created_before === undefined ? null : lowestId("aud", momentOf(filter.created_before));
  return ctx.db.query<ViolationRow>(
    `select v.id, v.source, v.source_version, v.kind, v.reason_code, v.message, v.operation, v.action, v.agent, v.task_id, v.principal, v.status,
       coalesce(v.owner, p.author) as owner
     from violations v left join policies p
       on p.organization = v.organization and p.environment = v.environment and p.id = v.source and p.version = v.source_version
     where v.organization = $1 and v.environment = $2 and ($3::text[] is null or v.kind = any($3)) and ($4::text is null or v.source = $4)
       and ($5::text[] is null or v.agent = any($5)) and ($6::text[] is null or v.agent = any($6)) and ($7::text[] is null or v.status = any($7))
       and ($8::text is null or v.id >= $8) and ($9::text is null or v.id < $9) and ($10::text is null or (v.id, v.source) < ($10, $11))
     order by v.id desc, v.source desc limit $12`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      filter.kind ?? null,
      filter.source ?? null,
      filter.agent ?? null,
      ctx.principal.agents,
      filter.status ?? null,
      after,
      before,
      page.after?.id ?? null,
      page.after?.keys[0] ?? null,
      page.take,
    ],
  );
}
