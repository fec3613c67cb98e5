import { addressIn } from "../../../../jobs/payload.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import type { JobHandler, JobParts } from "../../../../kernel/machines.ts";
import type { Scope } from "../../../../kernel/principal.ts";
import { askModel } from "../model-request.ts";
import {
  beginCompaction,
  compactLongConversation,
  noteCompaction,
  type OfSummary,
} from "../operations/compact-in-background.ts";

const task =
  "Summarise the conversation for the agent that goes on with it, in its language, in at most 250 words: who the user is, what they want, what was found out, done and promised, with names, numbers and dates as they are, and what is open.";

type Parts = Pick<JobParts, "inside" | "db" | "port">;

/** If the model fails, the quoted summary stays. */
export function createCompactJob(parts: Parts): JobHandler {
  return async (payload) => {
    const address = addressIn(payload, "conversation");
    if (!address) return;
    const { id: conversation, ...scope } = address;
    const { summary } = payload as { summary?: unknown };
    try {
      if (typeof summary === "string") await rewrite(parts, scope, { conversation, summary });
      else await parts.inside(compactLongConversation, scope, { conversation });
    } catch (error) {
      // Erased meanwhile, or not allowed: what is there stays.
      if (!(error instanceof Refusal) || error.type.status >= 500) throw error;
    }
  };
}

async function rewrite(parts: Parts, scope: Scope, of: OfSummary): Promise<void> {
  const begun = await parts.inside(beginCompaction, scope, of);
  const text = begun && (await askModel(parts, scope, begun, task))?.slice(0, 6_000);
  if (text) await parts.inside(noteCompaction, scope, { ...of, text });
}
