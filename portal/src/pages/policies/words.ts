import type { Schema } from "../../api/types.ts";
import { counted, usd } from "../../lib/words.ts";

type Ruled = Pick<Schema<"Policy">, "effect" | "params">;

const verbs: Readonly<Record<Schema<"PolicyEffect">, string>> = {
  deny: "Refuses the call",
  require_approval: "Requires approval",
  redact: "Redacts personal data",
  limit: "Limits the run",
  notify: "Sends an event",
  tag: "Tags the task",
};

/** The effects, for those who choose one. */
export const effects = Object.entries(verbs) as [Schema<"PolicyEffect">, string][];

/** What follows from a policy, in a few words. */
export function effectText({ effect, params }: Ruled): string {
  const more = [
    params.approvers && params.approvers > 1 ? `${params.approvers} people` : "",
    params.kinds?.join(", ") ?? "",
    params.tags?.join(", ") ?? "",
    params.steps ? counted(params.steps, "step") : "",
    params.seconds ? `${params.seconds} s` : "",
    params.tokens ? counted(params.tokens, "token") : "",
    params.cost_usd !== undefined ? usd(params.cost_usd) : "",
  ].filter((each) => each !== "");
  return more.length === 0 ? verbs[effect] : `${verbs[effect]}: ${more.join(", ")}`;
}

/** What a policy is asked about, in a few words. */
export function scopeText({ actions, agents }: Schema<"PolicyScope">): string {
  return `${actions?.join(", ") ?? "everything that agents do"}${agents ? `, of ${agents.join(", ")}` : ""}`;
}
