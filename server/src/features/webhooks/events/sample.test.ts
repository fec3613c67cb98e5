import { compileSchema } from "@aos/json-schema";
import { expect, it } from "vitest";
import { publishedOperations } from "../../../../../scripts/checks/registry.ts";
import { matchesPattern, passesFilter } from "../../../kernel/event-filter.ts";
import { eventCatalogue } from "../../../kernel/events.ts";
import { sampleOf } from "./sample.ts";

const time = "2026-11-20T09:30:00.000Z";
publishedOperations(); // declares all events

it.each(eventCatalogue().map((event) => [event.type, event] as const))(
  "makes a sample of %s that fits its schema",
  (type, event) => {
    const sample = sampleOf(event, time);
    expect(sample.event).toBe(type);
    expect(compileSchema(event.schema)(sample)).toEqual([]);
  },
);

it.each([
  ["task.completed", "task.completed", true],
  ["task.*", "task.completed", true],
  ["workflow.run.*", "workflow.run.failed", true],
  ["workflow.*", "workflow.run.failed", true],
  ["*", "ping", true],
  ["task.*", "tasks.completed", false],
  ["task", "task.completed", false],
  ["task.completed", "task.complete", false],
])("the pattern %s stands for %s: %s", (pattern, type, stands) => {
  expect(matchesPattern(pattern, type)).toBe(stands);
});

it("bounds by agent and risk leave out what concerns none", () => {
  const event = { type: "key.revoked", agent: null, risk: null, readers: null };
  expect(passesFilter({ sight: [], events: ["*"] }, event)).toBe(true);
  expect(passesFilter({ sight: [], events: ["*"], agents: ["sales"] }, event)).toBe(false);
  expect(passesFilter({ sight: [], events: ["*"], risks: ["low"] }, event)).toBe(false);
  expect(passesFilter({ sight: [], events: ["*"], withheld: ["key."] }, event)).toBe(false);
});
