import { expect, it } from "vitest";
import { exampleHistory, exampleSimilar } from "../../../server/src/features/approvals/example.ts";
import type { Terminal } from "../terminal.ts";
import { summaryOf } from "./summaries.ts";

const sink = { write: () => true };
const terminal: Terminal = { stdin: process.stdin, stdout: sink, stderr: sink, env: { NO_COLOR: "1" }, isTTY: false };

it.each([
  ["approvals.readHistory", exampleHistory, ["commented", "Owner", "viewed", "3"]],
  ["approvals.readSimilar", exampleSimilar, ["12 decided cases", "11 approved", "Qualify lead ld_1007"]],
])("says what %s comes to", (id, body, parts) => {
  const text = summaryOf(id, body, terminal)?.join("\n") ?? "";
  for (const part of parts) expect(text).toContain(part);
  expect(summaryOf(id, {}, terminal)).toBeNull();
});
