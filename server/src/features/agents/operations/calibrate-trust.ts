import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { fitCalibration } from "../../../kernel/trust/calibration.ts";
import { evidenceFacts } from "../evidence-facts.ts";
import { listLabels, saveCalibration } from "../trust-store.ts";

/** Labels that a calibration is fitted to, the newest ones. */
const mostLabels = 5_000;

export interface CalibrateTrust {
  readonly agent: string;
}

/** What became of it; null where the agent has no labels any more. */
export interface Calibrated {
  readonly adopted: boolean | null;
}

/** Fits the map from log-odds to published scores anew, from what people said of outcomes. A call of its own: it moves the scores of all later tasks. */
export const calibrateTrust: InsideOperation<CalibrateTrust, Calibrated> = defineInside({
  id: "agents.calibrateTrust",
  summary: "Calibrate an agent's trust scores",
  permission: exempt("a machine of the service itself"),
  load: exempt("names no object that could be absent"),
  gate: exempt("makes no agent act"),
  compliance: exempt("learns from feedback that policies saw when it was given"),
  audit: ({ params }) => ({ object: `agent:${params.agent}` }),
  emits: [],
  errors: [],
  async handle(ctx, { params: { agent } }): Promise<Calibrated> {
    const { labels, until } = await listLabels(ctx, agent, mostLabels);
    if (until === null) return { adopted: null };
    const fit = fitCalibration(labels);
    await saveCalibration(ctx, agent, fit, until);
    ctx.touch(evidenceFacts);
    return { adopted: fit.adopted };
  },
});
