/**
 * The shop of the example: it pays refunds, takes them back, and tells when the bank has settled one. In memory.
 *
 *     sh bin/run examples/refund/shop.ts                            on port 4100
 *     HOOK_URL=… HOOK_SECRET=… sh bin/run examples/refund/shop.ts   and publishes events by an inbound hook
 */
import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";

interface Refund {
  readonly id: string;
  readonly order: string;
  readonly amount: number;
  status: "paid" | "settled" | "cancelled";
}

/** Where the shop publishes events, signed by Standard Webhooks. */
interface Hook {
  readonly url: string;
  readonly secret: string;
}

/** The bank settles every refund but those of this order, so that the example can show what happens then. */
const neverSettled = "or_2003";

export function createShop(hook: Hook | null = null, settleAfterMs = 1_000): Server {
  const refunds = new Map<string, Refund>();
  /** What a call under an idempotency key came to: the same call made twice pays once. */
  const done = new Map<string, Refund>();

  const pay = ({ order, amount }: { order: string; amount: number }): Refund => {
    const refund: Refund = { id: `rf_${refunds.size + 1}`, order, amount, status: "paid" };
    refunds.set(refund.id, refund);
    if (order !== neverSettled) setTimeout(() => settle(refund), settleAfterMs).unref();
    return refund;
  };
  const settle = (refund: Refund): void => {
    if (refund.status !== "paid") return;
    refund.status = "settled";
    if (hook) void publish(hook, "bank.settled", { refund: refund.id, order: refund.order });
  };

  return createServer(async (request, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body)}\n`);
    };
    const { pathname } = new URL(request.url ?? "/", "http://shop");
    if (request.method === "GET" && pathname === "/refunds") return answer(200, [...refunds.values()]);
    if (request.method !== "POST") return answer(405, { error: "POST or GET" });
    const body = JSON.parse((await textOf(request)) || "{}");
    const key = request.headers["idempotency-key"];
    const known = typeof key === "string" ? done.get(key) : undefined;
    if (known) return answer(200, known);
    if (pathname === "/orders/refund-requests") {
      if (!hook) return answer(409, { error: "Start the shop with HOOK_URL and HOOK_SECRET." });
      return answer(202, { published: await publish(hook, "order.refund_requested", body) });
    }
    const cancelled = /^\/refunds\/([^/]+)\/cancel$/.exec(pathname)?.[1];
    const refund = cancelled === undefined ? (pathname === "/refunds" ? pay(body) : undefined) : refunds.get(cancelled);
    if (!refund) return answer(404, { error: "no such refund" });
    if (cancelled !== undefined) {
      if (refund.status === "settled") return answer(409, { error: "The bank has settled it." });
      refund.status = "cancelled";
    }
    if (typeof key === "string") done.set(key, refund);
    answer(cancelled === undefined ? 201 : 200, refund);
  });
}

/** Sends an event to an inbound hook. Returns the status of its answer. */
async function publish({ url, secret }: Hook, type: string, data: unknown): Promise<number> {
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
  const id = `msg_${randomUUID()}`;
  const at = Math.floor(Date.now() / 1000);
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": `v1,${signature}`,
  };
  const { status } = await fetch(url, { method: "POST", headers, body });
  console.log(`${type} published: ${status}`);
  return status;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

if (import.meta.main) {
  const { HOOK_URL: url, HOOK_SECRET: secret } = process.env;
  const shop = createShop(url && secret ? { url, secret } : null);
  shop.listen(4100, "127.0.0.1", () => console.log("The shop listens on http://127.0.0.1:4100. Ctrl-C stops it."));
}
