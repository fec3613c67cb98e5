import type { SessionFacts } from "../../../kernel/key-facts.ts";
import { sessionTimes } from "../../../kernel/sessions.ts";
import type { Statements } from "../keys/use.ts";
import { prolongSessions } from "./store.ts";

/**
 * The use of sessions, by which they go on. What prolongs one by more than an hour is written behind the call, so that a session in constant use costs one
 * row an hour; what could not be written is tried again with the next flush.
 */
export class SessionUse {
  readonly #waiting = new Map<string, { readonly session: SessionFacts; readonly at: number }>();
  /** What was written of late, until this process has read it back. */
  readonly #written = new Map<string, number>();
  readonly #due: () => void;

  /** `due` is called when there is something to flush. */
  constructor(due: () => void) {
    this.#due = due;
  }

  /** Notes that a session was used at `now` (milliseconds since the epoch). Never waits. */
  record(session: SessionFacts, now: number): void {
    if (Math.min(now + sessionTimes.idle, session.endsBy) - session.expiresAt < sessionTimes.written) return;
    const before = this.#written.get(session.id);
    if (before !== undefined && now - before < sessionTimes.written) return;
    this.#written.set(session.id, now);
    this.#waiting.set(session.id, { session, at: now });
    this.#due();
  }

  async flush(pool: Statements): Promise<void> {
    const uses = [...this.#waiting.values()];
    if (uses.length === 0) return;
    this.#waiting.clear();
    try {
      await pool.query(prolongSessions, [
        uses.map(({ session }) => session.holder.scope.organization),
        uses.map(({ session }) => session.holder.scope.environment),
        uses.map(({ session }) => session.id),
        uses.map(({ at }) => new Date(at)),
      ]);
      for (const [id, at] of this.#written) if (at < uses[0]!.at - sessionTimes.written) this.#written.delete(id);
    } catch (error) {
      for (const use of uses) if (!this.#waiting.has(use.session.id)) this.#waiting.set(use.session.id, use);
      throw error;
    }
  }
}
