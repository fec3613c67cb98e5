import { readFileSync } from "node:fs";
import path from "node:path";
import parse from "parse-prometheus-text-format";
import { describe, expect, it, vi } from "vitest";
import { createMetricsServer, serveMetrics } from "../../src/telemetry/index.ts";
import { useApp } from "../../src/testing/app.ts";

// The metrics of a service as Prometheus would read them: by a parser that is not ours.

const app = useApp({ role: "all" });

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Scraped {
  /** By the name of the metric, with its type. */
  readonly families: ReadonlyMap<string, { readonly type: string; readonly help: string }>;
  readonly samples: readonly Sample[];
}

type Parsed = {
  name: string;
  help: string;
  type: string;
  metrics: { labels?: Record<string, string>; value?: string }[];
}[];

const scrape = async (): Promise<Scraped> => {
  const { status, headers, text } = await app.call("GET", "/metrics", { key: null });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const families = new Map((parse(text) as Parsed).map(({ name, type, help }) => [name, { type, help }]));
  // The parser drops the labels of histograms; without their types it reads their parts as metrics of their own.
  const apart = parse(text.replaceAll(/^# (?:TYPE|HELP) .*$/gm, "")) as Parsed;
  const samples = apart.flatMap(({ name, metrics }) =>
    metrics.map(({ labels = {}, value }) => ({ name, labels, value: Number(value) })),
  );
  return { families, samples };
};

const fits = (labels: Sample["labels"], wanted: Sample["labels"]): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value);

/** The sum of the samples of a metric with these labels; of a histogram its count. */
const sumOf = ({ samples }: Scraped, name: string, wanted: Sample["labels"] = {}): number =>
  samples
    .filter((one) => (one.name === name || one.name === `${name}_count`) && fits(one.labels, wanted))
    .reduce((sum, { value }) => sum + value, 0);

describe("the gauges of connections", () => {
  it("do not count those who wait only to answer who asks for metrics", async () => {
    // The first to ask: nothing was read a moment ago that could be answered again.
    expect(sumOf(await scrape(), "aos_database_connections", { state: "waited_for" })).toBe(0);
  });
});

describe("the metrics of a task", () => {
  it("count its call, its stages, its run, its model and its tool", async () => {
    const before = await scrape();
    const { task_id } = await app.dispatch({ require_approval: false });
    await vi.waitFor(
      async () => expect((await app.call("GET", `/v1/tasks/${task_id}`)).body.status).toBe("completed"),
      {
        timeout: 20_000,
      },
    );
    await vi.waitFor(async () => {
      const after = await scrape();
      const more = (name: string, labels: Record<string, string> = {}) =>
        sumOf(after, name, labels) - sumOf(before, name, labels);
      expect(more("aos_calls_total", { operation: "agents.dispatchTask", door: "http", status: "202" })).toBe(1);
      expect(more("aos_call_duration_seconds", { operation: "agents.dispatchTask", door: "http" })).toBe(1);
      expect(more("aos_calls_total", { operation: "tasks.startTask", door: "inside", status: "200" })).toBe(1);
      expect(more("aos_stage_duration_seconds", { stage: "compliance" })).toBeGreaterThanOrEqual(6);
      expect(more("aos_decisions_total", { stage: "evaluation_gate", verdict: "allow" })).toBe(2);
      for (const event of ["task.created", "task.started", "task.completed"])
        expect(more("aos_events_total", { event, environment: "development" })).toBe(1);
      expect(more("aos_task_run_seconds", { ending: "completed" })).toBe(1);
      expect(more("aos_task_wait_seconds")).toBe(1);
      expect(more("aos_model_call_seconds", { provider: "builtin", outcome: "answered" })).toBe(2);
      expect(more("aos_model_tokens_total", { kind: "input" })).toBeGreaterThan(0);
      expect(more("aos_tool_calls_total", { tool: "get_lead", kind: "record", outcome: "answered" })).toBe(1);
      for (const group of ["calls", "runs"])
        expect(more("aos_commit_batch_calls", { group })).toBeGreaterThanOrEqual(1);
      expect(sumOf(after, "aos_worker_running_tasks")).toBe(0);
      expect(sumOf(after, "aos_worker_capacity_tasks")).toBe(64);
      expect(sumOf(after, "aos_calls_in_flight")).toBe(0);
    });
  });

  it("tell what waits for people, how old that is, and what they decided", async () => {
    const before = await scrape();
    const { task_id } = await app.dispatch();
    await vi.waitFor(
      async () => {
        const waiting = await scrape();
        expect(sumOf(waiting, "aos_approvals_pending", { environment: "development" })).toBe(1);
        expect(sumOf(waiting, "aos_tasks", { environment: "development", state: "awaiting_approval" })).toBe(1);
        expect(sumOf(waiting, "aos_approvals_oldest_seconds", { environment: "development" })).toBeGreaterThan(0);
        expect(sumOf(waiting, "aos_audit_tree_size", { environment: "development" })).toBeGreaterThan(0);
      },
      { timeout: 20_000, interval: 100 },
    );
    const { digest } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
    const reason = "This lead asked not to be contacted.";
    expect((await app.call("POST", `/v1/approvals/${task_id}/reject`, { body: { digest, reason } })).status).toBe(200);
    const after = await scrape();
    expect(
      sumOf(after, "aos_approvals_decided_total", { decision: "rejected" }) -
        sumOf(before, "aos_approvals_decided_total"),
    ).toBe(1);
  });

  it("count a lapsed lease when the sweeper takes the task back", async () => {
    const { task_id } = await app.dispatch();
    await app.pool.query(
      "update tasks set status = 'running', lease_owner = 'gone', lease_until = now() - interval '1 second', started_at = now(), attempt = 1 where id = $1",
      [task_id],
    );
    await vi.waitFor(
      async () =>
        expect(
          sumOf(await scrape(), "aos_tasks_requeued_total", { why: "lease_lapsed", environment: "development" }),
        ).toBe(1),
      { timeout: 20_000, interval: 100 },
    );
  });

  it("tell how much of a budget is used, and count what it refuses", async () => {
    const path = "/v1/governance/budgets/agent:sales";
    const [one] = (await app.call("PUT", path, { body: { limits: [{ unit: "tasks", period: "total", hard: 1 }] } }))
      .body.limits;
    expect(one).toMatchObject({ used: 0 });
    await app.dispatch();
    const refused = await app.call("POST", "/v1/agents/sales/tasks", {
      body: { task: "qualify_lead", lead_id: "ld_1001" },
    });
    expect(refused.body.code).toBe("budget_exhausted");
    const labels = { environment: "development", scope: "agent:sales", unit: "tasks", period: "total" };
    await vi.waitFor(
      async () => {
        const scraped = await scrape();
        expect(sumOf(scraped, "aos_budget_used_ratio", labels)).toBe(1);
        expect(sumOf(scraped, "aos_refusals_total", { code: "budget_exhausted" })).toBe(1);
      },
      { timeout: 20_000, interval: 100 },
    );
    await app.call("PUT", path, { body: { limits: [] } });
  });
});

describe("the metrics of ingest", () => {
  it("count documents by what came of them and their format, their time and bytes", async () => {
    const documents = "/v1/knowledge/bases/figures/documents";
    await app.call("POST", "/v1/knowledge/bases", { body: { name: "figures" } });
    await app.call("POST", documents, { body: { text: "# Tides", media_type: "text/markdown" } });
    const form = new FormData();
    form.append("file", new Blob(["%PDF-1.7 broken"], { type: "application/pdf" }), "tides.pdf");
    const headers = { authorization: `Bearer ${app.key("admin")}` };
    await fetch(`${app.url}${documents}`, { method: "POST", headers, body: form });
    await vi.waitFor(async () => {
      const scraped = await scrape();
      for (const name of ["aos_ingested_documents_total", "aos_ingest_seconds"]) {
        expect(sumOf(scraped, name, { outcome: "indexed", format: "markdown" })).toBe(1);
        expect(sumOf(scraped, name, { outcome: "damaged", format: "pdf" })).toBe(1);
      }
      expect(sumOf(scraped, "aos_ingested_bytes_total", { format: "markdown" })).toBe(7);
    }, 20_000);
  });
});

describe("hostile calls", () => {
  const hostile = Array.from({ length: 100 }, (_, n) => `x${n}`);

  it("leave no trace of what they wrote, and no series each", async () => {
    const before = await app.call("GET", "/metrics", { key: null });
    const calls = hostile.map((word) =>
      Promise.all([
        app.call("GET", `/v1/${word}`),
        app.call("GET", `/v1/tasks/${word}`),
        app.call("GET", `/v1/agents/${word}`, { key: word }),
        app.call("POST", `/v1/agents/${word}/tasks`, {
          body: { task: word },
          headers: { traceparent: word, "idempotency-key": word },
        }),
      ]),
    );
    await Promise.all(calls);
    const after = await app.call("GET", "/metrics", { key: null });
    const series = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length;
    expect(after.text).not.toMatch(/x\d/);
    expect(series(after.text) - series(before.text)).toBeLessThan(100);
    expect(sumOf(await scrape(), "aos_calls_total", { operation: "service.unmatchedPath", status: "404" })).toBe(
      hostile.length,
    );
    expect(sumOf(await scrape(), "aos_refusals_total", { code: "not_found" })).toBeGreaterThanOrEqual(
      2 * hostile.length,
    );
  });
});

describe("every metric", () => {
  it("has a help text, a type and a unit in its name, and stands in the table of the documentation", async () => {
    const page = readFileSync(path.join(import.meta.dirname, "../../../docs/operations/observability.md"), "utf8");
    const own = [...(await scrape()).families].filter(([name]) => name.startsWith("aos_"));
    expect(own.length).toBeGreaterThan(30);
    for (const [name, { help, type }] of own) {
      expect(help, name).toMatch(/\w/);
      expect(type === "COUNTER", name).toBe(name.endsWith("_total"));
      expect(page.includes(`| \`${name}\` |`), `${name} is in the table`).toBe(true);
    }
    const listed = [...page.matchAll(/^\| `(aos_[a-z_]+)`/gm)].map((match) => match[1] as string);
    expect(listed.filter((name) => !own.some(([known]) => known === name))).toEqual([]);
  });
});

describe("who may read metrics", () => {
  const expose = async () => ({ contentType: "text/plain", text: "aos_up 1\n" });
  const token = "a-token-of-the-operator";

  it.each([
    ["whoever reaches an open address", { token: null, open: true }, undefined, 200],
    ["nobody where callers reach the address and no token is set", { token: null, open: false }, undefined, 403],
    ["nobody without the token", { token, open: true }, undefined, 401],
    ["nobody with another one", { token, open: false }, `Bearer ${token}x`, 401],
    ["who has the token", { token, open: false }, `bearer ${token}`, 200],
  ])("is %s", async (_who, access, authorization, status) => {
    const answer = await serveMetrics(access, authorization, expose);
    expect(answer.status).toBe(status);
    expect(answer.body.includes("aos_up")).toBe(status === 200);
    if (status === 403) expect(answer.body).toContain("AOS_METRICS_TOKEN");
  });

  it("tells at their port, without a token, whether the process lives and can work", async () => {
    let fresh = true;
    const metrics = (given: string | undefined) => serveMetrics({ token, open: false }, given, expose);
    const server = await createMetricsServer({ host: "127.0.0.1", port: 0, metrics, ready: () => fresh });
    try {
      const ask = async (where: string) => {
        const response = await fetch(`http://127.0.0.1:${server.port}${where}`);
        return [response.status, await response.json()];
      };
      expect([await ask("/healthz"), await ask("/readyz")]).toEqual([
        [200, { status: "ok" }],
        [200, { status: "ready" }],
      ]);
      fresh = false;
      expect([await ask("/healthz"), await ask("/readyz")]).toEqual([
        [200, { status: "ok" }],
        [503, { status: "not ready" }],
      ]);
    } finally {
      await server.stop();
    }
  });

  it("reads them at a port of their own, where nothing of the interface is", async () => {
    const metrics = (given: string | undefined) => serveMetrics({ token, open: true }, given, expose);
    const server = await createMetricsServer({ host: "127.0.0.1", port: 0, metrics, ready: () => true });
    try {
      const ask = async (where: string, init: RequestInit = {}) =>
        (await fetch(`http://127.0.0.1:${server.port}${where}`, init)).status;
      expect(await ask("/metrics", { headers: { authorization: `Bearer ${token}` } })).toBe(200);
      expect(await ask("/metrics")).toBe(401);
      expect(await ask("/v1/agents")).toBe(404);
      expect(await ask("/metrics", { method: "POST" })).toBe(405);
    } finally {
      await server.stop();
    }
  });
});
