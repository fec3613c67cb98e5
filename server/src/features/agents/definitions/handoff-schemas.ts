import { type Static, Type } from "typebox";
import { handoffRules } from "../../../kernel/handoff.ts";
import { closed } from "../../../kernel/schema-words.ts";
import { teamNamePattern } from "../../admin/public.ts";

// When an agent hands a conversation to a team of people: a part of its file.

const Team = Type.String({ pattern: teamNamePattern, description: "A team of the environment, by name." });

const Rule = Type.Object(
  {
    when: Type.Enum(handoffRules, {
      description:
        "`asked`: the user asks for a person. `unsure`: nothing that answers was found, `times` in a row. `topic`: the message has one of `keywords`. `sentiment`: the user sounds upset. `value`: a number is above `above`. `limits`: the run reached a limit of steps, tokens or money, or a budget.",
    }),
    team: Team,
    times: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: "Of `unsure`: answers in a row; 2 without it." }),
    ),
    keywords: Type.Optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 100 }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: "Of `topic`: beginnings of words; upper and lower case are alike.",
      }),
    ),
    field: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          "Of `value`: a member of the conversation's context. Without it, amounts of money in the message count.",
      }),
    ),
    above: Type.Optional(Type.Number({ minimum: 0, description: "Of `value`: the number that has to be exceeded." })),
  },
  closed,
);

export const HandoffDefinition = Type.Object(
  {
    teams: Type.Optional(
      Type.Array(
        Type.Object(
          {
            team: Team,
            for: Type.String({
              minLength: 1,
              maxLength: 300,
              description: "What the team is for, as the model reads it.",
            }),
          },
          closed,
        ),
        {
          maxItems: 20,
          description:
            "Teams to which the agent may hand a conversation by its tool `hand_over`. None: it has no such tool.",
        },
      ),
    ),
    rules: Type.Optional(
      Type.Array(Rule, {
        maxItems: 50,
        description: "The first that matches counts. They hold whatever the model does.",
      }),
    ),
  },
  {
    ...closed,
    description:
      "When conversations are handed to people, and to which team. After that, the agent does not answer until they are returned.",
  },
);
export type HandoffDefinition = Static<typeof HandoffDefinition>;
