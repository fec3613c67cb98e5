import type { KillSwitch } from "./schemas.ts";

export const exampleKillSwitch: KillSwitch = {
  kill_switch_id: "ksw_01jd8x0000000000000000000a",
  environment: "production",
  kind: "agent",
  target: "sales",
  mode: "stop",
  critical: false,
  state: "engaged",
  reason: "It writes to customers who asked not to be written to.",
  engaged_by: "mbr_01jd8x0000000000000000000a",
  engaged_at: "2026-11-21T10:00:00.000Z",
  release_requested: null,
  release_requires: null,
  release_reason: null,
  released_by: null,
  released_at: null,
  tasks_ended: 64,
  time_to_stop_ms: 412,
};

export const exampleReleased: KillSwitch = {
  ...exampleKillSwitch,
  state: "released",
  release_reason: "The list was corrected.",
  released_by: "mbr_01jd8x0000000000000000000b",
  released_at: "2026-11-21T11:00:00.000Z",
};
