import { Refusal } from "../../kernel/errors.ts";
import type { JobHandler, JobParts } from "../../kernel/machines.ts";
import { type Environment, environments, type Scope } from "../../kernel/principal.ts";
import { conflict, notFound } from "../../kernel/problems.ts";
import { type SettleTurn, settleTurn } from "./operations/settle-turn.ts";
import { startTurn } from "./operations/start-turn.ts";

type Parts = Pick<JobParts, "inside">;

/** The handler of the job that brings turns up to their tasks and begins the next one. What throws is looked at again. */
export function createTurnJob(parts: Parts): JobHandler {
  return async (payload) => {
    const { conversation, task } = (payload ?? {}) as { conversation?: unknown; task?: unknown };
    const scope = scopeOf(payload);
    if (!scope || typeof conversation !== "string") return;
    await settle(parts, scope, { conversation, task: typeof task === "string" ? task : null, refused: null });
  };
}

async function settle(parts: Parts, scope: Scope, first: SettleTurn): Promise<void> {
  let asked: SettleTurn | null = first;
  while (asked) {
    const settled: { next: string | null } | undefined = await unlessGone(parts.inside(settleTurn, scope, asked));
    if (!settled?.next) return;
    asked = await begin(parts, scope, first.conversation, settled.next);
  }
}

/** Begins a turn that waited in line. Returns what is to be settled then; null: nothing, somebody else was faster. */
async function begin(parts: Parts, scope: Scope, conversation: string, turn: string): Promise<SettleTurn | null> {
  try {
    const { task } = await parts.inside(startTurn, scope, { turn });
    return { conversation, task, refused: null };
  } catch (error) {
    if (!(error instanceof Refusal) || error.type.status >= 500) throw error;
    const { code } = error.type;
    if (code === conflict.code || code === notFound.code) return null;
    return { conversation, task: null, refused: { turn, code, detail: "It was not allowed when its turn came." } };
  }
}

async function unlessGone<T>(done: Promise<T>): Promise<T | undefined> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof Refusal && error.type.code === notFound.code) return undefined;
    throw error;
  }
}

function scopeOf(payload: unknown): Scope | undefined {
  const { organization, environment } = (payload ?? {}) as Record<string, unknown>;
  if (typeof organization !== "string" || !environments.includes(environment as Environment)) return undefined;
  return { organization, environment: environment as Environment };
}
