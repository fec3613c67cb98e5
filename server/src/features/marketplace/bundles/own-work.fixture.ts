import { type VerifiedBundle, verifyBundle } from "@aos/bundle";
import type { CallOptions, TestApp } from "../../../testing/app.ts";
import { manifestOf } from "../marketplace.fixture.ts";
import type { ListingSource } from "../schemas.ts";
import { type BundleContents, readContents } from "./contents.ts";

// Own work in a service under test, to be submitted.

/** A call that has to succeed; returns its body. */
export async function succeed(app: TestApp, method: string, path: string, body?: object, options: CallOptions = {}) {
  const answered = await app.call(method, path, { ...options, ...(body && { body }) });
  if (answered.status >= 300) throw new Error(`${method} ${path} answered ${answered.status}: ${answered.text}`);
  return answered.body;
}

let made = 0;

/** A body that submits own work under a name that no other listing has. */
export function submissionOf(source: ListingSource, more: object = {}): Record<string, unknown> {
  made += 1;
  const { title, summary, limits } = manifestOf(source.kind);
  return { ...{ name: `own-${made}`, version: "1.0.0", title, summary, limits: [...limits] }, source, ...more };
}

/** What a version of a listing holds, as its travelling file gives it. */
export async function packedIn(
  app: TestApp,
  listing: string,
  version = "1.0.0",
): Promise<VerifiedBundle & { contents: BundleContents }> {
  const rows = await app.pool.query<{ file: string }>(
    "select file from marketplace_versions where listing_id = $1 and version = $2",
    [listing, version],
  );
  const bundle = verifyBundle(rows.rows[0]?.file as string);
  return { ...bundle, contents: readContents(bundle.files, bundle.manifest) };
}

const scorerBody = {
  kind: "exact",
  pointer: "/topic",
  description: "The topic.",
  samples: [{ output: { topic: "billing" }, expected: { topic: "billing" }, score: 1 }],
};
const items = [
  { item: "one", input: { note: "Paid twice" }, expected: { topic: "billing" }, must_pass: true, labels: ["easy"] },
  { input: { note: "Box was open" }, expected: { topic: "delivery" }, cluster: "boxes" },
  { input: { note: "Hello" } },
];

/** An agent of its own with a frozen version 1, and what one may pack with it. */
export async function ownAgent(app: TestApp, options: CallOptions = {}) {
  made += 1;
  const [name, base] = [`own-agent-${made}`, `own-base-${made}`];
  const names = {
    name,
    base,
    dataset: `own-cases-${made}`,
    training: `own-training-${made}`,
    scorer: `own-topic-${made}`,
  };
  const body = {
    agent: name,
    description: "Sorts notes.",
    labels: ["notes"],
    model: { provider: "builtin" },
    knowledge: [base],
    tools: [
      { name: "find_topic", kind: "search", effect: "read", bases: [base] },
      {
        name: "read_order",
        kind: "http",
        effect: "read",
        connection: "shop",
        request: { method: "GET", url: "https://shop.example/orders/{order}" },
        arguments: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
      },
    ],
    skills: [
      {
        name: "sort_note",
        tools: ["find_topic"],
        limits: { steps: 4, cost_usd: 0.01 },
        input: { type: "object", required: ["note"], properties: { note: { type: "string" } } },
        output: { type: "object", properties: { topic: { enum: ["billing", "delivery"] } } },
      },
    ],
  };
  await succeed(app, "POST", "/v1/agents", body, options);
  await succeed(app, "POST", `/v1/agents/${name}/versions`, {}, options);
  const set = { agent: name, skill: "sort_note", description: "Notes.", items };
  await succeed(app, "POST", "/v1/evaluations/datasets", { ...set, name: names.dataset }, options);
  await succeed(app, "POST", "/v1/evaluations/datasets", { ...set, name: names.training }, options);
  await succeed(app, "PUT", `/v1/evaluations/scorers/${names.scorer}`, scorerBody, options);
  return names;
}

/** A gate of an agent over its dataset by its scorer. */
export async function setOwnGate(
  app: TestApp,
  own: Awaited<ReturnType<typeof ownAgent>>,
  more: object = {},
): Promise<void> {
  const gate = {
    datasets: [own.dataset],
    scorers: [{ scorer: own.scorer, floor: 0.5 }],
    floor: 0.4,
    repeats: 1,
    max_repeats: 1,
    ...more,
  };
  const { headers: read } = await app.call("GET", `/v1/evaluations/gates/${own.name}`);
  const headers = { "if-match": read.get("etag") ?? "" };
  await succeed(app, "PUT", `/v1/evaluations/gates/${own.name}`, gate, { headers });
}

/** A base with documents: one for everybody, one for admins alone. */
export async function fillBase(app: TestApp, base: string): Promise<void> {
  await succeed(app, "POST", "/v1/knowledge/bases", { name: base, description: "Topics." });
  const documents = [
    { external_id: "billing", title: "Billing", text: "Invoices and payments.", metadata: { team: "finance" } },
    { external_id: "secret", text: "Nobody else reads this.", readers: ["role:admin"] },
  ];
  await succeed(app, "POST", `/v1/knowledge/bases/${base}/documents/bulk`, { documents });
}

/** A policy of the environment. */
export async function ownPolicy(app: TestApp, more: object = {}): Promise<string> {
  made += 1;
  const { policy_id } = await succeed(app, "POST", "/v1/governance/policies", {
    name: `No cards: ${made}`,
    scope: { actions: ["task.dispatch"] },
    when: '"payment_card" in data.kinds',
    effect: "deny",
    reason_code: "card",
    message: "No card numbers.",
    ...more,
  });
  return policy_id;
}

/** A published workflow in version 1. */
export async function ownWorkflow(app: TestApp): Promise<string> {
  made += 1;
  const workflow = `own-round-${made}`;
  const steps = [{ id: "ask", approval: { title: "'Look at ' + input.note" } }];
  const input = { type: "object", properties: { note: { type: "string" } }, required: ["note"] };
  await succeed(app, "POST", "/v1/workflows", { workflow, input, steps, output: { note: "input.note" } });
  await succeed(app, "POST", `/v1/workflows/${workflow}/publish`, {});
  return workflow;
}
