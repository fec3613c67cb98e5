import { type Demand, nothingUsed } from "../../kernel/budget.ts";
import type { Challenges } from "../../kernel/challenges.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { SendMail } from "../../kernel/identity.ts";
import { definePort } from "../../kernel/port.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { OpenConnection } from "./connections/rules.ts";

export type { ConnectionHeaders, OpenConnection } from "./connections/rules.ts";

/** Result of a test call; `code` null: it succeeded. */
export interface Probe {
  readonly code: string | null;
  /** One sentence for people, without the secret. */
  readonly detail: string;
}

export interface Asked {
  readonly model: string;
  readonly system: string;
  readonly user: string;
}

/** What a model wrote; `usd` null: no price of it is known. */
export interface Written {
  readonly text: string;
  readonly tokens: number;
  readonly usd: number | null;
  /** Where its price stands, and as of when; null: nowhere. */
  readonly price: string | null;
}

/** What asking a model used: nothing where it did not answer. */
export function usedBy(written: Written | Probe | null): Demand {
  if (written === null || !("text" in written)) return nothingUsed;
  const { tokens, usd, price } = written;
  return { tokens, ...(usd !== null && { usd }), ...(price !== null && { price }) };
}

export interface ConnectionPort {
  readonly credentialKey: Buffer;
  /**
   * Calls the service of a connection: asks the model, if one is named, else lists models or fetches the address. Never throws, takes at most 20 s. Null: too
   * many tests are running.
   */
  probe(scope: Scope, connection: OpenConnection, model: string | null, signal: AbortSignal): Promise<Probe | null>;
  /** Asks a model of a provider's connection for a text, outside of any task. Never throws, takes at most 90 s. Null: too many are running. */
  ask(scope: Scope, connection: OpenConnection, asked: Asked, signal: AbortSignal): Promise<Written | Probe | null>;
}
export const connectionPort = definePort<ConnectionPort>("connections to other services");

export interface SignInPort {
  readonly challenges: Challenges;
  /** Null if no mail server is configured: nobody can be invited. */
  readonly sendMail: SendMail | null;
}
export const signInPort = definePort<SignInPort>("signing in");

/** Why a team cannot be removed: sentences without their full stop. None: it can. */
export type TeamUses = (ctx: WriteContext, team: string) => Promise<readonly string[]>;
export const teamUses = definePort<TeamUses>("uses of teams");
