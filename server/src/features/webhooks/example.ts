import type { CreatedWebhook, Delivery, DeliveryDetail, Event, Webhook } from "./schemas.ts";

/** An endpoint for the description and the documentation. */
export const exampleWebhook: Webhook = {
  webhook_id: "whk_01jd8x0000000000000000000a",
  url: "https://hooks.example.com/aos",
  description: "The support team's inbox",
  events: ["task.approval_required", "task.completed"],
  withheld: [],
  agents: ["sales"],
  risks: null,
  format: "flat",
  rate_per_second: null,
  state: "enabled",
  state_since: "2026-11-20T09:30:00.000Z",
  disabled_reason: null,
  stopped_reason: null,
  missed_since: null,
  recovering: false,
  secret_overlap_until: null,
  health: {
    last_success_at: "2026-11-20T09:41:07.250Z",
    failing_since: null,
    last_failure: null,
    pending: 0,
    next_attempt_at: null,
  },
  created_by: "mbr_01jd8x0000000000000000000e",
  created_at: "2026-11-20T09:30:00.000Z",
  updated_at: "2026-11-20T09:30:00.000Z",
};

/** Nobody's secret: 32 zero bytes. */
export const exampleCreated: CreatedWebhook = {
  ...exampleWebhook,
  secret: `whsec_${Buffer.alloc(32).toString("base64")}`,
};

export const exampleEvent: Event = {
  event_id: "evt_01jd8x0000000000000000000f",
  sequence: 42,
  type: "task.approval_required",
  time: "2026-11-20T09:41:07.000Z",
  agent: "sales",
  risk: "medium",
  task_id: "tsk_01jd8x0000000000000000000a",
  audit_ref: "aud_01jd8x0000000000000000000b",
  data: {
    event: "task.approval_required",
    task_id: "tsk_01jd8x0000000000000000000a",
    agent: "sales",
    risk: "medium",
    summary: "The dispatch asks for approval.",
    approve_url: "http://127.0.0.1:4000/approvals/tsk_01jd8x0000000000000000000a",
  },
};

export const exampleDelivery: Delivery = {
  delivery_id: "dlv_01jd8x0000000000000000000c",
  webhook_id: exampleWebhook.webhook_id,
  event_id: exampleEvent.event_id,
  event: exampleEvent.type,
  sequence: exampleEvent.sequence,
  test: false,
  state: "delivered",
  attempts: 1,
  in_progress: false,
  last_status: 204,
  last_error: null,
  next_attempt_at: null,
  created_at: "2026-11-20T09:41:07.009Z",
  finished_at: "2026-11-20T09:41:07.250Z",
};

/** Put on its way a moment ago. */
export const exampleSent: Delivery = {
  ...exampleDelivery,
  state: "pending",
  attempts: 0,
  last_status: null,
  next_attempt_at: exampleDelivery.created_at,
  finished_at: null,
};

export const exampleDetail: DeliveryDetail = {
  ...exampleDelivery,
  request_body: JSON.stringify(exampleEvent.data),
  attempt_list: [
    {
      number: 1,
      started_at: "2026-11-20T09:41:07.011Z",
      latency_ms: 239,
      url: exampleWebhook.url,
      request_headers: {
        "webhook-id": exampleEvent.event_id,
        "webhook-timestamp": "1795167667",
        "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
        "aos-environment": "development",
        "aos-sequence": "42",
        "aos-audit-ref": "aud_01jd8x0000000000000000000b",
      },
      status: 204,
      error: null,
      detail: null,
      response_excerpt: null,
    },
  ],
};
