import { type Environment, environments, type Scope } from "../../kernel/principal.ts";

/** The scope that the payload of a job names; undefined where it names none. */
export function scopeOf(payload: unknown): Scope | undefined {
  const { organization, environment } = (payload ?? {}) as Record<string, unknown>;
  if (typeof organization !== "string" || !environments.includes(environment as Environment)) return undefined;
  return { organization, environment: environment as Environment };
}
