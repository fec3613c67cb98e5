import type { WriteContext } from "../../kernel/context.ts";
import { findChat, findVersion, isRunnable } from "../agents/public.ts";
import type { TaskRow } from "../tasks/public.ts";
import { ReplyFilter } from "./reply-filter.ts";
import { hostsOf } from "./reply-hosts.ts";
import { mustBeJudged } from "./reply-policy.ts";
import type { Part } from "./schemas.ts";
import { textOfOutput } from "./settle-parts.ts";

const withheld: Part = { type: "notice", code: "withheld", text: "The answer is withheld: nobody has checked it." };

/**
 * What a task answered that its run did not tell of, or that nothing was left of: as what is told, without links to elsewhere, and withheld where policies would have to judge
 * it.
 */
export async function untoldAnswer(ctx: WriteContext, { version_id, output }: TaskRow): Promise<Part[]> {
  const answer = textOfOutput(output);
  if (answer === "") return [];
  if (mustBeJudged(ctx)) return [withheld];
  const text = (await withoutForeignLinks(ctx, version_id))(answer);
  return text === "" ? [] : [{ type: "text", text }];
}

/** Takes links out of texts of a model that a version's reply may not hold. */
export async function withoutForeignLinks(ctx: WriteContext, version: string): Promise<(text: string) => string> {
  const definition = (await findVersion(ctx, version))?.definition;
  const chat = definition && findChat(definition);
  const work = chat && { definition, skill: chat.definition, tools: chat.tools.filter(isRunnable) };
  const hosts: ReadonlySet<string> = work ? hostsOf(work) : new Set();
  return (text) => {
    const filter = new ReplyFilter({ hosts });
    return filter.take(text) + filter.end();
  };
}
