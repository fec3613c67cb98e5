import { Refusal } from "../../kernel/errors.ts";
import type { JobHandler, JobParts } from "../../kernel/machines.ts";
import { type Environment, environments, type Scope } from "../../kernel/principal.ts";
import type { SlicePorts } from "../../kernel/slice.ts";
import { findConnection, usedBy } from "../admin/public.ts";
import { systemFor } from "./asked-model.ts";
import { beginCompaction, type OfSummary } from "./operations/begin-compaction.ts";
import { compactLongConversation } from "./operations/compact-long-conversation.ts";
import { noteCompaction } from "./operations/note-compaction.ts";

const task =
  "Summarise the conversation for the agent that goes on with it, in its language, in at most 250 words: who the user is, what they want, what was found out, done and promised, with names, numbers and dates as they are, and what is open.";

type Parts = Pick<JobParts, "inside" | "db">;
type Ports = Pick<SlicePorts, "connections">;

/** The handler of the job that compacts conversations. A model that does not answer leaves the quoted summary in place. */
export function createCompactJob(parts: Parts, ports: Ports): JobHandler {
  return async (payload) => {
    const { organization, environment, conversation, summary } = (payload ?? {}) as Record<string, unknown>;
    if (typeof organization !== "string" || typeof conversation !== "string") return;
    if (!environments.includes(environment as Environment)) return;
    const scope = { organization, environment: environment as Environment };
    try {
      if (typeof summary === "string") await rewrite(parts, ports, scope, { conversation, summary });
      else await parts.inside(compactLongConversation, scope, { conversation });
    } catch (error) {
      // Erased meanwhile, or not allowed: what is there stays.
      if (!(error instanceof Refusal) || error.type.status >= 500) throw error;
    }
  };
}

async function rewrite({ inside, db }: Parts, { connections }: Ports, scope: Scope, of: OfSummary): Promise<void> {
  const begun = await inside(beginCompaction, scope, of);
  if (!begun) return;
  const { model, text: user, charge } = begun;
  let written: Awaited<ReturnType<typeof connections.ask>> = null;
  try {
    const connection = await findConnection(db as never, connections.credentialKey, scope, model.connection);
    const asked = { model: model.name, system: systemFor(task), user };
    if (connection && connection.kind !== "http")
      written = await connections.ask(scope, connection, asked, AbortSignal.timeout(90_000));
  } finally {
    await charge?.settle(usedBy(written));
  }
  if (written === null || !("text" in written)) return;
  const text = written.text.trim().slice(0, 6_000);
  if (text !== "") await inside(noteCompaction, scope, { ...of, text });
}
