import type { Result } from "../../server/bench/figure.ts";
import type { Row } from "./csv.ts";
import type { Figures } from "./figures.ts";

/** A case of the data: what the skill is given, what it should answer, and the record that it looks up. */
export interface Case {
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
  readonly record?: { readonly external_id: string; readonly fields: Readonly<Record<string, unknown>> };
}

/** What one journey is made of. */
export interface Journey {
  readonly name: string;
  /** In a sentence. */
  readonly about: string;
  /** Columns that the data has to have. */
  readonly columns: readonly string[];
  /** How many cases become tasks; nothing is learnt from them. */
  readonly tasks: number;
  /** The cases of the data's rows. */
  cases(rows: readonly Row[]): Case[];
  /** The agent's file, as people keep it. */
  readonly file: URL;
  /** Puts into the agent's definition what only the data says, such as the classes to tell apart. */
  complete?(definition: AgentDocument, cases: readonly Case[]): void;
  /** The member of the output that is learnt and judged. */
  readonly field: string;
  /** Where the agent's dataset sets the floor of its gate. */
  readonly floor: number;
  /** What was measured, with what it is held against. */
  results(figures: Figures): Result[];
}

/** An agent's file as data. */
export interface AgentDocument {
  agent: string;
  knowledge?: string[];
  tools?: { kind: string; base?: string }[];
  skills: { name: string; output: { properties: Record<string, { enum?: unknown[] }> } }[];
}
