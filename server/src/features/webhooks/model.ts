import { nearestName } from "@aos/text";
import type { CallContext } from "../../kernel/context.ts";
import { type Fault, refuse } from "../../kernel/errors.ts";
import { matchesPattern, withheldFrom } from "../../kernel/event-filter.ts";
import { eventCatalogue } from "../../kernel/events.ts";
import { beyond } from "../../kernel/narrowing.ts";
import type { Environment } from "../../kernel/principal.ts";
import { insufficientScope, invalidParameter } from "../../kernel/problems.ts";
import type { WebhookPort } from "./ports.ts";

/** Endpoints that an environment has at most. */
export const mostWebhooks = 1_000;

/** Names of events that patterns stand for, for what is stored under whole names. */
export function namesOf(patterns: readonly string[]): string[] {
  return eventCatalogue()
    .map(({ type }) => type)
    .filter((type) => patterns.some((pattern) => matchesPattern(pattern, type)));
}

/** What is wrong with patterns that stand for no event; `pointer` tells where one stands. What is no text is the schema's to refuse. */
export function patternFaults(patterns: unknown, pointer: (index: number) => string): Fault[] {
  if (!Array.isArray(patterns)) return [];
  const names = eventCatalogue().map(({ type }) => type);
  const groups = names.flatMap((name) =>
    name
      .split(".")
      .slice(0, -1)
      .map((_part, at, all) => `${all.slice(0, at + 1).join(".")}.*`),
  );
  return patterns.flatMap((pattern: unknown, index) => {
    if (typeof pattern !== "string" || names.some((name) => matchesPattern(pattern, name))) return [];
    const nearest = nearestName(pattern, [...names, ...groups]);
    const hint = nearest === null ? "`GET /v1/webhooks/event-types` lists them" : `did you mean \`${nearest}\`?`;
    return [
      {
        pointer: pointer(index),
        code: "unknown_event",
        detail: `\`${pattern}\` is no event and no group of events; ${hint}`,
      },
    ];
  });
}

/** The same for the parameter `event` of a query. Throws where one of its names or groups stands for no event: nothing would be found, and nobody told why. */
export function knownEvents<P extends readonly string[] | undefined>(patterns: P): P {
  const errors = patternFaults(patterns, String).map(({ code, detail }) => ({ parameter: "event", code, detail }));
  if (errors[0]) throw refuse(invalidParameter, `event: ${errors[0].detail}`, { errors });
  return patterns;
}

/** What speaks against an address by itself; nothing where it is no text, or not given. */
export function urlFaults(port: Pick<WebhookPort, "checkUrl">, environment: Environment, url: unknown): Fault[] {
  const fault = typeof url === "string" ? port.checkUrl(environment, url) : null;
  return fault ? [fault] : [];
}

/** Agents that an endpoint is bound to: those asked for, and of a key that is narrowed to agents no others. Throws where it asks for more than it may. */
export function agentsFor(
  { principal }: CallContext,
  asked: readonly string[] | null | undefined,
): readonly string[] | null {
  const own = principal.agents;
  if (own === null) return asked ?? null;
  if (asked === undefined || asked === null) return own;
  const foreign = asked.find((agent) => !own.includes(agent));
  if (foreign !== undefined) throw beyond(own, `this call concerns ${foreign}`, foreign);
  return asked;
}

/** Refuses to show what a delivery or the log tells of an event that takes another permission. */
export function permitEvent({ principal }: CallContext, type: string, permission: string | null): void {
  if (permission === null || !withheldFrom(principal).some((start) => type.startsWith(start))) return;
  throw refuse(insufficientScope, `Reading ${type} takes the scope ${permission}, which the key does not have.`, {
    stage: "permissions",
    members: { missing_scope: permission },
  });
}
