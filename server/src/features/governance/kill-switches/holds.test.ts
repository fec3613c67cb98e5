import { describe, expect, it } from "vitest";
import type { FactsReader } from "../../../kernel/facts.ts";
import { holdOn } from "./holds.ts";

const scope = { organization: "default", environment: "development" } as const;
const actions = ["task.dispatch", "task.run", "tool.call", "model.call", "chat.message"];
const of = { agent: "sales", versionId: "ver_1", skill: "qualify_lead" };

/** The port over facts that hold this stop and this pause of `sales`. */
function portOver(mode: "pause" | "drain" | "stop" | null, paused: "drain" | "cancel" | null) {
  const stop = { id: "ksw_1", kind: "agent", target: "sales", mode, reason: "it harms", engagedAt: 0 };
  const agent = { agent: "sales", paused: paused && { mode: paused, reason: "it rests", since: new Date(0) } };
  const facts: Record<string, unknown> = {
    kill_switches: { of: () => (mode ? [stop] : []) },
    agents: { find: () => agent },
  };
  const known = { get: ({ topic }: { topic: string }) => facts[topic] } as unknown as FactsReader;
  return (action: string) => holdOn({ facts: known, scope }, action, of);
}
/** Which source refuses which actions. */
const refusals = (port: ReturnType<typeof portOver>) =>
  Object.fromEntries(
    actions.flatMap((action) => {
      const hold = port(action);
      return hold ? [[action, hold.source]] : [];
    }),
  );
const every = (source: string) => Object.fromEntries(actions.map((action) => [action, source]));
const beginnings = (source: string) => ({ "task.dispatch": source, "chat.message": source });
const workings = (source: string) => ({ "task.run": source, "tool.call": source, "model.call": source });

describe("the hold of a call", () => {
  it("follows the table of modes", () => {
    expect(refusals(portOver(null, null))).toEqual({});
    expect(refusals(portOver("stop", null))).toEqual(every("ksw_1"));
    expect(refusals(portOver("drain", null))).toEqual(beginnings("ksw_1"));
    expect(refusals(portOver("pause", null))).toEqual(workings("ksw_1"));
    expect(refusals(portOver(null, "drain"))).toEqual(beginnings("pause"));
    expect(refusals(portOver(null, "cancel"))).toEqual(every("pause"));
  });

  it("of a stop and a pause together is the one that ends work, if one does", () => {
    expect(refusals(portOver("stop", "cancel"))).toEqual(every("ksw_1"));
    expect(refusals(portOver("pause", "cancel"))).toEqual(every("pause"));
    expect(refusals(portOver("pause", "drain"))).toEqual({ ...workings("ksw_1"), ...beginnings("pause") });
  });

  it("says who is stopped by what, and why", () => {
    expect(portOver("stop", null)("task.run")).toMatchObject({
      type: { code: "kill_switch_engaged" },
      detail: "The agent sales is stopped by the kill switch ksw_1: it harms",
      members: {
        kill_switch: { kill_switch_id: "ksw_1", kind: "agent", target: "sales", mode: "stop", reason: "it harms" },
      },
    });
    expect(portOver(null, "drain")("task.dispatch")).toMatchObject({
      type: { code: "agent_paused" },
      detail: "sales is paused since 1970-01-01T00:00:00.000Z and takes no work: it rests",
      members: { pause: { mode: "drain", reason: "it rests", since: "1970-01-01T00:00:00.000Z" } },
    });
  });
});
