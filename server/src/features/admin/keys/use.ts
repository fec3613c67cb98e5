import type { Scope } from "../../../kernel/principal.ts";

export interface Statements {
  query(text: string, values: unknown[]): Promise<unknown>;
}

const MINUTE = 60_000;

interface Use {
  readonly scope: Scope;
  readonly keyId: string;
  readonly minute: number;
}

/**
 * When keys were last used, kept to the minute and written behind the calls: a key in constant use costs one row a minute and process. What
 * was not flushed when a process dies is lost, at most the time between two flushes.
 */
export class KeyUse {
  /** The minute that is known of each key, written or waiting. */
  readonly #known = new Map<string, number>();
  #waiting = new Map<string, Use>();

  /** Notes that a key was used at `now` (milliseconds since the epoch). Never waits. */
  record(keyId: string, scope: Scope, now: number): void {
    const minute = now - (now % MINUTE);
    const known = this.#known.get(keyId);
    if (known !== undefined && known >= minute) return;
    this.#known.set(keyId, minute);
    this.#waiting.set(keyId, { scope, keyId, minute });
  }

  /** Writes what waits, in one statement. Rows are locked in one order, so that processes that flush at once do not block each other for ever. */
  async flush(pool: Statements): Promise<void> {
    if (this.#waiting.size === 0) return;
    const uses = [...this.#waiting.values()];
    this.#waiting = new Map();
    try {
      await pool.query(flushStatement, [
        uses.map((use) => use.scope.organization),
        uses.map((use) => use.scope.environment),
        uses.map((use) => use.keyId),
        uses.map((use) => new Date(use.minute)),
      ]);
    } catch (error) {
      for (const use of uses) if (!this.#waiting.has(use.keyId)) this.#waiting.set(use.keyId, use);
      throw error;
    }
  }
}

const flushStatement = `
  with used as (
    select k.organization, k.environment, k.id, u.at
    from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as u(organization, environment, id, at)
    join keys k on k.organization = u.organization and k.environment = u.environment and k.id = u.id
    where k.last_used_at is null or k.last_used_at < u.at
    order by k.organization, k.environment, k.id for no key update of k)
  update keys k set last_used_at = used.at from used
  where k.organization = used.organization and k.environment = used.environment and k.id = used.id`;
