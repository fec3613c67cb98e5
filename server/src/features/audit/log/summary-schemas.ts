import { type Static, Type } from "typebox";
import { nullable, Time } from "../../../kernel/schema-words.ts";

const counts = {
  records: Type.Integer({ description: "Records that were counted." }),
  allowed: Type.Integer(),
  refused: Type.Integer({ description: "By a stage or a rule." }),
  failed: Type.Integer({ description: "By a fault of the service." }),
  last_at: nullable(Time, "The time of the newest."),
};

const members = {
  ...counts,
  first_at: nullable(Time, "The time of the oldest that was counted."),
  complete: Type.Boolean({
    description:
      "Whether these are all; at most the newest 10,000 are counted, and the list of events goes on from there.",
  }),
  actions: Type.Array(Type.Object({ action: Type.String({ description: "The operation." }), ...counts }), {
    description: "What was done, most often first; at most 100.",
  }),
  keys: Type.Array(Type.Object({ key_id: Type.String({ description: "`key_…`" }), ...counts }), {
    description: "The keys that were used, most often first; at most 100.",
  }),
};

export const ActorSummary = Type.Object({
  actor: Type.String({ description: "`mbr_…`, `key_…`, `system:<job>` or `anonymous`." }),
  ...members,
  objects: Type.Array(Type.Object({ object: Type.String({ description: "`<type>:<id>`" }), ...counts }), {
    description: "What it was done to, most often first; at most 100.",
  }),
});
export type ActorSummary = Static<typeof ActorSummary>;

export const ObjectSummary = Type.Object({
  object: Type.String({ description: "`<type>:<id>`" }),
  ...members,
  actors: Type.Array(Type.Object({ actor: Type.String({ description: "Who called." }), ...counts }), {
    description: "Who did it, most often first; at most 100.",
  }),
});
export type ObjectSummary = Static<typeof ObjectSummary>;
