import { ends, lead, pick, type Scenario, type World } from "./torture-world.ts";

// Everything else: conversations, knowledge, evaluations, figures, webhooks, marketplace, audit log, governance, members.

const converse: Scenario = async (world) => {
  const { caller } = world;
  const user = world.mark();
  const { body: made } = await caller.change("POST", "/v1/chat/conversations", { agent: "sales", user });
  const path = `/v1/chat/conversations/${made.conversation_id}`;
  caller.ledger.expect("chat", path);
  world.known.conversations.push(path);
  await say(world, path);
  if (world.uniform() < 0.5) await say(world, path);
};

/** Sends a message and waits, afterwards, for the one reply. */
async function say(world: World, path: string): Promise<void> {
  const { caller } = world;
  const text = `${world.mark()}: is ${lead(world)} worth a call?`;
  const { body: sent } = await caller.change("POST", `${path}/messages`, { text });
  const { message_id: id, turn_id: turn } = sent;
  caller.ledger.expect("chat", `${path}/messages?limit=100`, ({ status, body }) => {
    if (status !== 200) return { verdict: "lost", why: String(status) };
    const messages: { message_id: string; turn_id: string; role: string; status: string }[] = body.data;
    const own = messages.find(({ message_id }) => message_id === id);
    if (own === undefined) return { verdict: "lost", why: `no message ${id}` };
    if (own.status !== "complete") return { verdict: "stuck", why: `${id} is ${own.status}` };
    const replies = messages.filter(({ role, turn_id }) => role === "agent" && turn_id === turn);
    const open = replies.find(({ status }) => status !== "complete");
    if (replies.length > 1) return { verdict: "doubled", why: `${replies.length} replies to ${id}` };
    if (open)
      return { verdict: open.status === "failed" ? "lost" : "stuck", why: `the reply to ${id} is ${open.status}` };
    return replies.length === 1 ? { verdict: "ok" } : { verdict: "stuck", why: `no reply to ${id}` };
  });
}

const continueConversation: Scenario = async (world) => {
  const path = world.known.conversations.shift();
  if (path === undefined) return converse(world);
  const { caller } = world;
  await say(world, path);
  const { body: file } = await caller.change("POST", `${path}/files`, { name: "order.txt", text: world.mark() });
  caller.ledger.expect("chat", `${path}/files/${file.file_id}`);
  await caller.change("PATCH", path, { title: "Changed" }, { headers: { "if-match": "*" } });
  await caller.change("POST", "/v1/chat/memories", { user: world.mark(), text: `Remember ${world.mark()}.` });
  await caller.read("/v1/chat/search", { query: "call" });
  if (world.uniform() < 0.3) await caller.change("POST", `${path}/compact`, { keep: 0 });
  await caller.read(`${path}/messages`);
};

const channel: Scenario = async (world) => {
  const name = world.mark();
  const body = { kind: "web", agent: "sales", config: { origins: ["https://www.example.com"] } };
  await world.caller.change("PUT", `/v1/chat/channels/${name}`, body);
  await world.caller.read("/v1/chat/channels");
  await world.caller.change("DELETE", `/v1/chat/channels/${name}`);
};

const library: Scenario = async (world) => {
  const { caller } = world;
  const name = world.mark();
  const { body: made } = await caller.change("POST", "/v1/knowledge/bases", { name });
  const base = `/v1/knowledge/bases/${made.base_id}`;
  caller.ledger.expect("knowledge", base);
  world.known.bases.push(base);
  const source = { kind: "folder", source: { path: world.folder } };
  await caller.change("POST", `${base}/connectors`, { name: "handbook", ...source });
  const { body: started } = await caller.change("POST", `${base}/sync`, { connector: "handbook" });
  for (const { sync_id } of started.syncs) {
    caller.ledger.expect("knowledge", `${base}/syncs/${sync_id}`, ends("completed"));
  }
};

const ingest: Scenario = async (world) => {
  const { caller } = world;
  const base = pick(world, world.known.bases);
  if (base === undefined) return library(world);
  const external_id = world.mark();
  const passage = (n: number): string => `Passage ${n} of ${external_id} says how looms are cleaned.`;
  const text = Array.from({ length: 40 }, (_, n) => passage(n)).join("\n\n");
  const { body: added } = await caller.change("POST", `${base}/documents`, { external_id, title: "Looms", text });
  const path = `${base}/documents/${added.document_id}`;
  caller.ledger.expect("knowledge", path, ends("indexed"));
  const documents = [1, 2, 3].map(() => ({ external_id: world.mark(), fields: { company: "Amber Looms", seats: 40 } }));
  const { body: bulk } = await caller.change("POST", `${base}/documents/bulk`, { documents });
  for (const { document_id } of bulk.results) {
    if (document_id) caller.ledger.expect("knowledge", `${base}/documents/${document_id}`, ends("indexed"));
  }
  await caller.read("/v1/knowledge/search", { query: "how are looms cleaned" });
  if (world.uniform() < 0.3) {
    await caller.change("PUT", path, { title: "Looms", text: `${text}\n\nAnd again.` });
    await caller.change("POST", `${path}/reindex`, {});
  }
  if (world.uniform() < 0.2) {
    caller.ledger.forget(path);
    await caller.change("DELETE", path);
  }
};

const evaluate: Scenario = async (world) => {
  const { caller } = world;
  const name = world.mark();
  const items = [0, 1, 2, 3].map((n) => ({ input: { lead_id: `ld_${1001 + n}` }, expected: { team: "midmarket" } }));
  const set = { name, agent: "sales", skill: "route_lead", items };
  const { body: dataset } = await caller.change("POST", "/v1/evaluations/datasets", set);
  await caller.change("POST", `/v1/evaluations/datasets/${name}/items`, { items: items.slice(0, 1) });
  const body = { dataset: dataset.dataset_id, version: 1, scorers: ["torture-team"], repeats: 1 };
  const { body: run } = await caller.change("POST", "/v1/evaluations/runs", body);
  caller.ledger.expect("evaluations", `/v1/evaluations/runs/${run.run_id}`, ends("completed"));
  await caller.read("/v1/evaluations/runs?limit=5");
};

const figures: Scenario = async (world) => {
  const { caller } = world;
  const alert = { name: world.mark(), measure: "tasks", condition: { kind: "above", threshold: 1e6 } };
  const { body: made } = await caller.change("POST", "/v1/analytics/alerts", alert);
  const path = `/v1/analytics/alerts/${made.alert_id}`;
  caller.ledger.expect("analytics", path);
  await caller.read("/v1/analytics/overview");
  await caller.read("/v1/analytics/query", { measures: ["tasks"] });
  await caller.read("/v1/analytics/realtime");
  const report = { name: world.mark(), agent: "sales", schedule: "0 7 * * 1", period: "week" };
  const { body: weekly } = await caller.change("POST", "/v1/analytics/reports", report);
  caller.ledger.expect("analytics", `/v1/analytics/reports/${weekly.report_id}`);
  // There is a limit to both.
  for (const one of [path, `/v1/analytics/reports/${weekly.report_id}`]) {
    if (world.uniform() < 0.7) {
      caller.ledger.forget(one);
      await caller.change("DELETE", one);
    }
  }
};

const endpoints: Scenario = async (world) => {
  const { caller } = world;
  const url = `${world.outside.url}/other/${world.mark()}`;
  const { body: made } = await caller.change("POST", "/v1/webhooks", { url, events: ["agent.*"] });
  const path = `/v1/webhooks/${made.webhook_id}`;
  caller.ledger.expect("webhooks", path);
  await caller.change("POST", `${path}/test`, {});
  await caller.change("PATCH", path, { description: "Changed." }, { headers: { "if-match": "*" } });
  await caller.read("/v1/webhooks/events?limit=20");
  await caller.read(`${path}/deliveries`);
  if (world.uniform() < 0.8) {
    caller.ledger.forget(path);
    await caller.change("DELETE", path);
  }
};

const market: Scenario = async (world) => {
  const { caller, second } = world;
  const name = world.mark();
  await caller.change("PUT", `/v1/evaluations/scorers/${name}`, {
    kind: "exact",
    pointer: "/topic",
    description: "The topic.",
    samples: [{ output: { topic: "billing" }, expected: { topic: "billing" }, score: 1 }],
  });
  caller.ledger.expect("evaluations", `/v1/evaluations/scorers/${name}`);
  const { body: made } = await caller.change("POST", "/v1/marketplace/listings", {
    name,
    version: "1.0.0",
    title: "Topics",
    summary: "Made for tests.",
    limits: ["It knows one topic."],
    source: { kind: "scorer", scorers: [name] },
  });
  const path = `/v1/marketplace/listings/${made.listing_id}`;
  caller.ledger.expect("marketplace", path);
  const review = { decision: "approve", digest: made.digest, reason: "Read and tried." };
  await second.change("POST", `${path}/review`, review);
  const suffix = `-${name.split("-").at(-1)}`;
  const { body: preview } = await caller.read(`${path}/preview`, { suffix });
  const consent = { permissions: preview.permissions_digest, publisher_key: preview.publisher.key_id };
  const { body } = await caller.change("POST", `${path}/install`, { digest: preview.digest, consent, suffix });
  if (body.install) {
    caller.ledger.expect("marketplace", `/v1/marketplace/installs/${body.install.install_id}`, ends("installed"));
  }
  await second.change("POST", `${path}/reviews`, { stars: 5 });
};

const auditor: Scenario = async (world) => {
  const { caller } = world;
  const { text } = await caller.read("/v1/audit/checkpoint");
  caller.ledger.checkpoint = text;
  const { body: listed } = await caller.read("/v1/audit/events?limit=20");
  await caller.read(`/v1/audit/events/${listed.data.at(-1).audit_ref}`);
  const format = pick(world, ["jsonl", "csv", "ocsf"]);
  const { body: made } = await caller.change("POST", "/v1/audit/exports", {
    format,
    filter: { decision: ["refused"] },
  });
  caller.ledger.expect("audit", `/v1/audit/exports/${made.export_id}`, ends("completed"));
};

const govern: Scenario = async (world) => {
  const { caller } = world;
  const { body: policy } = await caller.change("POST", "/v1/governance/policies", {
    name: world.mark(),
    scope: { agents: ["nobody"] },
    when: 'agent.name == "nobody"',
    effect: "tag",
    params: { tags: ["nobody"] },
    reason_code: "nobody",
    message: "Nobody came by.",
  });
  const path = `/v1/governance/policies/${policy.policy_id}`;
  caller.ledger.expect("governance", path);
  if (world.uniform() < 0.7) await caller.change("DELETE", path);
  await caller.read("/v1/governance/check", { action: "key.issue" });
  const target = world.mark().replaceAll("-", "_");
  const { body: stop } = await caller.change("POST", "/v1/governance/kill-switch", {
    kind: "tool",
    target,
    mode: "stop",
    reason: "the load stops it",
    allow_unknown: true,
  });
  await caller.change("DELETE", `/v1/governance/kill-switch/${stop.kill_switch_id}`, { reason: "it is over" });
  const limits = [{ unit: "tasks", period: "day", hard: 1_000_000 }];
  await caller.change("PUT", "/v1/governance/budgets/agent:sales", { limits });
  caller.ledger.expect("governance", "/v1/governance/budgets/agent:sales");
};

const people: Scenario = async (world) => {
  const { caller } = world;
  const member = `${world.mark()}@example.com`;
  await caller.change("PUT", `/v1/admin/members/${member}`, { role: "viewer", name: "Somebody" });
  caller.ledger.expect("admin", `/v1/admin/members/${member}`);
  const key = { name: world.mark(), role: "viewer", for: { service_account: world.mark() } };
  const { body: issued } = await caller.change("POST", "/v1/admin/keys", key);
  if (world.uniform() < 0.5) await caller.change("DELETE", `/v1/admin/keys/${issued.key_id}`);
  await caller.read("/v1/admin/whoami");
};

/** With their weights. */
export const data: readonly (readonly [Scenario, number])[] = [
  [converse, 6],
  [continueConversation, 3],
  [channel, 1],
  [library, 1],
  [ingest, 4],
  [evaluate, 2],
  [figures, 3],
  [endpoints, 2],
  [market, 1],
  [auditor, 3],
  [govern, 2],
  [people, 2],
];
