import { type DataKind, dataKinds, redact } from "@aos/data-classes";
import type { QueryContext } from "../../../kernel/db.ts";
import { Refusal } from "../../../kernel/errors.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import type { RunInside } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { policyBlocked } from "../../../kernel/problems.ts";
import type { RedactDemand } from "../../../kernel/verdict.ts";
import { policiesNaming } from "../../governance/public.ts";
import { sitesOfBases } from "../../knowledge/public.ts";
import type { LoadedTask } from "../../tasks/public.ts";
import { type JudgeReply, judgeReply } from "./operations/judge-reply.ts";

type Failure = { readonly code: string; readonly detail: string };

export const mustBeJudged = (where: {
  readonly facts: FactsReader;
  readonly scope: Scope;
  readonly now: number;
}): boolean => policiesNaming(where, "chat.reply").length > 0;

/** If they ask for approval, a person has to answer instead. */
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

const addresses = /https?:\/\/[^\s"'<>(){}[\]|\\^`]+/gi;

const hostsIn = (text: string): string[] =>
  (text.match(addresses) ?? []).flatMap((address) => {
    const { hostname } = URL.parse(address) ?? {};
    return hostname ? [hostname.replace(/\.$/, "")] : [];
  });

function hostsOf({ definition, skill, tools }: Linking): Set<string> {
  const said = [definition.instructions, skill.instructions, skill.description, JSON.stringify(tools)];
  return new Set(said.flatMap((text) => (text === undefined ? [] : hostsIn(text))));
}

type Linking = Pick<LoadedTask, "definition" | "skill" | "tools">;

/** Hosts to which replies may link: those that the agent file names, and the sites from which its bases are filled. */
export async function linkableHosts(ctx: QueryContext, work: Linking): Promise<Set<string>> {
  const searched = work.tools.flatMap((tool) => (tool.kind === "search" ? (tool.bases ?? []) : []));
  const sites = await sitesOfBases(ctx, [...(work.definition.knowledge ?? []), ...searched]);
  return new Set([...hostsOf(work), ...sites]);
}

/**
 * Addresses of documents that were found, to which a reply may link as they stand. Their hosts are not open by it: whoever writes an item that a connector brings
 * chooses its address. What documents say in their text does not count.
 */
export function addressesFound(data: unknown): string[] {
  const { chunks } = (data ?? {}) as { readonly chunks?: unknown };
  if (!Array.isArray(chunks)) return [];
  return chunks.flatMap((chunk: { readonly url?: unknown } | null) =>
    typeof chunk?.url === "string" && /^https?:/i.test(chunk.url) ? [chunk.url] : [],
  );
}
