import { expect, it } from "vitest";
import { exampleAlert } from "../../../server/src/features/analytics/example.ts";
import {
  exampleAnomalies,
  exampleApprovals,
  exampleKnowledge,
  exampleQuality,
  exampleRealtime,
  exampleRisk,
} from "../../../server/src/features/analytics/quality/example.ts";
import type { Terminal } from "../terminal.ts";
import { summaryOf } from "./summaries.ts";

const sink = { write: () => true };
const terminal: Terminal = { stdin: process.stdin, stdout: sink, stderr: sink, env: { NO_COLOR: "1" }, isTTY: false };

it.each([
  ["analytics.readQuality", exampleQuality, ["accepted_rate", "80.7 %", "Version 4 of sales was deployed."]],
  ["analytics.readApprovalFigures", exampleApprovals, ["quick", "38 of 104 approvals", "<0.0001"]],
  ["analytics.readRisk", exampleRisk, ["amount_above_limit", "6 stopped by people", "tool send_email"]],
  ["analytics.readKnowledgeFigures", exampleKnowledge, ["handbook", "86 %", "Old prices"]],
  ["analytics.readAnomalies", exampleAnomalies, ["sales spent 9.40 US dollars"]],
  ["analytics.readRealtime", exampleRealtime, ["running", "1 worker with 3 tasks"]],
  ["analytics.readAlert", exampleAlert, ["below 0.85, clears at 0.9", "has fired", "81 %"]],
])("says what %s comes to", (id, body, parts) => {
  const text = summaryOf(id, body, terminal)?.join("\n") ?? "";
  for (const part of parts) expect(text).toContain(part);
  expect(summaryOf(id, {}, terminal)).toBeNull();
});

it("sets a canary beside the live version, with its looks and what they lead to", () => {
  const arm = {
    tasks: 40,
    open: 0,
    judged: 30,
    trust_mean: 0.8,
    cost_per_task: 0.004,
    duration_p90: 2.5,
    version: 2,
    accepted: { value: 0.9, low: 0.744, high: 0.965 },
    succeeded: { value: null, low: null, high: null },
  };
  const body = {
    deployment_id: "dep_1",
    agent: "sales",
    state: "canary",
    outcome: null,
    reason: null,
    share: 20,
    rule: { promote: "by_rule", tolerance: 0.05 },
    arms: { canary: arm, stable: { ...arm, version: 1 } },
    looks: [{ look: 1, at: "2026-11-20T00:00:00.000Z", judged: 25, verdict: "undecided", text: "Too few." }],
    outlook: { text: "It is found no worse soon." },
    notes: [],
  };
  const text = (summaryOf("analytics.readExperiment", body, terminal) ?? []).join("\n");
  expect(text).toContain("dep_1: canary of sales, canary; gets 20 % of new tasks; promoted by rule, tolerance 0.05");
  expect(text).toMatch(/canary, version 2 +40 +0 +30 +90 % \(74\.4 % to 96\.5 %\) +– +0\.8 +\$0\.004 +2\.5 s/);
  expect(text).toMatch(/\n1 +\S+ \S+ +25 +undecided +Too few\.\n\nIt is found no worse soon\.$/);
});

it("lists measures and dimensions of queries", () => {
  const measure = {
    name: "tasks",
    family: "tasks",
    unit: "count",
    better: null,
    interval: false,
    about: "Dispatched.",
  };
  const dimension = { name: "agent", families: ["tasks", "steps"], values: ["sales"] };
  const lines = summaryOf(
    "analytics.readSchema",
    { measures: [measure], dimensions: [dimension], labels: [], grains: ["day"] },
    terminal,
  );
  expect(lines?.[1]).toMatch(/^tasks +tasks +count +– +Dispatched\.$/);
  expect(lines?.[4]).toMatch(/^agent +tasks, steps +sales$/);
});
