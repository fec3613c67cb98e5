import type { Config } from "./settings.ts";

/** One environment variable: everything that is to know about it. */
export interface Variable<K extends keyof Config> {
  readonly name: string;
  readonly key: K;
  /** The default as a person would write it; empty where there is none. */
  readonly standard: string;
  readonly meaning: string;
  /** What is allowed, as it ends the sentence "… must be". */
  readonly allowed: string;
  readonly secret: boolean;
  /** The value, or undefined where the text is not allowed. Gets what was read before it: variables are read in order. */
  readonly parse: (text: string, before: Partial<Config>) => Config[K] | undefined;
  /** The value without the variable, where that is not simply `parse(standard)`. */
  readonly absent?: (before: Partial<Config>) => Config[K];
}

export function variable<K extends keyof Config>(declared: Variable<K>): Variable<keyof Config> {
  return declared as unknown as Variable<keyof Config>;
}

/** A variable has a value that the service cannot use. The message is one line: the variable, what was given, what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
