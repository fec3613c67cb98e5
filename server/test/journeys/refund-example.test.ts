import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { createShop } from "../../../examples/refund/shop.ts";
import { useApp } from "../../src/testing/app.ts";
import { eventually } from "../../src/testing/tasks.ts";

// The example that comes with the service, as its README tries it: everything real, with the built-in model.

const app = useApp({ role: "all" });
const folder = path.resolve(import.meta.dirname, "../../../examples/refund");
let shop: Server | undefined;
const shopUrl = () => `http://127.0.0.1:${((shop as Server).address() as AddressInfo).port}`;

const call = async (method: string, address: string, body?: unknown, headers = {}) => {
  const answered = await app.call(method, address, { headers, ...(body !== undefined && { body }) });
  if (answered.status >= 300) throw new Error(`${method} ${address} answered ${answered.status}: ${answered.text}`);
  return answered.body;
};
/** A file of the example, with the shop of this test; the bank is not awaited as long. */
const read = async (name: string) =>
  (await readFile(path.join(folder, name), "utf8"))
    .replaceAll("http://127.0.0.1:4100", shopUrl())
    .replace("at_most: 30s", "at_most: 5s");

beforeAll(async () => {
  const { secret } = await call("POST", "/v1/hooks", { name: "shop" });
  shop = createShop({ url: `${app.url}/v1/hooks/shop`, secret }, 200).listen(0, "127.0.0.1");
  await once(shop, "listening");
  await call("POST", "/v1/knowledge/bases", { name: "shop-orders" });
  const form = new FormData();
  form.set("file", new Blob([await read("orders.csv")]), "orders.csv");
  const headers = { authorization: `Bearer ${app.key("admin")}` };
  const added = await fetch(`${app.url}/v1/knowledge/bases/shop-orders/documents`, {
    method: "POST",
    headers,
    body: form,
  });
  const { document_id: id } = (await added.json()) as { document_id: string };
  await eventually(async () =>
    expect(await call("GET", `/v1/knowledge/bases/shop-orders/documents/${id}`)).toMatchObject({ state: "indexed" }),
  );
  await call("POST", "/v1/agents", parse(await read("support.yaml")));
  await call("POST", "/v1/agents/support/versions", { note: "First." });
  await call("POST", "/v1/agents/support/deployments", { version: 1 });
  const yaml = { "content-type": "application/yaml" };
  expect((await call("POST", "/v1/workflows", await read("refund.yaml"), yaml)).findings).toEqual([]);
  await call("POST", "/v1/workflows/refund/publish", {}, { "if-match": "*" });
}, 90_000);
afterAll(() => void shop?.close());

/** Has the shop publish that a customer wants money back. Returns the run that this starts. */
async function requested(order_id: string, message: string): Promise<string> {
  const body = JSON.stringify({ order_id, message });
  const answered = await fetch(`${shopUrl()}/orders/refund-requests`, { method: "POST", body });
  expect(await answered.json()).toEqual({ published: 202 });
  return eventually(async () => {
    const { data } = await call("GET", "/v1/workflows/refund/runs");
    const run = data.find((one: { input: { order_id: string } }) => one.input.order_id === order_id);
    if (!run) throw new Error(`no run of ${order_id}`);
    return run.run_id;
  });
}
const runOf = (run: string) => call("GET", `/v1/workflows/refund/runs/${run}`);
const ends = (run: string, status: string) =>
  eventually(async () => {
    const now = await runOf(run);
    expect(now, JSON.stringify(now.failure)).toMatchObject({ status });
    return now;
  });
const refundOf = async (order: string) => {
  const refunds = (await (await fetch(`${shopUrl()}/refunds`)).json()) as { order: string; status: string }[];
  return refunds.filter((one) => one.order === order);
};

it("pays a small refund without asking, once the shop's event has started a run", async () => {
  const run = await requested("or_2001", "The lamp arrived broken.");
  const ended = await ends(run, "completed");
  expect(ended.output).toMatchObject({ refunded: 64.5 });
  expect(ended.steps.find((one: { step: string }) => one.step === "route")).toMatchObject({ status: "skipped" });
  expect(await refundOf("or_2001")).toMatchObject([{ amount: 64.5, status: "settled" }]);
});

it("asks people about a large one, shows them the payment, and pays it once they approve", async () => {
  const run = await requested("or_2002", "One leg of the desk is bent.");
  const [asked] = await eventually(async () => {
    const { data } = await call("GET", `/v1/approvals?run=${run}`);
    expect(data).toHaveLength(1);
    return data;
  });
  const shown = await call("GET", `/v1/approvals/${asked.approval_id}`);
  expect(shown).toMatchObject({
    title: "Refund or_2002 to Birch Lamps",
    action: { arguments: { calls: { pay: { tool: "issue_refund", arguments: { order: "or_2002", amount: 489 } } } } },
  });
  expect(await refundOf("or_2002")).toEqual([]);
  await call("POST", `/v1/approvals/${asked.approval_id}/approve`, { digest: shown.digest });
  await ends(run, "completed");
  expect(await refundOf("or_2002")).toMatchObject([{ amount: 489, status: "settled" }]);
});

it("takes a refund back that the bank does not settle", async () => {
  const run = await requested("or_2003", "The glass of the clock is cracked.");
  await ends(run, "compensated");
  expect(await refundOf("or_2003")).toMatchObject([{ amount: 38, status: "cancelled" }]);
});
