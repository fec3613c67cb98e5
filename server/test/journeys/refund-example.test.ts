import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { findingsOf, type WorkflowDefinition } from "@aos/workflow";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { createShop } from "../../../examples/refund/shop.ts";
import { asking, endOf, startedRun, stepOf } from "../../src/features/workflows/steps.fixture.ts";
import { useApp } from "../../src/testing/app.ts";
import { eventually } from "../../src/testing/tasks.ts";

// The example that comes with the service, as its README tries it: everything real, with the built-in model.

const app = useApp({ role: "all" });
const folder = path.resolve(import.meta.dirname, "../../../examples/refund");
const shop = createShop();
const files = { agent: {} as { skills: object[] }, workflow: {} as WorkflowDefinition };

const call = async (method: string, address: string, body?: unknown) => {
  const { status, body: answered, text } = await app.call(method, address, body === undefined ? {} : { body });
  if (status >= 300) throw new Error(`${method} ${address} answered ${status}: ${text}`);
  return answered;
};

async function addFile(base: string, name: string): Promise<void> {
  await call("POST", "/v1/knowledge/bases", { name: base });
  const form = new FormData();
  form.set("file", new Blob([await readFile(path.join(folder, name))]), name);
  const headers = { authorization: `Bearer ${app.key("admin")}` };
  const added = await fetch(`${app.url}/v1/knowledge/bases/${base}/documents`, { method: "POST", headers, body: form });
  expect(added.status, await added.clone().text()).toBe(202);
  const { document_id: id } = (await added.json()) as { document_id: string };
  await eventually(async () =>
    expect(await call("GET", `/v1/knowledge/bases/${base}/documents/${id}`)).toMatchObject({ state: "indexed" }),
  );
}

beforeAll(async () => {
  shop.listen(0, "127.0.0.1");
  await once(shop, "listening");
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const read = async (name: string) =>
    (await readFile(path.join(folder, name), "utf8")).replaceAll("http://127.0.0.1:4100", url);
  files.agent = parse(await read("support.yaml"));
  files.workflow = parse(await read("refund.yaml"));
  await addFile("orders", "orders.csv");
  await call("POST", "/v1/agents", files.agent);
  const { version } = await call("POST", "/v1/agents/support/versions", { note: "First." });
  await call("POST", "/v1/agents/support/deployments", { version });
}, 60_000);
afterAll(() => void shop.close());

/** A run of the file, which waits for the bank only that long. */
function refund(order: string, at_most: string): Promise<string> {
  const { workflow: _name, triggers: _none, steps, ...rest } = files.workflow;
  const given = { order_id: order, message: "It arrived broken." };
  const shorter = steps.map((step) => (step.wait ? { ...step, wait: { ...step.wait, at_most } } : step));
  return startedRun(app, { ...rest, steps: shorter, given });
}
const paid = async () =>
  (await (await fetch(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/refunds`)).json()) as {
    order: string;
    status: string;
  }[];

it("pays a small refund without asking, and takes it back where the bank does not settle it", async () => {
  const run = await refund("or_2003", "1s");
  expect(await endOf(app, run)).toMatchObject({ status: "compensated" });
  expect((await stepOf(app, run, "judge"))?.output).toMatchObject({ amount: 38, customer: "Cedar Clocks" });
  expect(await stepOf(app, run, "route")).toMatchObject({ status: "skipped" });
  expect((await stepOf(app, run, "tell"))?.output).toMatchObject({ completed: 1 });
  expect(await paid()).toMatchObject([{ order: "or_2003", amount: 38, status: "cancelled" }]);
});

it("asks people about a large one, shows them the payment, and pays it once they approve", async () => {
  const run = await refund("or_2002", "10m");
  const task = await asking(app, run, "route");
  const shown = await call("GET", `/v1/approvals/${task}`);
  expect(shown).toMatchObject({
    title: "Refund or_2002 to Birch Lamps",
    action: { arguments: { calls: { pay: { tool: "issue_refund", arguments: { order: "or_2002", amount: 489 } } } } },
  });
  await call("POST", `/v1/approvals/${task}/approve`, { digest: shown.digest });
  await eventually(async () => expect(await stepOf(app, run, "settle")).toMatchObject({ status: "waiting" }));
  expect((await paid()).filter(({ order }) => order === "or_2002")).toHaveLength(1);
});

it("has no findings", () => {
  const { skills, tools } = files.agent as unknown as {
    skills: { name: string; input: Record<string, unknown>; output: Record<string, unknown> }[];
    tools: { name: string; arguments: Record<string, unknown>; effect: "read" | "write" }[];
  };
  const findings = findingsOf(files.workflow, {
    skill: (_agent, name) => skills.find((one) => one.name === name) ?? "none",
    tool: (_agent, name) => tools.find((one) => one.name === name) ?? "none",
    workflow: () => "none",
  });
  expect(findings).toEqual([]);
});
