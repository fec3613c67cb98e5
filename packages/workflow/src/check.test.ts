import { describe, expect, it } from "vitest";
import { findingsOf } from "./check.ts";
import type { Step, WorkflowDefinition } from "./definition.ts";
import type { KnownCalls } from "./known.ts";

const text = { type: "string" };
const known: KnownCalls = {
  skill: (agent, skill) =>
    agent !== "support"
      ? `There is no agent ${agent}.`
      : skill === "judge"
        ? {
            input: {
              type: "object",
              required: ["message"],
              properties: { message: text, urgent: { type: "boolean" } },
              additionalProperties: false,
            },
            output: { type: "object", required: ["amount"], properties: { amount: { type: "number" }, note: text } },
          }
        : `support has no skill ${skill}.`,
  tool: (_agent, name) => (name === "pay" ? { effect: "write" } : `support has no tool ${name}.`),
  workflow: (name) => (name === "other" ? {} : `There is no workflow ${name}.`),
};

const judge: Step = { id: "judge", agent: { name: "support", skill: "judge", input: { message: "input.message" } } };
const found = (steps: readonly Step[], more: Partial<WorkflowDefinition> = {}) =>
  findingsOf(
    {
      workflow: "checked",
      input: { type: "object", required: ["message"], properties: { message: text, note: text } },
      ...more,
      steps,
    },
    known,
  );
const codes = (...given: Parameters<typeof found>) => found(...given).map(({ pointer, code }) => `${pointer} ${code}`);

describe("a workflow's check", () => {
  it("finds nothing in the example of the guide", () => {
    const steps: Step[] = [
      judge,
      {
        id: "route",
        when: "steps.judge.output.amount > 100.0 || steps.judge.trust_low < 0.8",
        approval: { title: "'Refund ' + input.message", covers: ["pay"] },
      },
      {
        id: "pay",
        needs: ["judge", "route"],
        tool: { agent: "support", name: "pay", arguments: { amount: "steps.judge.output.amount" } },
        compensate: { tool: { agent: "support", name: "pay", arguments: { refund: "steps.pay.output.id" } } },
      },
      {
        id: "settle",
        wait: {
          event: "bank.settled",
          where: "event.refund == steps.pay.output.id",
          at_most: "5d",
          on_timeout: "compensate",
        },
      },
    ];
    expect(
      found(steps, {
        output: { refunded: "steps.pay.output.amount" },
        triggers: [{ event: "order.refund", map: { message: "event.message" } }],
      }),
    ).toEqual([]);
  });

  it("knows that an approval answers `approved`, and no comment", () => {
    const ask: Step = { id: "ask", approval: { title: "'x'" } };
    expect(codes([ask, { id: "a", set: { given: "steps.ask.output.approved" } }])).toEqual([]);
    expect(codes([ask, { id: "a", set: { said: "steps.ask.output.comment" } }])).toEqual([
      "/steps/1/set/said unknown_field",
    ]);
  });

  it("names steps that are not there, taken twice, in a circle, in another branch or behind an end", () => {
    expect(codes([judge, { id: "judge", set: {} }])).toEqual(["/steps/1/id id_taken"]);
    expect(codes([{ id: "in", set: {} }])).toEqual(["/steps/0/id reserved_id"]);
    expect(codes([judge, { id: "b", needs: ["jugde"], set: {} }])).toEqual(["/steps/1/needs/0 unknown_step"]);
    expect(
      codes([
        { id: "a", needs: ["b"], set: {} },
        { id: "b", needs: ["a"], set: {} },
      ]),
    ).toEqual(["/steps/0 circle", "/steps/1 circle"]);
    expect(
      codes([
        {
          id: "p",
          parallel: { branches: { x: [{ id: "one", set: {} }], y: [{ id: "two", needs: ["one"], set: {} }] } },
        },
      ]),
    ).toEqual(["/steps/0/parallel/branches/y/0/needs/0 other_branch"]);
    expect(
      codes([
        { id: "stop", end: {} },
        { id: "after", set: {} },
      ]),
    ).toEqual(["/steps/1 unreachable"]);
  });

  it("refuses members that do not go with a step's kind", () => {
    expect(codes([{ id: "a" }])).toEqual(["/steps/0 no_kind"]);
    expect(codes([{ ...judge, set: {} }])).toEqual(["/steps/0 two_kinds"]);
    expect(codes([{ id: "a", set: {}, retry: { attempts: 2 } }])).toEqual(["/steps/0/retry not_here"]);
    expect(codes([{ id: "a", wait: { for: "1s", event: "x" } }])).toEqual(["/steps/0/wait one_of"]);
    expect(
      codes([
        { id: "a", approval: { title: "'x'", covers: ["pay"] } },
        { id: "pay", needs: [], tool: { agent: "support", name: "pay" } },
      ]),
    ).toEqual(["/steps/0/approval/covers/0 not_covered"]);
  });

  it.each([
    ["input.mesage", "unknown_field"],
    ["steps.judge.output.amount * true", "type_mismatch"],
    ["steps.jugde.output.amount", "unknown_step"],
    ["steps.late.output", "not_before"],
    ["steps.judge.output.note", "unguarded"],
    ["input.note", "unguarded"],
    ["event.x", "unknown_name"],
    ["nothing", "unknown_name"],
    ["Dear customer", "syntax_error"],
  ])("refuses the expression %s: %s", (expression, code) => {
    const steps: Step[] = [judge, { id: "use", set: { x: expression } }, { id: "late", set: { y: 1 } }];
    expect(codes(steps)).toEqual([`/steps/1/set/x ${code}`]);
  });

  it("takes guarded reads, and asks for a guard where a step may be skipped", () => {
    const skipped: Step = { ...judge, when: "input.message == 'x'" };
    expect(codes([skipped, { id: "b", set: { x: "steps.judge.output.amount" } }])).toEqual([
      "/steps/1/set/x unguarded",
    ]);
    expect(
      codes([skipped, { id: "b", set: { x: "has(steps.judge.output) ? steps.judge.output.amount : 0.0" } }]),
    ).toEqual([]);
    expect(
      codes([judge, { id: "b", set: { x: "has(steps.judge.output.note) ? steps.judge.output.note : ''" } }]),
    ).toEqual([]);
  });

  it("knows what branches answer behind their parallel step, and asks for a guard where not all have to end", () => {
    const both = (join?: "any"): Step[] => [
      {
        id: "both",
        parallel: {
          branches: {
            x: [judge, { id: "inner", set: { y: "steps.judge.output.amount" } }],
            y: [{ id: "other", set: {} }],
          },
          ...(join && { join }),
        },
      },
      { id: "after", set: { x: "steps.judge.output.amount" } },
    ];
    expect(codes(both())).toEqual([]);
    expect(codes(both("any"))).toEqual(["/steps/1/set/x unguarded"]);
    expect(codes([{ id: "none", needs: [], set: { x: "steps.judge.output.amount" } }, ...both()])).toEqual([
      "/steps/0/set/x not_before",
    ]);
  });

  it("compares what a call is given with what it takes", () => {
    const call = (input: Record<string, unknown>, more: Partial<NonNullable<Step["agent"]>> = {}): Step[] => [
      { id: "a", agent: { name: "support", skill: "judge", input, ...more } },
    ];
    expect(codes(call({}))).toEqual(["/steps/0/agent/input missing"]);
    expect(codes(call({ message: "input.message", oops: 1 }))).toEqual(["/steps/0/agent/input/oops unknown_field"]);
    expect(codes(call({ message: 5 }))).toEqual(["/steps/0/agent/input/message type_mismatch"]);
    expect(codes(call({ message: "input.message", urgent: "'yes'" }))).toEqual([
      "/steps/0/agent/input/urgent type_mismatch",
    ]);
    expect(codes(call({ message: "''" }, { name: "nobody" }))).toEqual(["/steps/0/agent not_there"]);
    expect(codes([{ id: "a", workflow: { name: "checked" } }])).toEqual(["/steps/0/workflow/name calls_itself"]);
  });

  it("knows the item of a loop by its name", () => {
    const loop = (expression: string): Step[] => [
      {
        id: "a",
        for_each: { in: "['x']", as: "person", at_most: 5 },
        agent: { name: "support", skill: "judge", input: { message: expression } },
      },
    ];
    expect(codes(loop("person + string(person_index)"))).toEqual([]);
    expect(codes(loop("item"))).toEqual(["/steps/0/agent/input/message unknown_name"]);
  });
});
