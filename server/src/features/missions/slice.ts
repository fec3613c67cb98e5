import { defineSlice } from "../../kernel/slice.ts";
import { settleMissionJob } from "../workflows/public.ts";
import { createSettleJob, deadlineSweep, settleSweep } from "./missions/jobs/settle.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    mdc: "decisions of missions";
    mev: "entries of missions' timelines";
    msn: "missions";
  }
}

export const slice = defineSlice({
  about: "Goals with a measure, a budget and a plan that agents carry out.",
  schemas,
  actions: {
    "mission.change": {},
    "mission.control": {},
    "mission.create": {},
    "mission.decide": {},
    "mission.plan": {},
    "mission.read": {},
    "mission.run": {},
  },
  sweeps: [deadlineSweep],
  jobs: [{ name: settleMissionJob, sweep: settleSweep, handler: createSettleJob }],
});
