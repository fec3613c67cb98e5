import { prefetch } from "../../api/queries.ts";
import { listDeliveries, listEventTypes, listWebhooks, readWebhook } from "../../api/webhooks.ts";
import { textOf, wordOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";

const states = ["pending", "delivered", "failed", "cancelled"] as const;

export interface WebhooksSearch {
  readonly cursor?: string;
}
export interface WebhookSearch {
  /** Deliveries of one state; all by default. */
  readonly state?: (typeof states)[number];
  readonly cursor?: string;
  /** The delivery that is looked at. */
  readonly delivery?: string;
}

export const listSearch = (search: Record<string, unknown>): WebhooksSearch => ({ cursor: textOf(search, "cursor") });
export const oneSearch = (search: Record<string, unknown>): WebhookSearch => ({
  state: wordOf(search, "state", states),
  cursor: textOf(search, "cursor"),
  delivery: textOf(search, "delivery"),
});

/** What the rooms show for an address. */
export const webhooksOf = ({ cursor }: WebhooksSearch) => listWebhooks({ limit: 25, ...(cursor ? { cursor } : {}) });
export const deliveriesOf = (webhook: string, { state, cursor }: WebhookSearch) =>
  listDeliveries(webhook, { limit: 25, ...(state ? { state: [state] } : {}), ...(cursor ? { cursor } : {}) });

export const loadList = ({ queryClient }: LoaderContext, search: WebhooksSearch) =>
  prefetch(queryClient, webhooksOf(search), listEventTypes());
export const loadOne = ({ queryClient }: LoaderContext, webhook: string, search: WebhookSearch) =>
  prefetch(queryClient, readWebhook(webhook), deliveriesOf(webhook, search), listEventTypes());
