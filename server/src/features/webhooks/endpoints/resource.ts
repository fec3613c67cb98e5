import { Type } from "typebox";
import { roleNow } from "../../../db/endpoint-sight.ts";
import { rowsOf, select, sql } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineFacts } from "../../../kernel/facts.ts";
import { isId } from "../../../kernel/ids.ts";
import { exempt } from "../../../kernel/operation.ts";
import { defineResource } from "../../../resources/resource.ts";
import { json, type Query } from "../../../resources/rows.ts";
import { erasedBy, erasedWith, ownTables, untilRemoved } from "../../../resources/tables.ts";
import { tooManyWebhooks } from "../errors.ts";
import { exampleWebhook } from "../example.ts";
import { Webhook, WebhookId } from "../schemas.ts";
import { type WebhookHealth, type WebhookRow, type WebhookTexts, webhookRevision, webhookView } from "./view.ts";

export const owned = ownTables({
  webhooks: {
    keeps: untilRemoved("A removed endpoint keeps its row, without its secrets, so that its deliveries still name it."),
    personal: {
      columns: ["url", "description", "created_by", "actor", "sight_of"],
      erased: erasedBy("webhooks.removeWebhook"),
    },
  },
  webhook_health: {
    keeps: untilRemoved("One row for each endpoint, with the outcome of its last attempt."),
    personal: { columns: ["last_error"], erased: erasedWith("webhooks") },
  },
  webhook_cursors: {
    keeps: untilRemoved("One row for each environment: how far its events have become deliveries."),
    personal: exempt("a position"),
  },
});

/** Keeps nothing in memory: raising the topic makes the delivery workers read the endpoints again. */
export const webhookFacts = defineFacts({ topic: "webhooks", load: async () => null });

export const mostWebhooks = 1_000;
/** At most so many pending deliveries are counted. */
const counted = 10_000;

/** Endpoints of the environment with their health and what waits for them. */
const endpoints = (ctx: QueryContext): Query<WebhookRow> =>
  select(ctx, "webhooks", "r")
    .leftJoin(rowsOf(ctx, "webhook_health", "h"), "h.webhook_id", "r.id")
    .innerJoinLateral(
      (of) =>
        of
          .selectFrom(
            of
              .selectFrom(rowsOf(ctx, "deliveries", "d"))
              .select("d.next_at")
              .whereRef("d.webhook_id", "=", "r.id")
              .where("d.state", "=", "pending")
              .orderBy("d.next_at")
              .limit(counted)
              .as("waiting"),
          )
          .select([sql<number>`count(*)::int`.as("pending"), sql<Date | null>`min(next_at)`.as("next_at")])
          .as("q"),
      (join) => join.onTrue(),
    )
    .where("r.removed_at", "is", null)
    .selectAll("r")
    .select(["h.last_success_at", "h.failing_since", "h.last_failure_at", "h.last_status", "h.last_error"])
    .select(["q.pending", "q.next_at"])
    .select(sql.raw(roleNow("r")).as("role_now")) as unknown as Query<WebhookRow>;

const WebhookMember = Type.Object({ webhook: WebhookId });

export const webhooks = defineResource<"webhooks", typeof Webhook, typeof WebhookMember, WebhookTexts, WebhookHealth>({
  table: owned.webhooks,
  key: "id",
  isKey: (text) => isId(text, "whk"),
  json: json<WebhookTexts, "risks">()(),
  reads: endpoints,
  limit: {
    most: mostWebhooks,
    lock: "webhooks",
    counts: "r.removed_at is null",
    refuse: ({ scope: { environment } }) => {
      const most = mostWebhooks.toLocaleString("en-US");
      return refuse(tooManyWebhooks, `There are ${most} endpoints in ${environment}; remove one first.`);
    },
  },
  path: "/v1/webhooks",
  member: WebhookMember,
  item: Webhook,
  identity: "webhook_id",
  example: { params: { webhook: exampleWebhook.webhook_id }, item: exampleWebhook },
  view: (row, { now }) => webhookView(row, now),
  revision: webhookRevision,
  revisionOfPart: true,
  object: "webhook",
  objects: "webhooks",
  permission: { read: "webhooks:read", change: "webhooks:write" },
  governs: { read: "webhook.read", change: "webhook.change", remove: "webhook.remove" },
  decides: exempt("endpoints receive events and give agents nothing"),
  touches: webhookFacts,
});
