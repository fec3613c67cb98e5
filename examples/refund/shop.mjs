// A shop with a bank, for trying the refund workflow: keeps refunds and messages in memory, and tells the service what happens by a signed hook.
//   node shop.mjs <address of the hook> <its secret>

import { createHmac, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const [hook, secret] = process.argv.slice(2);
const refunds = new Map();
const messages = [];
/** Answers of calls by their idempotency key: a repeated one is carried out once. */
const answers = new Map();

/** Sends an event to the hook, signed as Standard Webhooks says (standardwebhooks.com). */
async function tell(type, data) {
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
  const answer = await fetch(hook, { method: "POST", headers, body });
  console.log(`${type} ${JSON.stringify(data)}: ${answer.status}`);
  if (!answer.ok) console.log(await answer.text());
}

function carryOut(path, body) {
  if (path === "/requests") {
    void tell("order.refund_requested", body);
    return [202, {}];
  }
  if (path === "/refunds") {
    const refund = { id: `re_${refunds.size + 1}`, order: body.order, amount: body.amount, status: "paid" };
    refunds.set(refund.id, refund);
    setTimeout(() => void tell("bank.settled", { refund: refund.id }), 1000);
    return [201, refund];
  }
  const [, id] = /^\/refunds\/(\w+)\/cancel$/.exec(path) ?? [];
  if (refunds.has(id)) {
    refunds.get(id).status = "cancelled";
    return [200, refunds.get(id)];
  }
  if (path === "/messages" && !body.to) return [422, { error: "The order has no mail address." }];
  if (path === "/messages") return [201, { id: `ms_${messages.push(body)}`, ...body }];
  return [404, { error: "Nothing is here." }];
}

createServer(async (request, response) => {
  const { method, url, headers } = request;
  if (method === "GET") return send(response, 200, { refunds: [...refunds.values()], messages });
  const key = headers["idempotency-key"];
  const answer = answers.get(key) ?? carryOut(url, await json(request));
  if (key !== undefined) answers.set(key, answer);
  return send(response, ...answer);
}).listen(4900, "127.0.0.1", () => console.log("The shop is open at http://127.0.0.1:4900"));

function send(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
