import { type Static, Type } from "typebox";

// Holds all that a terminal or a page shows of a difference: neither needs the definitions.

export const changeKinds = ["added", "removed", "changed", "moved"] as const;
export const changeEffects = ["none", "prompt_or_tool_change", "model_change"] as const;
export type ChangeEffect = (typeof changeEffects)[number];

export const DiffLine = Type.Object(
  {
    op: Type.Enum(["same", "removed", "added"] as const, {
      description: "Whether the line is in both texts, or only in the earlier or later one.",
    }),
    text: Type.String({ description: "The line, without its line feed." }),
    no_newline: Type.Optional(Type.Literal(true, { description: "No line feed follows: the text ends here." })),
  },
  { description: "One line of a text's difference." },
);
export type DiffLine = Static<typeof DiffLine>;

const start = Type.Integer({ minimum: 0, description: "The first line, from 1; of no lines, the line before." });
const lines = Type.Integer({ minimum: 0, description: "How many lines." });

export const DiffHunk = Type.Object(
  { before_start: start, before_lines: lines, after_start: start, after_lines: lines, lines: Type.Array(DiffLine) },
  { description: "A run of changed lines with up to three unchanged ones around it." },
);
export type DiffHunk = Static<typeof DiffHunk>;

export const TextDiff = Type.Object(
  {
    added: Type.Integer({ minimum: 0, description: "Lines added." }),
    removed: Type.Integer({ minimum: 0, description: "Lines removed." }),
    hunks: Type.Array(DiffHunk),
  },
  { description: "The difference of a text of several lines, by lines." },
);
export type TextDiff = Static<typeof TextDiff>;

export const DefinitionChange = Type.Object(
  {
    pointer: Type.String({
      description: "JSON Pointer to it in the later definition; of something removed, in the earlier one.",
    }),
    from: Type.Optional(
      Type.String({ description: "JSON Pointer to it in the earlier definition, where that is another one." }),
    ),
    path: Type.Array(Type.String(), {
      description: "The same way in words: tools, skills and examples by name instead of by position.",
    }),
    kind: Type.Enum(changeKinds, {
      description: "`moved`: only its position in its list changed.",
    }),
    before: Type.Optional(Type.Unknown({ description: "The earlier value; of something moved, its position from 0." })),
    after: Type.Optional(Type.Unknown({ description: "The later value; of something moved, its position from 0." })),
    text: Type.Optional(TextDiff),
    effect: Type.Enum(changeEffects, { description: "What it means for earlier evidence." }),
  },
  { description: "One field that differs." },
);
export type DefinitionChange = Static<typeof DefinitionChange>;

export const DefinitionDiff = Type.Object(
  {
    summary: Type.String({ description: "The difference in a few words, such as `2 skills changed, 1 tool added`." }),
    identical: Type.Boolean({ description: "Whether they say the same." }),
    before_digest: Type.String({ description: "SHA-256 of the earlier definition's canonical JSON." }),
    after_digest: Type.String({ description: "SHA-256 of the later definition's canonical JSON." }),
    effect: Type.Object(
      {
        overall: Type.Enum(changeEffects, { description: "The strongest of all changes." }),
        skills: Type.Record(Type.String(), Type.Enum(changeEffects), {
          description: "By skill that both have: the strongest change that affects it.",
        }),
      },
      {
        description:
          "Whether earlier labels still count for trust: `none`, all of them; otherwise the version starts without labels.",
      },
    ),
    changes: Type.Array(DefinitionChange, { description: "Every difference, in the order of the file." }),
  },
  { description: "How two definitions of an agent differ, field by field." },
);
export type DefinitionDiff = Static<typeof DefinitionDiff>;
