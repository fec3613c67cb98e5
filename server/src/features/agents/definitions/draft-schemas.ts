import { type Static, type TSchema, Type } from "typebox";
import { closed, nullable } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { DefinitionDiff } from "./bundle/diff-schemas.ts";
import { Warnings } from "./references.ts";
import { AgentBundle, AgentName, textOf } from "./schemas.ts";

export { DefinitionChange, DefinitionDiff, DiffHunk, DiffLine, TextDiff } from "./bundle/diff-schemas.ts";

const { agent, description, labels, model, instructions, knowledge, callers, handoff, tools, skills } =
  AgentBundle.properties;
const Reason = textOf(2000, "Why; kept with the agent.");

export const AgentSource = Type.Object(
  {
    agent: AgentName,
    version: Type.Optional(ordinal("One of its versions; the draft if omitted.")),
  },
  { ...closed, description: "The agent to copy." },
);

export const CreateAgentBody = Type.Object(
  {
    agent,
    description: Type.Optional(description),
    labels,
    model: Type.Optional(model),
    instructions,
    knowledge,
    callers,
    handoff,
    tools,
    skills,
    from: Type.Optional(AgentSource),
  },
  {
    ...closed,
    description: "A new agent: its whole definition, or `from` another one, or name and description alone.",
  },
);
export type CreateAgentBody = Static<typeof CreateAgentBody>;

const orNull = <S extends TSchema>(schema: S, words: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description: words }));

export const ChangeDraftBody = Type.Object(
  {
    agent: Type.Optional(agent),
    owner: Type.Optional(textOf(64, "The member who answers for the agent, `mbr_…`.")),
    description: Type.Optional(description),
    labels: orNull(AgentBundle.properties.labels, "All labels; null for none."),
    model: Type.Optional(model),
    instructions: orNull(AgentBundle.properties.instructions, "Instructions for all skills; null for none."),
    knowledge: orNull(AgentBundle.properties.knowledge, "All knowledge bases; null for none."),
    callers: orNull(AgentBundle.properties.callers, "What callers of conversations may bring; null for nothing."),
    handoff: orNull(AgentBundle.properties.handoff, "When people take over; null for never."),
    tools,
    skills,
  },
  {
    ...closed,
    minProperties: 1,
    description: "Members replace the draft's; omitted ones stay.",
  },
);
export type ChangeDraftBody = Static<typeof ChangeDraftBody>;

export const ArchiveAgentBody = Type.Object(
  {
    reason: Reason,
    mode: Type.Optional(
      Type.Enum(["drain", "cancel"] as const, {
        default: "drain",
        description: "Whether open tasks in the environment of the key finish or are cancelled.",
      }),
    ),
    force: Type.Optional(
      Type.Boolean({ default: false, description: "Archive it although something uses it and will fail." }),
    ),
  },
  closed,
);

export const DraftComparison = Type.Object(
  { ...DefinitionDiff.properties, warnings: Warnings },
  {
    description:
      "How the draft and the body differ, and what of the body would not work in the environment of the key.",
  },
);

export const CloneAgentBody = Type.Object(
  {
    name: AgentName,
    version: Type.Optional(ordinal("The version to clone; the draft if omitted.")),
    description: Type.Optional(description),
    labels,
  },
  { ...closed, description: "The name of the clone. Description and labels are those of the original if omitted." },
);
export type CloneAgentBody = Static<typeof CloneAgentBody>;

/** What a clone does not inherit: it starts without a history of its own. */
export const NOT_CLONED = ["deployments", "feedback", "gate", "owner", "pauses", "trust", "versions"] as const;

export const CloneSource = Type.Object(
  {
    agent: AgentName,
    version: nullable(Type.Integer(), "The version that was cloned; null for the draft."),
    digest: Type.String({ description: "SHA-256 of the cloned definition." }),
    not_cloned: Type.Array(Type.Enum(NOT_CLONED), {
      description: "What stays with the original. The clone has to earn its own evidence before its gate opens.",
    }),
  },
  { description: "What the clone was made from." },
);

export const TransferAgentBody = Type.Object(
  { owner: textOf(64, "The member who answers for the agent from now on, `mbr_…`.") },
  closed,
);
