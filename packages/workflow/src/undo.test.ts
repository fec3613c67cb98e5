import { expect, it } from "vitest";
import { planOf } from "./plan.ts";
import type { StepState } from "./state.ts";
import { nextUndo } from "./undo.ts";

const tool = { agent: "support", name: "pay" };
const plan = planOf({ workflow: "refund", steps: [{ id: "pay", tool, compensate: { tool } }] });
const pay = (state: Partial<StepState>) => nextUndo(plan, () => ({ status: "completed", attempt: 1, ...state }));

it("leaves to people what nobody knows to have been carried out", () => {
  expect(pay({ completedAs: 1 })).toBe(plan.byId.get("pay"));
  expect(pay({ completedAs: 1, status: "compensated", undo: "done" })).toBe("compensated");
  expect(pay({ status: "failed" })).toBe("compensated");
  expect(pay({ status: "outcome_unknown" })).toBe("compensation_failed");
});
