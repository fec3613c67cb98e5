import { parseVerifierKey } from "@aos/proof";
import { isoTime } from "../../../kernel/clock.ts";
import type { CallContext } from "../../../kernel/context.ts";
import { timeOfId } from "../../../kernel/ids.ts";
import { pick } from "../../../kernel/pick.ts";
import type { StoredRow } from "../../../resources/rows.ts";
import { exportPort } from "../ports.ts";
import type { AuditSink, NotSent, SinkFilter } from "./schemas.ts";
import type { TargetOfKind } from "./target-schemas.ts";

export interface SinkJson {
  readonly target: TargetOfKind[keyof TargetOfKind];
  readonly filter: SinkFilter;
  readonly not_sent: readonly NotSent[];
  readonly last_error: { readonly code: string; readonly detail: string; readonly at: string } | null;
}

/** What the log says of a sink, which its row does not hold. */
export interface SinkLog {
  /** Of the log that its places are counted in; null: nothing is in it yet. */
  readonly origin: string | null;
  /** Records behind its position. */
  readonly lag: number;
  /** The first of them; null: there is none. */
  readonly oldest: string | null;
}

export type StoredSink = StoredRow<"audit_sinks", SinkJson>;
export type SinkRow = StoredSink & SinkLog;

export function sinkView(row: SinkRow, ctx: CallContext): AuditSink {
  const oldest = row.oldest === null ? undefined : timeOfId(row.oldest);
  return {
    sink_id: row.id,
    ...pick(row, ["name", "kind", "format", "filter", "state", "stopped_reason", "sent_records"]),
    ...pick(row, ["checkpoint", "last_error", "since_leaf", "revision", "created_by"]),
    position: row.next_leaf,
    target: { ...row.target },
    not_sent: [...row.not_sent],
    has_credentials: row.credentials !== null,
    log: row.origin ?? parseVerifierKey(ctx.port(exportPort).logKey(ctx.scope)).name,
    lag_records: row.lag,
    lag_seconds: row.lag === 0 || oldest === undefined ? 0 : Math.max(0, (ctx.now - oldest) / 1_000),
    last_sent_at: isoTime(row.last_sent_at),
    failing_since: isoTime(row.failing_since),
    next_attempt_at: row.last_error === null ? null : isoTime(row.next_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
