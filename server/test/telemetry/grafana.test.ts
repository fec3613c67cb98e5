import { readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import { expect, it, vi } from "vitest";
import { useApp } from "../../src/testing/app.ts";

// The dashboard file against the metrics of a service that did some work.

const app = useApp({ role: "all" });

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const file = new URL("../../../deploy/grafana/agent-operations.json", import.meta.url);
const { panels } = JSON.parse(readFileSync(file, "utf8")) as { panels: readonly Panel[] };
const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

/** Names of metrics and of labels in a PromQL expression, by Prometheus' own grammar. */
function namesIn(expression: string): { metrics: string[]; labels: string[] } {
  // As Grafana replaces them.
  const text = expression.replaceAll("$__rate_interval", "5m").replaceAll("$environment", ".*");
  const found = { metrics: [] as string[], labels: [] as string[] };
  parser.parse(text).iterate({
    enter({ name, from, to, type }) {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${expression}`);
      if (name === "Identifier") found.metrics.push(text.slice(from, to));
      if (name === "LabelName") found.labels.push(text.slice(from, to));
    },
  });
  return found;
}

it("the Grafana dashboard asks only for metrics and labels that the service has", async () => {
  await app.dispatch({ require_approval: false });
  await vi.waitFor(async () => {
    const { text } = await app.call("GET", "/metrics", { key: null });
    expect(text).toContain('event="task.completed"');
  }, 20_000);
  const { text } = await app.call("GET", "/metrics", { key: null });
  const declared = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  expect(queries.length).toBeGreaterThan(20);
  for (const { title, expr } of queries) {
    const { metrics, labels } = namesIn(expr);
    expect(metrics.length, `${title}: ${expr}`).toBeGreaterThan(0);
    for (const metric of metrics) {
      expect(declared, title).toContain(metric.replace(/_(bucket|count|sum)$/, ""));
      const samples = text.split("\n").filter((line) => line.startsWith(`${metric}{`));
      if (samples.length === 0) continue; // nothing of it has happened yet
      const known = new Set(samples.flatMap((line) => [...line.matchAll(/([a-z_]+)="/g)].map(([, name]) => name)));
      expect(
        labels.filter((label) => !known.has(label)),
        `${title}: labels of ${metric}`,
      ).toEqual([]);
    }
  }
});
