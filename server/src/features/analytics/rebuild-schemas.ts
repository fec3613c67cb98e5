import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../kernel/schema-words.ts";

export const RebuildBody = Type.Object(
  {
    from: Type.Optional(
      Type.String({ format: "date-time", description: "Beginning; default: the oldest thing that is counted." }),
    ),
    to: Type.Optional(Type.String({ format: "date-time", description: "End; default now." })),
  },
  { ...closed, description: "What to count anew; whole minutes that these times lie in." },
);

export const Rebuild = Type.Object(
  {
    state: Type.Enum(["running", "finished"] as const),
    from: Time,
    to: Time,
    done_until: Type.String({ format: "date-time", description: "Figures before this time are counted anew." }),
    share: Type.Number({ minimum: 0, maximum: 1, description: "Of the time, how much is done." }),
    counted: Type.Integer({ description: "Tasks, approvals, violations and deliveries so far." }),
    requested_by: Type.String(),
    requested_at: Time,
    finished_at: nullable(Time, "Null: it is running."),
  },
  { description: "Figures that are counted anew from what there is. They stay exact while it goes on." },
);
export type Rebuild = Static<typeof Rebuild>;
