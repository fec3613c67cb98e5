import { type Static, Type } from "typebox";
import { closed, nullable } from "../../kernel/schema-words.ts";
import { ordinal } from "../../kernel/whole-numbers.ts";
import { AgentBundle, AgentName, textOf } from "./definition.ts";

// A part of schemas.ts, which it does not import: cloning, restoring and transferring agents.

const { description, labels } = AgentBundle.properties;

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
