import { addressIn } from "../../../../jobs/payload.ts";
import type { JobSpec } from "../../../../kernel/append.ts";
import type { JobHandler, JobParts } from "../../../../kernel/machines.ts";
import type { Scope } from "../../../../kernel/principal.ts";
import { askModel } from "../../conversations/model-request.ts";
import { beginSummary, noteSummary } from "../operations/write-summary.ts";

export const summaryJob = "summarise_handoff";

/** Until the agent's model has written it, the summary quotes the conversation. */
export const writeSummary = ({ organization, environment }: Scope, conversation: string): JobSpec => ({
  task: summaryJob,
  payload: { organization, environment, conversation },
  key: `summary ${conversation}`,
});

const task =
  "Summarise the conversation for a colleague who takes it over, in its language, in at most 120 words: what the user wants, what was done, what is open.";

/** If the model fails, the quoted summary stays. */
export function createSummaryJob(parts: JobParts): JobHandler {
  return async (payload) => {
    const address = addressIn(payload, "conversation");
    if (!address) return;
    const { id: conversation, ...scope } = address;
    const begun = await parts.inside(beginSummary, scope, { conversation });
    const written = begun && (await askModel(parts, scope, begun, task));
    if (written !== null) await parts.inside(noteSummary, scope, { conversation, summary: written.slice(0, 4000) });
  };
}
