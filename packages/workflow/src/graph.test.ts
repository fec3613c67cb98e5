import { expect, it } from "vitest";
import { graphOf, mermaidOf } from "./graph.ts";

const graph = graphOf({
  workflow: "drawn",
  triggers: [{ schedule: "0 7 * * *" }],
  steps: [
    { id: "ask", when: 'input.x == "y"', approval: { title: "'May it?'", covers: ["pay"] } },
    { id: "both", parallel: { branches: { a: [{ id: "one", set: {} }], b: [{ id: "two", set: {} }] } } },
    {
      id: "pay",
      tool: { agent: "support", name: "pay" },
      compensate: { tool: { agent: "support", name: "refund" } },
    },
  ],
});

it("has a node per step and trigger, and an edge for what follows, branches, covers and triggers", () => {
  expect(graph.edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`)).toEqual([
    "trigger:0 triggers ask",
    "ask covers pay",
    "ask needs both",
    "both branch one",
    "both branch two",
    "both needs pay",
  ]);
  expect(graph.nodes.map(({ id, parent, branch }) => [id, parent, branch])).toContainEqual(["two", "both", "b"]);
});

it("is drawn in Mermaid with whatever stands in its texts", () => {
  const drawn = mermaidOf(graph);
  expect(drawn).toContain('n1{{"ask: approval<br>when input.x == #34;y#34;"}}');
  expect(drawn).toContain('n5["pay: support pay<br>undone by support refund"]');
  expect(drawn).toContain("n1 -.->|approves| n5");
});
