import type { Arrangements } from "./arranged.ts";

// The kill switch.

let tools = 0;
/** Of a tool that no agent has, so that it stops nothing of what other tests do. */
const newStop = () => ({
  kind: "tool",
  target: `walked_${++tools}`,
  mode: "stop",
  reason: "the walk stops it",
  allow_unknown: true,
});

export const arrange: Arrangements = {
  "governance.engageStop": async () => ({ params: {}, body: newStop() }),
  "governance.listStops": async () => ({ params: {} }),
  "governance.releaseStop": async (app, environment) => {
    const { body } = await app.call("POST", "/v1/governance/kill-switch", { body: newStop(), environment });
    return { params: { kill_switch: body.stop_id }, body: { reason: "the walk is over" } };
  },
};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};
