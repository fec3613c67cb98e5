import { randomBytes } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it, onTestFinished } from "vitest";
import { useApp } from "../../server/src/testing/app.ts";
import { startReceiver } from "../../server/src/testing/receiver.ts";
import { createClient, unwrap, type WebhookEvent, WebhookVerificationError, webhooks } from "./index.ts";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const flat = {
  event: "task.approval_required",
  task_id: "tsk_01jd8x0000000000000000000a",
  agent: "sales",
  risk: "medium",
  summary: "It sends an offer – to a customer.",
  approve_url: "http://127.0.0.1:4000/approvals/tsk_01jd8x0000000000000000000a",
};
const bodies = {
  flat,
  standard: { type: flat.event, timestamp: "2026-11-20T09:30:00.000Z", data: flat },
  cloudevents: {
    ...{
      specversion: "1.0",
      id: "evt_1",
      source: "/environments/development",
      type: flat.event,
      time: "2026-11-20T09:30:00.000Z",
    },
    subject: flat.task_id,
    datacontenttype: "application/json",
    data: flat,
  },
} as const;

/** A delivery, signed by the reference implementation. */
function delivery(
  body: string,
  { at = new Date(), by = secret }: { at?: Date; by?: string } = {},
): Record<string, string> {
  return {
    "Webhook-Id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new StandardWebhook(by).sign("evt_1", at, body),
    "aos-environment": "development",
    "aos-sequence": "42",
    "aos-audit-ref": "aud_1",
  };
}
const text = JSON.stringify(flat);

describe("unwrapping a webhook", () => {
  it.each(Object.entries(bodies))("answers the event, its format %s, and what its headers say", (format, body) => {
    const sent = JSON.stringify(body);
    const at = new Date();
    expect(webhooks.unwrap(sent, delivery(sent, { at }), secret)).toEqual({
      id: "evt_1",
      type: "task.approval_required",
      data: flat,
      format,
      sentAt: new Date(Math.floor(at.getTime() / 1000) * 1000),
      environment: "development",
      sequence: 42,
      auditRef: "aud_1",
      checkpoint: null,
      test: false,
    });
  });

  it("knows by the type what the data is", () => {
    const event: WebhookEvent = unwrap(text, delivery(text), secret);
    expect(event.type === "task.approval_required" && event.data.approve_url).toBe(flat.approve_url);
  });

  it("takes what svix signs, bytes, and headers of fetch or of node:http", () => {
    const at = new Date();
    const headers = { ...delivery(text, { at }), "webhook-signature": new SvixWebhook(secret).sign("evt_1", at, text) };
    expect(unwrap(Buffer.from(text), new Headers(headers), secret).data).toEqual(flat);
    expect(
      unwrap(new TextEncoder().encode(text), { ...headers, "set-cookie": ["a=1", "b=2"], unset: undefined }, secret).id,
    ).toBe("evt_1");
  });

  it("takes any of several secrets, and any of several signatures, while one is being replaced", () => {
    const other = `whsec_${randomBytes(32).toString("base64")}`;
    expect(unwrap(text, delivery(text, { by: other }), [secret, other]).id).toBe("evt_1");
    const both = {
      ...delivery(text),
      "webhook-signature": `${delivery(text, { by: other })["webhook-signature"]} ${delivery(text)["webhook-signature"]}`,
    };
    expect(unwrap(text, both, secret).id).toBe("evt_1");
  });
});

describe("a delivery of the service", () => {
  const app = useApp({ role: "all" });

  it.each(["flat", "standard", "cloudevents"] as const)("is unwrapped, its format %s", async (format) => {
    const receiver = await startReceiver(() => ({ status: 204 }));
    onTestFinished(() => receiver.close());
    const aos = createClient({ baseUrl: app.url, key: app.key("admin") });
    const endpoint = await aos.webhooks.createWebhook({
      url: `${receiver.url}/${format}`,
      events: ["task.approval_required"],
      format,
    });
    const { task_id, audit_ref } = await app.dispatch();
    const [{ body, headers }] = (await receiver.until(`/${format}`, 1)) as [(typeof receiver.received)[0]];
    const event = unwrap(body, headers, endpoint.secret as string);
    expect(event).toMatchObject({
      type: "task.approval_required",
      format,
      environment: "development",
      auditRef: audit_ref,
      test: false,
    });
    expect(event.data).toMatchObject({
      event: "task.approval_required",
      task_id,
      approve_url: `http://127.0.0.1:4000/approvals/${task_id}`,
    });
    expect([event.id, event.sequence]).toEqual([expect.stringMatching(/^evt_/), expect.any(Number)]);
    expect(Math.abs(Date.now() - event.sentAt.getTime())).toBeLessThan(300_000);
    await aos.webhooks.removeWebhook({ webhook: endpoint.webhook_id });
  });

  it("is known as a test where somebody tries the endpoint", async () => {
    const receiver = await startReceiver(() => ({ status: 204 }));
    onTestFinished(() => receiver.close());
    const aos = createClient({ baseUrl: app.url, key: app.key("admin") });
    const { webhook_id: webhook, secret: own } = await aos.webhooks.createWebhook({
      url: `${receiver.url}/test`,
      events: ["task.*"],
    });
    await aos.webhooks.testWebhook({ webhook });
    const [{ body, headers }] = (await receiver.until("/test", 1)) as [(typeof receiver.received)[0]];
    expect(unwrap(body, headers, own as string).test).toBe(true);
  });
});

describe("a webhook that is none of the service's", () => {
  const refused = (body: string | Uint8Array, headers: Record<string, string>, by: string | string[] = secret) =>
    expect(() => unwrap(body, headers, by)).toThrow(WebhookVerificationError);

  it("is refused where body, id, time or signature were changed", () => {
    refused(text.replace("medium", "low"), delivery(text));
    refused(`${text} `, delivery(text));
    refused(text, { ...delivery(text), "Webhook-Id": "evt_2" });
    refused(text, { ...delivery(text), "webhook-timestamp": String(Math.floor(Date.now() / 1000) - 1) });
    refused(text, { ...delivery(text), "webhook-signature": `v1,${randomBytes(32).toString("base64")}` });
    refused(text, { ...delivery(text), "webhook-signature": "v1" });
    refused(text, delivery(text, { by: `whsec_${randomBytes(32).toString("base64")}` }));
  });

  it.each([-301, 301])("is refused where it was sent %i seconds from now, and taken a second nearer", (seconds) => {
    const at = (offset: number) => new Date(Date.now() + offset * 1000);
    refused(text, delivery(text, { at: at(seconds + Math.sign(seconds)) }));
    expect(unwrap(text, delivery(text, { at: at(seconds - 2 * Math.sign(seconds)) }), secret).id).toBe("evt_1");
  });

  it.each(["Webhook-Id", "webhook-timestamp", "webhook-signature"])("is refused without %s", (name) => {
    const { [name]: _left, ...headers } = delivery(text);
    refused(text, headers);
  });

  it("is refused where it is no UTF-8, or carries no event", () => {
    refused(new Uint8Array([0xff, 0xfe]), delivery(text));
    for (const body of ["[]", "null", '{"task_id":"tsk_1"}', "not json"]) refused(body, delivery(body));
  });

  it("is distinguished from a mistake in the receiver: a parsed body, no secret, no valid secret", () => {
    expect(() => unwrap(flat as unknown as string, delivery(text), secret)).toThrow(/takes the body as it came/);
    expect(() => unwrap(text, delivery(text), [])).toThrow(/takes the secret/);
    expect(() => unwrap(text, delivery(text), "whsec_")).toThrow(/Secret can't be empty/);
  });
});
