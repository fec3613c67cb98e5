import { type TSchema, Type } from "typebox";

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
