import { isKeyName } from "@aos/proof";

/** Which log: an organization and its environment, or the environment `installation` for calls that belong to none (401). */
export interface LogScope {
  readonly organization: string;
  readonly environment: string;
}

export { installationEnvironment } from "../kernel/principal.ts";

/** The log's name in every checkpoint: `<installation>/<organization>/<environment>`. Throws RangeError for names that no key can carry. */
export function originOf(installation: string, { organization, environment }: LogScope): string {
  const origin = `${installation}/${organization}/${environment}`;
  if (!isKeyName(origin) || installation === "") {
    throw new RangeError(
      `"${origin}" cannot name a log: installation and organization must be free of spaces and plus signs and not empty`,
    );
  }
  return origin;
}

/** A key for maps by scope. NUL stands in no name. */
export function scopeKey({ organization, environment }: LogScope): string {
  return `${organization}\u0000${environment}`;
}
