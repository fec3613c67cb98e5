import { expect, test } from "vitest";
import "../../features/index.ts"; // declares the actions
import { allActions, canWait, isNeverDenied } from "./actions.ts";

test("Nobody is locked out of what undoes a policy.", () => {
  expect(allActions().filter(isNeverDenied)).toEqual([
    "agent.pause",
    "audit.read",
    "key.revoke",
    "kill_switch.engage",
    "kill_switch.read",
    "kill_switch.release",
    "policy.check",
    "policy.create",
    "policy.mode",
    "policy.read",
    "policy.replace",
    "policy.retire",
    "policy.simulate",
    "session.revoke",
    "whoami",
  ]);
});

test("What a task or a tool call needs approval for waits; everything else is refused.", () => {
  expect(allActions().filter(canWait)).toEqual(["chat.message", "task.dispatch", "task.run", "tool.call"]);
});
