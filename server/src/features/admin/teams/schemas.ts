import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";

// Shapes of teams on the wire.

export const teamNamePattern = "^[a-z][a-z0-9-]{0,39}$";
export const TeamName = Type.String({
  pattern: teamNamePattern,
  description: "The team's name: a short lowercase word.",
});

const timeOfDay = (description: string) =>
  Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$", description });
const OpenTime = Type.Object(
  {
    from: timeOfDay("When it opens, such as `09:00`, by the clock of the team's time zone."),
    to: timeOfDay("When it closes, such as `17:30`; `24:00` is the end of the day."),
  },
  closed,
);
const Day = Type.Optional(Type.Array(OpenTime, { maxItems: 4 }));

export const OpeningHours = Type.Object(
  {
    time_zone: Type.String({ maxLength: 64, description: "An IANA time zone, such as `Europe/Vienna`." }),
    weekly: Type.Object(
      { mon: Day, tue: Day, wed: Day, thu: Day, fri: Day, sat: Day, sun: Day },
      { ...closed, description: "When the team works, by weekday. A day without times is closed." },
    ),
    holidays: Type.Optional(
      Type.Array(Type.String({ format: "date", description: "Such as `2026-12-25`." }), {
        maxItems: 366,
        uniqueItems: true,
        description: "Days on which the team is closed, by the calendar of its time zone.",
      }),
    ),
  },
  closed,
);
export type OpeningHours = Static<typeof OpeningHours>;

const LanguageTag = "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$";
const Outside = Type.Record(Type.String({ pattern: LanguageTag }), Type.String({ minLength: 1, maxLength: 1000 }), {
  maxProperties: 40,
  description:
    "What a customer reads outside the opening hours, by language (`en`, `de-AT`). `{{opens}}` stands for when the team opens, `{{team}}` for its title. Default: a sentence of the service.",
});

const seconds = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 2_592_000, description }));
export const TeamTargets = Type.Object(
  {
    waiting_seconds: seconds("How long a conversation may wait until a person takes it."),
    first_answer_seconds: seconds("How long it may take until a person has answered."),
  },
  {
    ...closed,
    description: "Service levels, in seconds of opening hours since the hand-over. One that is exceeded is an event.",
  },
);

export const SavedReply = Type.Object(
  {
    name: Type.String({ pattern: "^[a-z][a-z0-9-]{0,39}$", description: "A short lowercase word." }),
    title: Type.String({ minLength: 1, maxLength: 100, description: "For people." }),
    text: Type.String({
      minLength: 1,
      maxLength: 4000,
      description:
        "What is written. Placeholders: `{{user}}`, `{{me}}`, `{{team}}`, `{{conversation}}`, and `{{context.name}}` for a member of the conversation's context.",
    }),
  },
  closed,
);
export type SavedReply = Static<typeof SavedReply>;

export const assignments = ["claim", "round_robin", "least_loaded"] as const;
const Assignment = Type.Enum(assignments, {
  default: "claim",
  description:
    "How waiting conversations find a person: members take them (`claim`), or the service assigns each to the member who was assigned one longest ago (`round_robin`) or has the fewest open ones (`least_loaded`).",
});
const Members = Type.Array(Type.String({ pattern: "^mbr_[0-9a-z]{26}$", description: "A person, `mbr_…`." }), {
  maxItems: 200,
  uniqueItems: true,
});
const Title = Type.String({ minLength: 1, maxLength: 100, description: "As people and customers read it." });
const Replies = Type.Array(SavedReply, { maxItems: 200 });

export const SetTeamBody = Type.Object(
  {
    title: Title,
    members: Type.Optional(Members),
    hours: Type.Optional(nullable(OpeningHours, "Null: the team is always open, which is the default.")),
    outside: Type.Optional(Outside),
    assignment: Type.Optional(Assignment),
    targets: Type.Optional(TeamTargets),
    saved_replies: Type.Optional(Replies),
  },
  closed,
);
export type SetTeamBody = Static<typeof SetTeamBody>;

export const Team = Type.Object({
  team: TeamName,
  title: Title,
  members: Type.Array(
    Type.Object({
      member_id: Type.String(),
      name: Type.String(),
      answers: Type.Boolean({ description: "Whether their role here lets them answer customers (`chat:answer`)." }),
    }),
  ),
  hours: nullable(OpeningHours, "Null: always open."),
  outside: Outside,
  assignment: Assignment,
  targets: TeamTargets,
  saved_replies: Replies,
  open: Type.Boolean({ description: "Whether it is open at this moment." }),
  opens_at: nullable(Time, "When it opens next; null: it is open, or never opens within a year."),
  revision: Type.Integer({ minimum: 1 }),
  created_by: Type.String({ description: "By id." }),
  created_at: Time,
  updated_at: Time,
});
export type Team = Static<typeof Team>;

export const RemovedTeam = Type.Object({ team: TeamName, removed: Type.Boolean() });
