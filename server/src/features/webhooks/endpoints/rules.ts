import { nearestName } from "@aos/text";
import type { CallContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { matchesPattern, permissionToRead, withheldFrom } from "../../../kernel/event-filter.ts";
import { eventCatalogue } from "../../../kernel/events.ts";
import { beyond } from "../../../kernel/narrowing.ts";
import type { Environment } from "../../../kernel/principal.ts";
import { insufficientScope, invalidBody, invalidParameter } from "../../../kernel/problems.ts";
import { readerTokens } from "../../../kernel/readers.ts";
import type { WebhookPort } from "../ports.ts";

/** The events that match one of the patterns. */
export function namesOf(patterns: readonly string[]): string[] {
  return eventCatalogue()
    .map(({ type }) => type)
    .filter((type) => patterns.some((pattern) => matchesPattern(pattern, type)));
}

/** Faults of patterns that match no event, each at its `pointer`. The schema refuses what is no text. */
export function patternFaults(patterns: unknown, pointer: (index: number) => string): Fault[] {
  if (!Array.isArray(patterns)) return [];
  const names = eventCatalogue().map(({ type }) => type);
  const groups = names.flatMap((name) => [...name.matchAll(/\./g)].map(({ index }) => `${name.slice(0, index)}.*`));
  return patterns.flatMap((pattern: unknown, index) => {
    if (typeof pattern !== "string" || names.some((name) => matchesPattern(pattern, name))) return [];
    const nearest = nearestName(pattern, [...names, ...groups]);
    const hint = nearest === null ? "`GET /v1/webhooks/event-types` lists them" : `did you mean \`${nearest}\`?`;
    const detail = `\`${pattern}\` is not an event or a group of events; ${hint}`;
    return [{ pointer: pointer(index), code: "unknown_event", detail }];
  });
}

/** Checks the query parameter `event`. Throws if one of its patterns matches no event. */
export function knownEvents<P extends readonly string[] | undefined>(patterns: P): P {
  const errors = patternFaults(patterns, String).map(({ code, detail }) => ({ parameter: "event", code, detail }));
  if (errors[0]) throw refuse(invalidParameter, `event: ${errors[0].detail}`, { errors });
  return patterns;
}

export function urlFaults(port: Pick<WebhookPort, "checkUrl">, environment: Environment, url: unknown): Fault[] {
  const fault = typeof url === "string" ? port.checkUrl(environment, url) : null;
  return fault ? [fault] : [];
}

/** Throws if the host of an address resolves to one that must not be called. */
export async function checkTarget(
  port: Pick<WebhookPort, "checkTarget">,
  environment: Environment,
  url: string,
): Promise<void> {
  const fault = await port.checkTarget(environment, url);
  if (fault) throw refuse(invalidBody, `${fault.pointer}: ${fault.detail}`, { errors: [fault] });
}

/** The agents that an endpoint is bound to: those asked for, or by default those of the key. Throws if the key is not for one of them. */
export function agentsFor({ principal }: CallContext, asked: readonly string[] | null | undefined): string[] | null {
  const own = principal.agents;
  const agents = asked ?? own;
  const foreign = own && agents?.find((agent) => !own.includes(agent));
  if (own && foreign) throw beyond(own, `this call concerns ${foreign}`, foreign);
  return agents && [...agents];
}

/** Whose sight an endpoint has from now on: the caller's. */
export const sightOfCaller = ({ principal }: CallContext) => ({
  withheld: withheldFrom(principal),
  sight: readerTokens(principal)?.slice() ?? null,
  sight_of: principal.id,
});

/** Throws if reading an event takes a permission that the caller lacks. */
export function permitEvent({ principal }: CallContext, type: string): void {
  const permission = permissionToRead(type);
  if (permission === null || !withheldFrom(principal).some((start) => type.startsWith(start))) return;
  throw refuse(insufficientScope, `Reading ${type} requires the scope ${permission}, which the key does not have.`, {
    stage: "permissions",
    members: { missing_scope: permission },
  });
}
