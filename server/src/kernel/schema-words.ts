import { type TSchema, Type } from "typebox";
import { type Part, parts } from "./actor.ts";

// The words that the schemas of all groups are made of.

/** Nothing but the members that are named. */
export const closed = { additionalProperties: false } as const;
export const Time = Type.String({ format: "date-time" });

export const nullable = <T extends TSchema>(type: T, description?: string) =>
  Type.Union([type, Type.Null()], description === undefined ? {} : { description });

export const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** A filter that takes several values with commas between. */
export const commaList = <T extends TSchema>(value: T, what: string) =>
  Type.Optional(Type.Array(value, { description: `${what}, separated by commas.` }));

/** Filters by the time at which something was made. */
export const createdRange = {
  created_after: Type.Optional(Type.String({ format: "date-time", description: "Made at this time or later." })),
  created_before: Type.Optional(Type.String({ format: "date-time", description: "Made before this time." })),
};

/** Members of every view of content that a second person confirms. */
export const decidedMembers = {
  deciders: Type.Array(
    Type.Object({
      id: Type.String({ description: "`mbr_…`; `host`: whoever runs the service." }),
      how: Type.Enum(Object.keys(parts) as Part[], { description: "What they did." }),
      of: nullable(Type.String(), "What they did it to, such as `agent:sales@3`; null: not known."),
      at: nullable(Time, "When; null: not known."),
    }),
    { description: "Who decided it, as far as nobody else has looked at it in the environment of the key." },
  ),
  confirmed_by: nullable(
    Type.String(),
    "The second person who looked at it in the environment of the key; null: nobody did.",
  ),
  confirmed_at: nullable(Time, "When they did."),
};

/** Members of every view of what acts later in somebody's name. */
export const stoppedMembers = {
  stopped_reason: nullable(
    Type.String(),
    "Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on.",
  ),
};
