import { type DataKind, dataKinds, redact } from "@aos/data-classes";
import { Refusal } from "../../kernel/errors.ts";
import type { FactsReader } from "../../kernel/facts.ts";
import type { RunInside } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { policyBlocked } from "../../kernel/problems.ts";
import type { RedactDemand } from "../../kernel/verdict.ts";
import { policiesNaming } from "../governance/public.ts";
import { type JudgeReply, judgeReply } from "./operations/judge-reply.ts";

type Failure = { readonly code: string; readonly detail: string };

/** Whether policies have to see a reply whole before anybody hears of it. */
export const mustBeJudged = (where: {
  readonly facts: FactsReader;
  readonly scope: Scope;
  readonly now: number;
}): boolean => policiesNaming(where, "chat.reply").length > 0;

/** A reply as policies let it out, or why they do not. Where they ask for people, a person has to answer in the agent's place. */
export async function judged(
  inside: RunInside,
  scope: Scope,
  reply: JudgeReply,
): Promise<{ readonly text: string } | { readonly failure: Failure }> {
  try {
    const { redact: demand } = await inside(judgeReply, scope, reply);
    return { text: demand === null ? reply.text : redacted(reply.text, demand) };
  } catch (error) {
    if (!(error instanceof Refusal) || error.type.code !== policyBlocked.code) throw error;
    return { failure: { code: policyBlocked.code, detail: error.details.detail } };
  }
}

function redacted(text: string, { kinds }: RedactDemand): string {
  const chosen = kinds === "all" ? dataKinds : dataKinds.filter((kind: DataKind) => kinds.includes(kind));
  return redact(text, chosen).value as string;
}
