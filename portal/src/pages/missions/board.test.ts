import { expect, it } from "vitest";
import { boardOf } from "./board.ts";

const steps = ["qualify", "rank", "write", "send", "report"].map((id) => ({ id, tasks: 2 }));
const tasks = [
  ...["completed", "failed"].map((status) => ({ step: "qualify", status })),
  ...["running", "awaiting_approval"].map((status) => ({ step: "rank", status })),
  ...["queued", "completed"].map((status) => ({ step: "write", status })),
  ...["rejected", "blocked"].map((status) => ({ step: "send", status })),
];

it("puts each step of a plan where its tasks stand, waiting for people before all", () => {
  const by_step = [{ step: "write", spent_usd: 0.2, reserved_usd: 0.1, planned_usd: 1, tasks: 2 }];
  const board = boardOf({ steps } as never, tasks as never, { by_step });
  expect(board.map(({ step, column }) => [step.id, column])).toEqual([
    ["qualify", "done"],
    ["rank", "waiting"],
    ["write", "working"],
    ["send", "failed"],
    ["report", "todo"],
  ]);
  expect(board[2]).toMatchObject({ spent: 0.2, reserved: 0.1, completed: 1, open: 1 });
});
