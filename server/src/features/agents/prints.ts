import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { AgentDefinition, SkillDefinition } from "./definition.ts";

/** By what versions of a skill are told apart: its model with what that has learnt, and all else that the model gets to see. SHA-256 each, in hexadecimal. */
export interface SkillPrint {
  readonly model: string;
  readonly behaviour: string;
}

/**
 * The prints of every skill of a definition, by name. They differ exactly where a comparison of two definitions says that the skill's evidence is touched;
 * `trained` holds the digests of trained models by skill.
 */
export function printsOf(definition: AgentDefinition, trained: ReadonlyMap<string, string>): Map<string, SkillPrint> {
  return new Map(
    definition.skills.map((skill) => [
      skill.name,
      {
        model: hashOf({ model: definition.model, trained: trained.get(skill.name) }),
        behaviour: hashOf(seenOf(definition, skill)),
      },
    ]),
  );
}

/** What the skill's model gets to see or is bound by. Titles are for people; impact, costs and subjects govern; the order of tools means nothing, that of a skill's tools does. */
function seenOf(
  { instructions, knowledge, tools }: AgentDefinition,
  { title: _title, impact: _impact, subject: _subject, ...skill }: SkillDefinition,
) {
  const used = tools.filter(({ name }) => skill.tools?.includes(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    instructions,
    knowledge: [...(knowledge ?? [])].sort(),
    tools: used.map(({ title: _title, impact: _unseen, cost_usd: _cost, ...tool }) => tool),
    skill,
  };
}

const hashOf = (value: object): string => createHash("sha256").update(canonicalJson(value)).digest("hex");
