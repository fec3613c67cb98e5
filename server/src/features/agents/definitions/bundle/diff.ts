import type { AgentBundle, AgentDefinition } from "../schemas.ts";
import { compare, type Difference } from "./compare.ts";
import { type ChangeEffect, changeEffects, type DefinitionChange, type DefinitionDiff } from "./diff-schemas.ts";
import { inFileOrder } from "./order.ts";
import { digestOf } from "./write.ts";

/** What can be compared: definitions as they are stored, or bundles, which add name and labels. */
export type Comparable = AgentDefinition & Partial<Pick<AgentBundle, "agent" | "labels">>;

export function diffDefinitions(before: Comparable, after: Comparable): DefinitionDiff {
  const changes = compare(inFileOrder(before), inFileOrder(after)).map(
    (change): DefinitionChange => ({ ...change, effect: effectOf(change) }),
  );
  return {
    summary: summaryOf(changes),
    identical: changes.length === 0,
    before_digest: digestOf(before),
    after_digest: digestOf(after),
    effect: { overall: strongest(changes), skills: effectBySkill(before, after, changes) },
    changes,
  };
}

/** Fields that neither the model nor a tool gets to see, so that the agent acts as before: they govern or describe it. */
const UNSEEN = new Set(["agent", "description", "labels", "callers"]);
const UNSEEN_OF_TOOL = new Set(["impact", "cost_usd"]);
const UNSEEN_OF_SKILL = new Set(["impact", "subject"]);

/**
 * What a change means for earlier evidence. Limits and examples count as prompts: the agent may end or answer otherwise. The order of tools and skills in the agent
 * means nothing; that of a skill's tools is the order in which they are tried.
 */
function effectOf({ path: [top = "", , field], kind }: Pick<Difference, "path" | "kind">): ChangeEffect {
  if (top === "model") return "model_change";
  if (UNSEEN.has(top)) return "none";
  if (top === "tools" || top === "skills") {
    if (field === undefined) return kind === "moved" ? "none" : "prompt_or_tool_change";
    return (top === "tools" ? UNSEEN_OF_TOOL : UNSEEN_OF_SKILL).has(field) ? "none" : "prompt_or_tool_change";
  }
  return top === "knowledge" && kind === "moved" ? "none" : "prompt_or_tool_change";
}

function strongest(changes: readonly Pick<DefinitionChange, "effect">[]): ChangeEffect {
  return changeEffects[Math.max(0, ...changes.map(({ effect }) => changeEffects.indexOf(effect)))]!;
}

/** A change of another skill, or of a tool that the skill does not use, leaves its evidence whole. */
function effectBySkill(
  before: Comparable,
  after: Comparable,
  changes: readonly DefinitionChange[],
): Record<string, ChangeEffect> {
  const earlier = new Map(before.skills.map((skill) => [skill.name, skill]));
  const both = after.skills.filter(({ name }) => earlier.has(name));
  return Object.fromEntries(
    both.map(({ name, tools }) => {
      const used = new Set([...(tools ?? []), ...(earlier.get(name)?.tools ?? [])]);
      const reaching = changes.filter(({ path: [top, item = ""] }) =>
        top === "skills" ? item === name : top !== "tools" || used.has(item),
      );
      return [name, strongest(reaching)];
    }),
  );
}

const WORDS: Readonly<Record<string, string>> = { agent: "name changed" };

/** `model changed, 1 tool added, 2 skills changed`: what a list of versions shows. */
function summaryOf(changes: readonly DefinitionChange[]): string {
  if (changes.length === 0) return "no difference";
  const parts: string[] = [];
  for (const top of new Set(changes.map(({ path }) => path[0] ?? ""))) {
    const within = changes.filter(({ path }) => path[0] === top);
    if (top === "tools" || top === "skills") parts.push(...countsOf(within, top.slice(0, -1)));
    else
      parts.push(
        WORDS[top] ?? `${top} ${within.length === 1 && within[0]!.path.length === 1 ? within[0]!.kind : "changed"}`,
      );
  }
  return parts.join(", ");
}

function countsOf(changes: readonly DefinitionChange[], noun: string): string[] {
  const count = (kind: string): number => {
    const concerned = changes.filter(({ path, ...change }) => (path.length > 2 ? "changed" : change.kind) === kind);
    return new Set(concerned.map(({ path }) => path[1])).size;
  };
  return (["added", "removed", "changed", "moved"] as const).flatMap((kind) => {
    const many = count(kind);
    return many === 0 ? [] : [`${many} ${noun}${many === 1 ? "" : "s"} ${kind}`];
  });
}
