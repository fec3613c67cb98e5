import { type Static, type TSchema, Type } from "typebox";
import { closed, decidedMembers, nullable, Time } from "../../kernel/schema-words.ts";
import { ordinal } from "../../kernel/whole-numbers.ts";
import { DefinitionDiff } from "./bundle/diff-schemas.ts";
import { AgentBundle, AgentDefinition, AgentName, textOf } from "./definition.ts";
import { Warnings } from "./references.ts";
import { VersionTraining } from "./training-schemas.ts";

// A part of schemas.ts, which it does not import.

export { DefinitionChange, DefinitionDiff, DiffHunk, DiffLine, TextDiff } from "./bundle/diff-schemas.ts";

const { agent, description, labels, model, instructions, knowledge, tools, skills } = AgentBundle.properties;
const Digest = Type.String({ description: "SHA-256, in hexadecimal, of the definition's canonical JSON (RFC 8785)." });
const VersionNumber = ordinal("Versions of an agent are numbered from 1.");
const Reason = textOf(2000, "Why; kept with the agent.");

export const AgentSource = Type.Object(
  {
    agent: AgentName,
    version: Type.Optional(ordinal("One of its versions; its draft where this is left out.")),
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
    instructions: orNull(AgentBundle.properties.instructions, "What all skills are told; null for nothing."),
    knowledge: orNull(AgentBundle.properties.knowledge, "All knowledge bases; null for none."),
    tools,
    skills,
  },
  {
    ...closed,
    minProperties: 1,
    description: "Each member that is given takes the place of the draft's; the others stay.",
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
      Type.Boolean({ default: false, description: "Archive it although something uses it, which then fails." }),
    ),
  },
  closed,
);

export const FreezeVersionBody = Type.Object(
  { note: Type.Optional(Type.String({ maxLength: 2000, description: "What is new in this version, for people." })) },
  closed,
);

export const VersionVerdict = Type.Object(
  {
    state: Type.Enum(["open", "failed", "inconclusive", "expired", "missing"] as const, {
      description: "The verdict; `expired`: it is out of date; `missing`: the version was not evaluated here.",
    }),
    reasons: Type.Array(Type.String(), { description: "Why." }),
    expires_at: nullable(Time, "Until when the verdict counts; null where there is none."),
  },
  { description: "The verdict of the evaluation gate in the environment of the key." },
);
export type VersionVerdict = Static<typeof VersionVerdict>;

const versionMembers = {
  version: VersionNumber,
  version_id: Type.String({ description: "`ver_…`" }),
  agent: AgentName,
  digest: Digest,
  note: Type.String({ description: "What is new in it." }),
  author: Type.String({ description: "Who froze it, by id." }),
  created_at: Time,
  based_on: nullable(Type.Integer(), "The version that was frozen before it; null for the first."),
  training: nullable(VersionTraining, "The training that made it; null: people wrote it."),
  verdict: VersionVerdict,
  deployed: Type.Boolean({ description: "Whether it is live in the environment of the key." }),
};

export const AgentVersion = Type.Object(versionMembers, { description: "A version of an agent. It never changes." });
export type AgentVersion = Static<typeof AgentVersion>;

export const FrozenVersion = Type.Object(
  { ...versionMembers, warnings: Warnings },
  { description: "A version as it was frozen, with what would not work of it in the environment of the key." },
);

export const DraftComparison = Type.Object(
  { ...DefinitionDiff.properties, warnings: Warnings },
  {
    description:
      "How the draft and what was sent differ, and what would not work of the latter in the environment of the key.",
  },
);

export const AgentVersionDetail = Type.Object(
  {
    ...versionMembers,
    ...decidedMembers,
    labels: Type.Array(Type.String(), {
      description: "The agent's labels at present: they are not part of a version.",
    }),
    definition: AgentDefinition,
    diff: nullable(DefinitionDiff, "From the version that `diff` names to this one; null where none was asked for."),
  },
  { description: "A version with its definition." },
);
export type AgentVersionDetail = Static<typeof AgentVersionDetail>;
