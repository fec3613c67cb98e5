import { describe, expect, it } from "vitest";
import { agentPaused, killSwitchEngaged } from "../../../kernel/problems.ts";
import type { Held } from "../../governance/public.ts";
import { taskStates } from "../schemas.ts";
import { endingUnder, runHold } from "./holds.ts";

const held = (mode: Held["mode"], reach: Held["reach"] = "work"): Held => {
  const stop = mode === "stop" || mode === "pause";
  return {
    source: "test",
    killSwitchId: stop ? "ksw_1" : null,
    mode,
    reach,
    type: stop ? killSwitchEngaged : agentPaused,
    detail: "",
    since: new Date(0),
    members: {},
  };
};
/** What becomes of a task in each state: `states` by their ending, those that are left out. */
const endings = (hold: Held | null, aborted = false) =>
  Object.fromEntries(
    taskStates.flatMap((state) => {
      const ending = endingUnder(hold, state, aborted);
      return ending ? [[state, ending]] : [];
    }),
  );

describe("a run under a hold", () => {
  it("goes on, is given back, or ends", () => {
    expect(runHold(null)).toBe("go");
    expect(runHold(held("drain"))).toBe("go");
    expect(runHold(held("pause"))).toBe("give_back");
    expect(runHold(held("stop"))).toBe("stop");
    expect(runHold(held("cancel"))).toBe("stop");
  });
});

describe("a task under a hold", () => {
  it("that stops work is cancelled where it runs and blocked where it is queued; people may go on deciding", () => {
    expect(endings(held("stop"))).toEqual({ running: "cancelled", queued: "blocked" });
  });

  it("that stops a tool is cancelled in the middle of its call, and blocked where it comes to it", () => {
    expect(endings(held("stop", "call"), true)).toEqual({ running: "cancelled" });
    expect(endings(held("stop", "call"), false)).toEqual({ running: "blocked" });
  });

  it("that cancels is cancelled wherever it is open", () => {
    const cancelled = {
      queued: "cancelled",
      awaiting_approval: "cancelled",
      running: "cancelled",
      input_required: "cancelled",
    };
    expect(endings(held("cancel"))).toEqual(cancelled);
  });

  it("that lets work wait or end is left alone", () => {
    for (const hold of [null, held("pause"), held("drain"), held("pause", "call")]) expect(endings(hold)).toEqual({});
  });
});
