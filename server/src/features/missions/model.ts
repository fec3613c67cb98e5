import type { Changes } from "../../db/scoped.ts";
import type { ChangeMissionBody, MissionStatus } from "./schemas.ts";

const closed: ReadonlySet<MissionStatus> = new Set(["completed", "cancelled"]);

/** Whether nothing more happens with it. */
export const isClosed = (status: MissionStatus): boolean => closed.has(status);

/** What a change of settings writes. */
export function settingChanges({ measure, budget, deadline, inputs, ...rest }: ChangeMissionBody): Changes<"missions"> {
  return {
    ...rest,
    ...(measure && { measure: JSON.stringify(measure) }),
    ...(budget && { budget_usd: budget.cost_usd, budget_tasks: budget.tasks }),
    ...(deadline !== undefined && { deadline: deadline === null ? null : new Date(deadline) }),
    ...(inputs && { inputs: JSON.stringify(inputs) }),
  };
}
