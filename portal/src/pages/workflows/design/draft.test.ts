import { expect, it } from "vitest";
import { graphOf } from "../graph/model.ts";
import { addStep, draftOf, removeStep, setKind, setMember, setNeed } from "./draft.ts";

const text = `# How refunds go
workflow: refund
steps:
  - id: judge # by the model
    agent: { name: support, skill: judge_refund }
  - id: pay
    tool: { agent: support, name: issue_refund }
  - id: tell
    needs: [ judge, pay ]
    parallel:
      branches:
        mail:
          - { id: write, set: { a: 1 } }
        book:
          - { id: settle, wait: { for: 1h } }
`;
const edgesOf = (draft: string) => graphOf(draftOf(draft).definition).edges.map(({ from, to }) => `${from} ${to}`);

it("keeps comments and all that is not touched when the picture changes a step", () => {
  const next = setMember(text, "/steps/0", ["when"], "input.amount > 1.0");
  expect(next).toBe(text.replace("judge_refund }\n", "judge_refund }\n    when: input.amount > 1.0\n"));
  expect(setMember(next, "/steps/0", ["when"], undefined)).toBe(text);
});

it("adds steps behind another, in its branch, with ids of their own", () => {
  const once = addStep(text, "set", "write");
  expect([once.id, addStep(once.text, "set", null).id]).toEqual(["set", "set_2"]);
  expect(edgesOf(once.text)).toContain("write set");
  const empty = addStep("workflow: empty\n", "agent", null);
  expect(graphOf(draftOf(empty.text).definition).nodes.map(({ id }) => id)).toEqual(["agent"]);
  const twice = addStep(addStep(text, "parallel", null).text, "parallel", null);
  const ids = graphOf(draftOf(twice.text).definition).nodes.map(({ id }) => id);
  expect(new Set(ids).size).toBe(5 + 2 * 3);
});

it("takes a step out of what others need, and joins the order of the file", () => {
  expect(edgesOf(removeStep(text, "pay"))).toEqual(["judge tell"]);
  expect(edgesOf(removeStep(text, "judge"))).toEqual(["pay tell"]);
});

it("writes out what a step needs when an edge is drawn or taken off", () => {
  expect(edgesOf(setNeed(text, "judge", "pay", false))).toEqual(["judge tell", "pay tell"]);
  expect(setNeed(text, "tell", "pay", true)).toContain("needs: [ judge, tell ]");
});

it("gives a step another kind of action", () => {
  const next = setKind(text, "/steps/1", "approval");
  expect(graphOf(draftOf(next).definition).nodes[1]?.kind).toBe("approval");
  expect(next).not.toContain("issue_refund");
});

it("tells the line and column of a pointer, and of what is no YAML", () => {
  const { placeOf } = draftOf(text);
  expect(placeOf("/steps/1/tool/name")).toEqual({ line: 7, column: 29 });
  expect(placeOf("/steps/2/parallel/branches/book/0/wait/until")).toEqual({ line: 15, column: 27 });
  expect(placeOf("/steps/2")).toEqual({ line: 8, column: 5 });
  expect(placeOf("")).toEqual({ line: 1, column: 1 });
  expect(draftOf("steps:\n  - id: [").fault?.line).toBeGreaterThanOrEqual(2);
  expect(setMember("a: [", "/steps/0", ["when"], "true")).toBe("a: [");
});
