import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  holdOf,
  holdsAction,
  isCritical,
  type KillSwitch,
  type KillSwitchKind,
  type KillSwitchMode,
  killSwitchKinds,
  killSwitchModes,
  releaseBy,
  releaseRequestedFor,
  targetsAction,
} from "./rules.ts";

const agentActions = ["task.dispatch", "task.run", "tool.call", "model.call", "chat.message"];
const subject = {
  agent: "sales",
  versionId: "ver_1",
  skill: "qualify_lead",
  tool: "get_lead",
  model: "large",
  workflow: "refund",
};
const targets: Readonly<Record<KillSwitchKind, string | null>> = {
  all: null,
  environment: null,
  agent: "sales",
  version: "ver_1",
  skill: "sales.qualify_lead",
  tool: "get_lead",
  model: "large",
  workflow: "refund",
};
let made = 0;
const stop = (kind: KillSwitchKind, mode: KillSwitchMode, target = targets[kind]): KillSwitch => ({
  id: `ksw_${String(++made).padStart(4, "0")}`,
  kind,
  target,
  mode,
  reason: "test",
  engagedAt: 0,
});

describe("what a kill switch targets", () => {
  it.each(killSwitchKinds)("is what its kind and target name: %s", (kind) => {
    expect(targetsAction(stop(kind, "stop"), subject)).toBe(true);
  });

  it.each(["agent", "version", "skill", "tool", "model", "workflow"] as const)(
    "is nothing that only resembles its target, and nothing unknown: %s",
    (kind) => {
      expect(targetsAction(stop(kind, "stop", "another.one"), subject)).toBe(false);
      expect(targetsAction(stop(kind, "stop"), {})).toBe(false);
    },
  );

  it("is one agent's skill, not another's of the same name", () => {
    expect(targetsAction(stop("skill", "stop"), { agent: "support", skill: "qualify_lead" })).toBe(false);
  });
});

describe("a mode", () => {
  it("stands against these actions", () => {
    const table = Object.fromEntries(
      killSwitchModes.map((mode) => [mode, agentActions.filter((action) => holdsAction(mode, action))]),
    );
    expect(table).toEqual({
      drain: ["task.dispatch", "chat.message"],
      pause: ["task.run", "tool.call", "model.call"],
      stop: agentActions,
    });
  });
});

describe("the hold of several stops", () => {
  const anyKillSwitch = fc
    .tuple(fc.constantFrom(...killSwitchKinds), fc.constantFrom(...killSwitchModes), fc.boolean())
    .map(([kind, mode, elsewhere]) =>
      stop(kind, mode, elsewhere && targets[kind] !== null ? "elsewhere" : targets[kind]),
    );

  it("is there exactly where one of them holds the action and targets it, and none of those is stricter", () => {
    fc.assert(
      fc.property(fc.array(anyKillSwitch, { maxLength: 8 }), fc.constantFrom(...agentActions), (stops, action) => {
        const bearing = stops.filter((one) => holdsAction(one.mode, action) && targetsAction(one, subject));
        const found = holdOf(stops, action, subject);
        if (bearing.length === 0) {
          expect(found).toBeNull();
          return;
        }
        const strictest = Math.max(...bearing.map(({ mode }) => killSwitchModes.indexOf(mode)));
        expect(bearing).toContain(found);
        expect(killSwitchModes.indexOf(found?.mode as KillSwitchMode)).toBe(strictest);
      }),
    );
  });

  it("does not depend on their order, and one more never loosens it", () => {
    const strictness = (found: KillSwitch | null): number => (found ? killSwitchModes.indexOf(found.mode) : -1);
    fc.assert(
      fc.property(
        fc.array(anyKillSwitch, { maxLength: 8 }),
        anyKillSwitch,
        fc.constantFrom(...agentActions),
        (stops, more, action) => {
          expect(holdOf(stops.toReversed(), action, subject)).toBe(holdOf(stops, action, subject));
          expect(strictness(holdOf([...stops, more], action, subject))).toBeGreaterThanOrEqual(
            strictness(holdOf(stops, action, subject)),
          );
        },
      ),
    );
  });
});

describe("releasing", () => {
  const asked = { by: "mbr_a", at: 1_000, to: "released" } as const;

  it("takes one for a stop that is not critical", () => {
    expect(releaseBy({ critical: false, asked: null }, "mbr_a", "released", 0)).toBe("done");
  });

  it("takes two different persons for a critical one, who want the same", () => {
    expect(releaseBy({ critical: true, asked: null }, "mbr_a", "released", 0)).toBe("asked");
    expect(releaseBy({ critical: true, asked }, "mbr_a", "released", 2_000)).toBe("same_person");
    expect(releaseBy({ critical: true, asked }, "mbr_b", "released", 2_000)).toBe("done");
    expect(releaseBy({ critical: true, asked }, "mbr_b", "pause", 2_000)).toBe("asked");
  });

  it("begins again after an hour", () => {
    const last = asked.at + releaseRequestedFor - 1;
    expect(releaseBy({ critical: true, asked }, "mbr_b", "released", last)).toBe("done");
    expect(releaseBy({ critical: true, asked }, "mbr_b", "released", last + 1)).toBe("asked");
  });

  it("is always critical for stops that reach furthest", () => {
    expect(killSwitchKinds.filter((kind) => isCritical(kind, undefined))).toEqual(["all", "environment"]);
    expect(isCritical("agent", true)).toBe(true);
  });
});
