import type { Row } from "./csv.ts";
import type { Case, Journey } from "./definition.ts";
import { commonResults, held } from "./figures.ts";

/** `npm run journey:routing`: questions of customers with their intent. */
export const routing: Journey = {
  name: "routing",
  about: "Makes an agent that names what customers ask for: from questions with their known intent to judged tasks.",
  columns: ["text", "category"],
  tasks: 2000,
  cases: questionCases,
  file: new URL("./routing.yaml", import.meta.url),
  complete(definition, cases) {
    const intents = [...new Set(cases.map(({ output }) => output.intent as string))].sort();
    const field = definition.skills[0]?.output.properties.intent;
    if (field) field.enum = intents;
  },
  field: "intent",
  floor: 0.75,
  results(figures) {
    const common = commonResults(figures, { ece: [0.05, 0.03], training: [20, 8] });
    return common.map((one) => (one.what === "accuracy" ? { ...one, ...held([0.905, 0.92]) } : one));
  },
};

/** The cases of the rows. */
export function questionCases(rows: readonly Row[]): Case[] {
  return rows.map((row) => ({ input: { question: row.text as string }, output: { intent: row.category as string } }));
}
