import { describe, expect, test } from "vitest";
import type { PolicyContext } from "./context.ts";
import { createPolicySet } from "./evaluate.ts";
import { aContext, compiled } from "./fixtures.ts";
import type { Policy } from "./policy.ts";
import { Replay } from "./replay.ts";

const setOf = (policies: Partial<Policy>[]) => createPolicySet(policies.map(compiled), 0);
const candidate = (members: Partial<Policy>): Partial<Policy> => ({ id: "pol_c", ...members });
let n = 0;
const call = (context: Partial<PolicyContext> | null, changed: string[] = []) => ({
  auditRef: `aud_${++n}`,
  taskId: null,
  changed,
  context: context && aContext(context),
});

function replay(before: Partial<Policy>[], after: Partial<Policy>[], calls: ReturnType<typeof call>[]) {
  const one = new Replay(setOf(before), setOf(after), "pol_c");
  for (const recorded of calls) one.add(recorded);
  return one.counts();
}

describe("A replay", () => {
  const small = call({ input: { amount: 5 } });
  const large = call({ input: { amount: 5000 }, agent: { name: "finance", labels: [] } });
  const above = "has(input.amount) && input.amount > 100";

  test("Counts what would come out otherwise, with examples and by agent, and nothing else.", () => {
    const counts = replay([], [candidate({ when: above })], [small, large, large]);
    expect(counts).toMatchObject({
      calls: 3,
      not_replayable: 0,
      matched: 2,
      failed: 0,
      would_be_denied: 2,
      would_wait: 0,
      no_longer_denied: 0,
    });
    expect(counts.examples).toEqual(
      [large, large].map(({ auditRef }) => ({
        audit_ref: auditRef,
        task_id: null,
        agent: "finance",
        before: "allow",
        after: "deny",
      })),
    );
    expect(counts.by_agent.map(({ agent, calls, would_be_denied }) => [agent, calls, would_be_denied])).toEqual([
      ["finance", 2, 2],
      ["sales", 1, 0],
    ]);
  });

  test("Tells what a replaced version no longer does.", () => {
    const waits = candidate({ effect: "require_approval" });
    expect(replay([candidate({})], [candidate({ when: above })], [small, large])).toMatchObject({
      no_longer_denied: 1,
      would_be_denied: 0,
    });
    expect(replay([candidate({})], [waits], [small])).toMatchObject({ no_longer_denied: 1, would_wait: 1 });
    expect(replay([waits], [candidate({ effect: "tag", params: { tags: ["a"] } })], [small])).toMatchObject({
      no_longer_wait: 1,
      matched: 1,
    });
    expect(replay([waits], [candidate({})], [small])).toMatchObject({ would_be_denied: 1, no_longer_wait: 0 });
  });

  test("What another policy denies anyway does not count as this one's.", () => {
    expect(replay([{ id: "pol_other" }], [{ id: "pol_other" }, candidate({})], [small])).toMatchObject({
      matched: 1,
      would_be_denied: 0,
      examples: [],
    });
  });

  test("Where an action cannot wait for people, a demand for approval denies.", () => {
    const asks = candidate({ effect: "require_approval", scope: { actions: ["key.issue"] } });
    expect(replay([], [asks], [call({ action: "key.issue" })])).toMatchObject({ would_be_denied: 1, would_wait: 0 });
  });

  test("Counts redactions and bounds that are new, and calls on which the condition fails.", () => {
    const run = call({ action: "task.run" });
    expect(replay([], [candidate({ effect: "redact", params: {} })], [run])).toMatchObject({ would_be_redacted: 1 });
    const limit = candidate({ effect: "limit", params: { steps: 2 }, scope: { actions: ["task.run"] } });
    expect(replay([], [limit], [run])).toMatchObject({ would_be_limited: 1 });
    expect(replay([limit], [limit], [run])).toMatchObject({ would_be_limited: 0, examples: [] });
    expect(replay([], [candidate({ when: "has(input.lead_id) && input.lead_id > 1" })], [run])).toMatchObject({
      failed: 1,
      matched: 0,
      would_be_denied: 1,
    });
  });

  test("Leaves out a call of which something was overwritten that a policy reads, and no other.", () => {
    const rewritten = call({ input: { amount: 5 } }, ["input", "trust"]);
    expect(replay([], [candidate({ when: above })], [rewritten])).toMatchObject({ calls: 0, not_replayable: 1 });
    expect(
      replay([{ when: "has(trust.low) && trust.low < 0.1" }], [candidate({ when: "risk.score > 1" })], [rewritten]),
    ).toMatchObject({
      not_replayable: 1,
    });
    expect(replay([], [candidate({ when: "size(data.kinds) > 0" })], [rewritten])).toMatchObject({ not_replayable: 1 });
    expect(replay([], [candidate({ when: "risk.score > 1" })], [rewritten])).toMatchObject({
      calls: 1,
      would_be_denied: 1,
    });
    expect(replay([], [candidate({ when: above, scope: { agents: ["other"] } })], [rewritten])).toMatchObject({
      calls: 1,
      not_replayable: 0,
    });
    expect(replay([], [candidate({})], [call(null)])).toMatchObject({ calls: 0, not_replayable: 1 });
  });
});
