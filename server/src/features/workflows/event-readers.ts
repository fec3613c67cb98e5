import { storedActor } from "../../kernel/actor.ts";
import { withheldFrom } from "../../kernel/event-filter.ts";
import type { Role } from "../../kernel/principal.ts";
import { maySee, type ReaderTokens, readerTokens } from "../../kernel/readers.ts";
import type { SeenEvent } from "./match.ts";
import type { Looking } from "./plans.ts";
import { roleOf } from "./trigger-principal.ts";

/** A trigger, or a wait of a run. */
interface Acting {
  readonly principal: string;
  readonly actor: unknown;
}

interface Reading {
  readonly withheld: readonly string[];
  readonly tokens: ReaderTokens;
}

/** Whether the actor of a trigger or wait may read an event: with the role that its owner has now, and with what its credential allowed. */
export async function eventReaders<A extends Acting>(
  ctx: Looking,
  acting: readonly A[],
): Promise<(one: A, event: Pick<SeenEvent, "types" | "readers">) => boolean> {
  const roles = new Map<string, Role | null>();
  for (const { principal: id } of acting) if (!roles.has(id)) roles.set(id, (await roleOf(ctx, id)) ?? null);
  const readings = new Map(acting.map((one) => [one, readingsOf(one, roles.get(one.principal) ?? null)]));
  return (one, { types, readers }) =>
    (readings.get(one) ?? []).every(
      ({ withheld, tokens }) =>
        !withheld.some((start) => [...types].some((type) => type.startsWith(start))) &&
        maySee([tokens], ...(readers ?? [])),
    );
}

function readingsOf({ principal: id, actor }: Acting, now: Role | null): Reading[] {
  const { role, scopes } = storedActor(actor).bounds;
  return [reading(id, now, null), reading(id, role ?? now, scopes)];
}

function reading(id: string, role: Role | null, scopes: readonly string[] | null): Reading {
  const owner = { kind: "member", id, role, scopes } as const;
  return { withheld: withheldFrom(owner), tokens: role === null ? [] : readerTokens(owner) };
}
