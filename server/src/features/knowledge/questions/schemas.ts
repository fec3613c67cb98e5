import { type Static, type TSchema, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";

export const MOST_TESTED = 1_000;

const Reference = Type.String({
  minLength: 1,
  maxLength: 255,
  description: "A document of the base, by id (`doc_…`) or by its `external_id`.",
});

export const TestedQuestion = Type.Object(
  {
    question: Type.String({ minLength: 1, maxLength: 1000, description: "As people or agents would ask it." }),
    expected: Type.Array(
      Type.Union([
        Reference,
        Type.Object(
          {
            document: Reference,
            grade: Type.Number({
              minimum: 0.01,
              maximum: 100,
              description: "How well it answers, compared with the others: twice the grade counts twice.",
            }),
          },
          closed,
        ),
      ]),
      { minItems: 1, maxItems: 100, description: "The documents that should be found; one without a grade has 1." },
    ),
  },
  closed,
);
export type TestedQuestion = Static<typeof TestedQuestion>;

export const TestBaseBody = Type.Object(
  { questions: Type.Array(TestedQuestion, { minItems: 1, maxItems: MOST_TESTED }) },
  closed,
);
export type TestBaseBody = Static<typeof TestBaseBody>;

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const RetrievalFigure = Type.Object(
  {
    mean: share("Over the questions that were asked."),
    low: nullable(share("Lower bound of the 95 % interval."), "Null: a single question has none."),
    high: nullable(share("Upper bound of it."), "Null: a single question has none."),
  },
  { description: "A mean over questions with its 95 % interval by Student's t." },
);

const figures = <T extends TSchema>(value: (description: string) => T) => ({
  ndcg_at_10: value("How near the first ten are to the best order, by their grades."),
  recall_at_5: value("The share of the expected documents among the first five."),
  recall_at_10: value("Among the first ten."),
  recall_at_50: value("Among the first fifty."),
  reciprocal_rank: value("1 / rank of the first expected document; 0 where none was found."),
});

export const RetrievalFigures = Type.Object(figures(() => RetrievalFigure));
export const QuestionFigures = Type.Object(figures(share));

export const RetrievalMode = Type.Enum(["words", "hybrid"] as const, {
  description: "`words`: by words alone. `hybrid`: by words and vectors.",
});

export const FoundDocument = Type.Object(
  {
    document_id: Type.String(),
    external_id: nullable(Type.String()),
    title: Type.String(),
    text: Type.String({ description: "The beginning of the chunk that was found." }),
  },
  { description: "A document that a search found." },
);
export type FoundDocument = Static<typeof FoundDocument>;

export const RetrievalTest = Type.Object({
  base_id: Type.String(),
  questions: Count("Questions that were given."),
  asked: Count("Questions that were asked within 90 seconds; where these are fewer, send the rest by itself."),
  figures: Type.Array(Type.Object({ mode: RetrievalMode, figures: RetrievalFigures }), {
    description: "By words, and, where the base has vectors, by words and vectors.",
  }),
  difference: nullable(
    Type.Object({
      ndcg_at_10: Type.Number({ description: "Mean of hybrid less words." }),
      low: nullable(Type.Number(), "Lower bound of the 95 % interval; null: a single question."),
      high: nullable(Type.Number(), "Upper bound of it; null: a single question."),
    }),
    "How much vectors change, question by question. Null: the base has none.",
  ),
  results: Type.Array(
    Type.Object({
      index: Count("The question's place in the call, from 0."),
      scores: Type.Array(Type.Object({ mode: RetrievalMode, ...figures(share) })),
      unknown: Type.Array(Type.String(), {
        description: "What is expected and is no document of the base that the caller may see. It counts as not found.",
      }),
    }),
    { description: "One for each question that was asked, in their order." },
  ),
  misses: Type.Array(
    Type.Object({
      index: Count("The question's place in the call, from 0."),
      question: Type.String(),
      expected: Type.Array(Type.String()),
      found: Type.Array(FoundDocument, { description: "What stood at the top instead." }),
    }),
    {
      description:
        "Questions of whose expected documents none is among the first ten, by the best mode that the base has; at most 100.",
    },
  ),
});
export type RetrievalTest = Static<typeof RetrievalTest>;

export const KnowledgeGap = Type.Object(
  {
    question: Type.String({
      description: "The wording that was used most. Personal data is replaced by placeholders.",
    }),
    asked: Count("How often it was asked without a good answer, in all its wordings."),
    wordings: Type.Array(Type.String(), { description: "Some of the wordings, the latest first." }),
    first_asked_at: Time,
    last_asked_at: Time,
    agents: Type.Array(Type.String(), { description: "The agents that asked it." }),
    by_people: Type.Boolean({ description: "Whether somebody else asked it, too." }),
    resolved_at: nullable(Time, "When it was asked again and answered well; null: it was not."),
    best: nullable(FoundDocument, "What a search finds for it now, best of all; null: nothing."),
  },
  { description: "Questions that ask for the same thing and found nothing good." },
);
export type KnowledgeGap = Static<typeof KnowledgeGap>;
