import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";

export const RebuildBody = Type.Object(
  {
    from: Type.Optional(
      Type.String({ format: "date-time", description: "Beginning; default: the oldest thing that is counted." }),
    ),
    to: Type.Optional(Type.String({ format: "date-time", description: "End; default now." })),
  },
  { ...closed, description: "The stretch of time to recount, extended to whole minutes." },
);

export const Rebuild = Type.Object(
  {
    state: Type.Enum(["running", "finished"] as const),
    from: Time,
    to: Time,
    done_until: Type.String({ format: "date-time", description: "Figures before this time are recounted." }),
    share: Type.Number({ minimum: 0, maximum: 1, description: "Share of the time that is done." }),
    counted: Type.Integer({ description: "Tasks, approvals, violations and deliveries so far." }),
    requested_by: Type.String(),
    requested_at: Time,
    finished_at: nullable(Time, "Null: it is running."),
  },
  {
    description:
      "A recount of figures from the stored tasks, approvals, violations and deliveries. Figures stay exact meanwhile.",
  },
);
export type Rebuild = Static<typeof Rebuild>;
