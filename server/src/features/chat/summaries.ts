import type { JobSpec } from "../../kernel/append.ts";
import type { JobHandler, JobParts } from "../../kernel/machines.ts";
import { type Environment, environments, type Scope } from "../../kernel/principal.ts";
import type { SlicePorts } from "../../kernel/slice.ts";
import { findConnection, usedBy } from "../admin/public.ts";
import { systemFor } from "./asked-model.ts";
import { beginSummary } from "./operations/begin-summary.ts";
import { noteSummary } from "./operations/note-summary.ts";

export const summaryJob = "summarise_handoff";

/** Has the summary of a hand-off written by the agent's model, where a provider runs it; until then it is quoted from the conversation. */
export const writeSummary = ({ organization, environment }: Scope, conversation: string): JobSpec => ({
  task: summaryJob,
  payload: { organization, environment, conversation },
  key: `summary ${conversation}`,
});

const task =
  "Summarise the conversation for a colleague who takes it over, in its language, in at most 120 words: what the user wants, what was done, what is open.";

/** The handler of the job that writes summaries. A model that does not answer leaves the quoted summary in place. */
export function createSummaryJob(
  { inside, db }: JobParts,
  { connections }: Pick<SlicePorts, "connections">,
): JobHandler {
  return async (payload) => {
    const { organization, environment, conversation } = (payload ?? {}) as Record<string, unknown>;
    if (typeof organization !== "string" || typeof conversation !== "string") return;
    if (!environments.includes(environment as Environment)) return;
    const scope = { organization, environment: environment as Environment };
    const begun = await inside(beginSummary, scope, { conversation });
    if (!begun) return;
    let written: Awaited<ReturnType<typeof connections.ask>> = null;
    try {
      const connection = await findConnection(db as never, connections.credentialKey, scope, begun.model.connection);
      const asked = { model: begun.model.name, system: systemFor(task), user: begun.text };
      if (connection && connection.kind !== "http")
        written = await connections.ask(scope, connection, asked, AbortSignal.timeout(90_000));
    } finally {
      await begun.charge?.settle(usedBy(written));
    }
    if (written === null || !("text" in written)) return;
    await inside(noteSummary, scope, { conversation, summary: written.text.trim().slice(0, 4000) });
  };
}
