import type { Service } from "./service.ts";

/** One measured value with what it is held against. Ratios and rates have no unit. */
export interface Result {
  /** What was measured, in a few words. */
  readonly what: string;
  readonly value: number;
  readonly unit: "" | "×" | "ms" | "µs" | "s" | "KB" | "MB" | "/s";
  /** Must hold now; null: told for information only. */
  readonly bar: number | null;
  readonly aim: number | null;
  readonly better: "higher" | "lower";
}

/** What figures need to measure: how long, where to write, and things to measure against. All that it starts it also removes. */
export interface Bench {
  readonly quick: boolean;
  /** Seconds that one run of a load lasts. */
  readonly seconds: number;
  /** Pairs of service and baseline; at least three. */
  readonly pairs: number;
  /** Rows that stand for "1,000,000": fewer when quick. */
  readonly manyRows: number;
  /** A line for the reader: configuration, single runs. */
  say(line: string): void;
  /** A new folder below the bench's own. */
  folder(name: string): Promise<string>;
  /** Called when all is over, or on Ctrl-C, in reverse order. */
  onEnd(clean: () => Promise<unknown>): void;
  /** A service of its own on an empty database, started and warm, stopped when `work` has ended. */
  withService<T>(work: (service: Service) => Promise<T>): Promise<T>;
  /** The service that holds `manyRows` tasks with their approvals, events and sequenced audit records. Filled once per bench. */
  filled(): Promise<Service>;
}

/** One row of the table in the design's section "The governed call". */
export interface Figure {
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<readonly Result[]>;
}
