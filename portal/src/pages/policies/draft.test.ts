import { expect, it } from "vitest";
import type { TaggedPolicy } from "../../api/governance.ts";
import { draftOf, textOf } from "./draft.ts";

it("a change of the message keeps the controls, the time window and the agents that the form does not show", () => {
  const kept = {
    controls: ["soc2:CC6.1"],
    effective_from: "2026-11-20T10:00:00.000Z",
    effective_until: "2026-12-20T10:00:00.000Z",
  };
  const written = {
    name: "Freeze",
    when: "true",
    effect: "deny",
    reason_code: "freeze",
    message: "Not befor Monday.",
  } as const;
  const scope = { actions: ["task.dispatch"], agents: ["sales"] };
  const stored = { ...written, ...kept, scope, params: {} } as unknown as TaggedPolicy["value"];
  const message = "Not before Monday.";
  expect(textOf({ ...draftOf(stored), message }, stored)).toEqual({ ...written, ...kept, scope, message });
});
