import { type Environment, environments, type Scope } from "../kernel/principal.ts";

export interface JobAddress extends Scope {
  readonly id: string;
}

/** The scope of a job's payload, and the id that it has under `name`. Undefined: the payload has none. */
export function addressIn(payload: unknown, name: string): JobAddress | undefined {
  const { organization, environment, [name]: id } = (payload ?? {}) as Record<string, unknown>;
  if (typeof organization !== "string" || typeof id !== "string") return undefined;
  return environments.includes(environment as Environment)
    ? { organization, environment: environment as Environment, id }
    : undefined;
}
