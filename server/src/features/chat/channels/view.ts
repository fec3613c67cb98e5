import type { StoredRow } from "../../../resources/rows.ts";
import type { Channel } from "./schemas.ts";

export type ChannelJson = { readonly config: object; readonly reader: object };
export type ChannelDeliveries = {
  readonly waiting: number;
  readonly failed: number;
  readonly delivery_error: string | null;
  readonly sends_fail: boolean;
};
export type ChannelRow = StoredRow<"chat_channels", ChannelJson>;

export function channelView(row: ChannelRow & ChannelDeliveries, appUrl: string): Channel {
  return {
    name: row.name,
    kind: row.kind,
    agent: row.agent,
    enabled: row.enabled,
    config: { ...row.config },
    has_secret: row.secret !== null,
    events_url: row.kind === "slack" ? `${appUrl}/v1/chat/channels/${row.name}/events` : null,
    state: stateOf(row),
    stopped_reason: row.stopped_reason,
    last_error: row.last_error,
    last_read_at: row.last_read_at?.toISOString() ?? null,
    deliveries: { waiting: row.waiting, failed: row.failed, last_error: row.delivery_error },
    answers_for: row.created_by,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function stateOf({
  enabled,
  stopped_reason,
  last_error,
  sends_fail,
}: ChannelRow & ChannelDeliveries): Channel["state"] {
  if (!enabled) return "disabled";
  if (stopped_reason !== null) return "stopped";
  return last_error !== null || sends_fail ? "failing" : "ok";
}
