import { type Static, Type } from "typebox";
import { closed, decidedMembers, nullable, Time } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { DefinitionDiff } from "../definitions/bundle/diff-schemas.ts";
import { Warnings } from "../definitions/references.ts";
import { AgentDefinition, AgentName } from "../definitions/schemas.ts";
import { VersionTraining } from "../training/schemas.ts";

const Digest = Type.String({ description: "SHA-256, in hexadecimal, of the definition's canonical JSON (RFC 8785)." });
const VersionNumber = ordinal("Versions of an agent are numbered from 1.");

export const FreezeVersionBody = Type.Object(
  { note: Type.Optional(Type.String({ maxLength: 2000, description: "What is new in this version, for people." })) },
  closed,
);

export const VersionVerdict = Type.Object(
  {
    state: Type.Enum(["open", "failed", "inconclusive", "expired", "missing"] as const, {
      description: "The verdict; `expired`: too old; `missing`: the version was not evaluated here.",
    }),
    reasons: Type.Array(Type.String(), { description: "Why." }),
    expires_at: nullable(Time, "Until when the verdict counts; null without one."),
  },
  { description: "The verdict of the evaluation gate in the environment of the key." },
);

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
  { description: "The frozen version, with what would not work in the environment of the key." },
);

export const AgentVersionDetail = Type.Object(
  {
    ...versionMembers,
    ...decidedMembers,
    labels: Type.Array(Type.String(), {
      description: "The agent's labels at present: they are not part of a version.",
    }),
    definition: AgentDefinition,
    diff: nullable(DefinitionDiff, "From the version that `diff` names to this one; null without `diff`."),
  },
  { description: "A version with its definition." },
);
