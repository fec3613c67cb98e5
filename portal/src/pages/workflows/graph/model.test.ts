import { expect, it } from "vitest";
import { graphOf, nodeAt } from "./model.ts";

const definition = {
  workflow: "refund",
  triggers: [{ event: "order.refund_requested" }],
  steps: [
    { id: "judge", agent: { name: "support", skill: "judge_refund" } },
    { id: "route", when: "steps.judge.output.amount > 100.0", approval: { title: "'Refund'", covers: ["pay"] } },
    { id: "pay", needs: ["judge", "route"], tool: { agent: "support", name: "issue_refund" }, compensate: {} },
    {
      id: "tell",
      parallel: {
        branches: {
          mail: [
            { id: "write", agent: { name: "support", skill: "write_note" } },
            { id: "send", tool: {} },
          ],
          book: [{ id: "settle", wait: { event: "bank.settled", at_most: "5d" } }],
        },
      },
    },
  ],
};

it("draws each step with what it needs: as written, else the step above, in branches as well", () => {
  const { nodes, edges } = graphOf(definition, { triggers: true });
  expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual([
    "judge route",
    "judge pay",
    "route pay",
    "pay tell",
    "write send",
    "trigger 0 judge",
  ]);
  expect(nodes.map(({ id, parent, subtitle }) => [id, parent, subtitle])).toEqual([
    ["judge", null, "support · judge_refund"],
    ["route", null, "covers pay"],
    ["pay", null, "support · issue_refund"],
    ["tell", null, "2 branches, all must end well"],
    ["write", "tell", "support · write_note"],
    ["send", "tell", ""],
    ["settle", "tell", "bank.settled, at most 5d"],
    ["trigger 0", null, "event"],
  ]);
});

it("finds the innermost step that a finding's pointer is in", () => {
  const graph = graphOf(definition);
  expect(nodeAt(graph, "/steps/3/parallel/branches/mail/1/tool/name")?.id).toBe("send");
  expect(nodeAt(graph, "/steps/3/parallel/join")?.id).toBe("tell");
  expect(nodeAt(graph, "/limits")).toBeUndefined();
});

it("takes a draft of which nothing is right", () => {
  for (const draft of [null, 7, "text", [], { steps: {} }, { steps: [null, { id: 1 }, { id: "a", needs: ["gone"] }] }])
    expect(graphOf(draft, { triggers: true }).edges).toEqual([]);
});
