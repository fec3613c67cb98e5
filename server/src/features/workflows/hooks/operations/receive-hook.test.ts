import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import type { Environment } from "../../../../kernel/principal.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { sequenced } from "../../triggers/triggers.fixture.ts";

const app = useSharedApp();
const secrets = new Map<Environment, string>();
beforeAll(async () => {
  for (const environment of ["development", "staging"] as const)
    secrets.set(
      environment,
      (await app.call("POST", "/v1/hooks", { environment, body: { name: "received" } })).body.secret,
    );
});

let sent = 0;
/** A call as another service makes it, by the library of Standard Webhooks. */
function signed(
  body: unknown,
  { secret = secrets.get("development") as string, id = `msg_${++sent}`, at = new Date() } = {},
) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, text),
  };
  return { key: null, body: text, headers };
}
const send = (given: ReturnType<typeof signed>) => app.call("POST", "/v1/hooks/received", given);
const received = async (environment: Environment = "development") => {
  await sequenced(app);
  return (await app.call("GET", "/v1/webhooks/events?event=hook.received", { environment })).body.data;
};

describe("an inbound hook", () => {
  it("takes what a sender of Standard Webhooks signs, without a key, as the event hook.received", async () => {
    const body = { type: "order.refund_requested", timestamp: "2026-11-20T09:30:00Z", data: { order_id: "or_1" } };
    const { status, body: taken, headers } = await send(signed(body));
    expect([status, taken.repeated, taken.audit_ref]).toEqual([202, false, headers.get("audit-ref")]);
    const [event] = await received();
    expect(event).toMatchObject({ audit_ref: taken.audit_ref });
    expect(event.data).toEqual({ event: "hook.received", hook: "received", type: body.type, data: body.data });
  });

  it("takes a call once: a repetition with the same webhook-id is answered alike and has no effect", async () => {
    const before = (await received()).length;
    const call = signed({ type: "order.paid" });
    const [first, second] = [await send(call), await send(call)];
    expect([first.body.repeated, second.status, second.body.repeated]).toEqual([false, 202, true]);
    expect(second.body.audit_ref).toBe(first.body.audit_ref);
    expect((await received()).length).toBe(before + 1);
  });

  it("belongs to the environment whose secret has signed", async () => {
    await send(signed({ type: "order.staged" }, { secret: secrets.get("staging") as string }));
    expect((await received("staging")).map((event: { data: { type: string } }) => event.data.type)).toEqual([
      "order.staged",
    ]);
  });

  it("refuses what is unsigned, changed, signed by another secret, or more than five minutes old", async () => {
    const call = signed({ type: "a" });
    const foreign = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
    const tries = [
      { ...call, headers: {} as typeof call.headers },
      { ...call, body: JSON.stringify({ type: "b" }) },
      signed({ type: "a" }, { secret: foreign }),
      signed({ type: "a" }, { at: new Date(Date.now() - 310_000) }),
      signed({ type: "a" }, { at: new Date(Date.now() + 310_000) }),
    ];
    const before = (await received()).length;
    for (const one of tries) {
      const { status, headers } = await send(one);
      expect([status, headers.get("www-authenticate")]).toEqual([401, "Webhook-Signature"]);
    }
    const withKey = await app.call("POST", "/v1/hooks/received", { body: { type: "a" } });
    expect(withKey.status).toBe(401);
    expect((await received()).length).toBe(before);
  });

  it("forges no event of the catalogue, and takes no body that is no object or too large", async () => {
    const forged = await send(signed({ type: "task.completed", data: { task_id: "tsk_1" } }));
    expect([forged.status, forged.body.errors[0]]).toMatchObject([422, { pointer: "/type", code: "reserved" }]);
    expect((await send(signed([1]))).status).toBe(422);
    const large = await send(signed({ type: "a", data: { text: "x".repeat(256 * 1024) } }));
    expect([large.status, large.body.limit_bytes]).toEqual([413, 256 * 1024]);
  });

  it("takes calls of the old secret until the overlap ends, and none of a hook that was removed", async () => {
    const rotate = (overlap_seconds: number) =>
      app.call("POST", "/v1/hooks/received/rotate-secret", { body: { overlap_seconds } });
    const old = secrets.get("development") as string;
    const { secret } = (await rotate(60)).body;
    expect([(await send(signed({}, { secret: old }))).status, (await send(signed({}, { secret }))).status]).toEqual([
      202, 202,
    ]);
    const last = (await rotate(0)).body.secret as string;
    expect((await send(signed({}, { secret }))).status).toBe(401);
    expect((await send(signed({}, { secret: last }))).status).toBe(202);
    await app.call("DELETE", "/v1/hooks/received", { body: {} });
    expect((await send(signed({}, { secret: last }))).status).toBe(401);
  });
});
