import { expect, test } from "vitest";
import { insideOperations, publishedOperations } from "../../../../scripts/checks/registry.ts";
import { describe as descriptionOf } from "../../kernel/operation-seal.ts";
import { AGENT_ACTIONS, canWait, KNOWN_ACTIONS, NEVER_DENIED_ACTIONS } from "./actions.ts";

test("A policy can name the action of every operation, and every action that agents or owners have.", () => {
  const declared = [...publishedOperations().map(descriptionOf), ...insideOperations()].flatMap(
    ({ action }) => action ?? [],
  );
  expect(declared.length).toBeGreaterThan(20);
  for (const action of [...declared, ...AGENT_ACTIONS, ...NEVER_DENIED_ACTIONS])
    expect(KNOWN_ACTIONS).toContain(action);
  expect(KNOWN_ACTIONS).toEqual([...new Set(KNOWN_ACTIONS)].sort());
});

test("What a task or a tool call needs approval for waits; everything else is refused.", () => {
  expect(KNOWN_ACTIONS.filter(canWait)).toEqual(["task.dispatch", "task.run", "tool.call"]);
});
