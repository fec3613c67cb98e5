import type { WorkflowDefinition } from "@aos/workflow";
import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { ConnectionPort, OpenConnection } from "../admin/public.ts";
import { findingsOfDraft } from "./checks.ts";
import type { Finding } from "./checks-schemas.ts";
import { fileIn, repairPrompt, systemPrompt, userPrompt } from "./generate.ts";
import type { TemplateAgent } from "./templates.ts";

export interface Wish {
  readonly description: string;
  readonly name: string;
  readonly agents: readonly TemplateAgent[];
  readonly model: string;
}

export interface WrittenDraft {
  readonly source: string;
  readonly definition: WorkflowDefinition | null;
  readonly findings: readonly Finding[];
  readonly tokens: number;
  readonly usd: number | null;
  /** Why there is no draft. */
  readonly failure: string | null;
}

/** A draft that a model wrote, corrected once by what was found wrong with it. Null: too many ask at the moment. */
export async function writeDraft(
  ctx: CallContext & { readonly db: Reader },
  port: ConnectionPort,
  connection: OpenConnection,
  { description, name, agents, model }: Wish,
): Promise<WrittenDraft | null> {
  const system = systemPrompt(agents);
  let user = userPrompt(description, name);
  let draft: WrittenDraft = { source: "", definition: null, findings: [], tokens: 0, usd: 0, failure: null };
  for (let round = 0; round < 2; round++) {
    const answer = await port.ask(ctx.scope, connection, { model, system, user }, ctx.signal);
    if (answer === null) return round === 0 ? null : draft;
    if (!("text" in answer)) return round === 0 ? { ...draft, failure: answer.code ?? "no answer" } : draft;
    const source = fileIn(answer.text);
    const { definition, findings } = await findingsOfDraft(ctx, source);
    const usd = draft.usd === null || answer.usd === null ? null : draft.usd + answer.usd;
    draft = { source, definition, findings, tokens: draft.tokens + answer.tokens, usd, failure: null };
    const faults = findings.filter(({ severity }) => severity === "error");
    if (faults.length === 0) return draft;
    user = repairPrompt(source, faults);
  }
  return draft;
}
