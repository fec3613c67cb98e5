import { refuse } from "../kernel/errors.ts";
import { overloaded } from "../kernel/problems.ts";
import type { OwnTransaction } from "./transaction.ts";

/** What a call does with a transaction of its own. */
export type Transaction = Pick<OwnTransaction, "writer" | "claim" | "findAnswer" | "commit" | "rollback">;

/** How long a call waits for a seat (milliseconds): what it was allowed by may be as old as facts may be, and not older. */
const patience = 1_000;

/**
 * Lets so many transactions run at a time; whoever comes later waits for the end of an earlier one, in the order of coming. Who has waited for longer than
 * `waitMs` is refused as overloaded: nothing has happened yet, and the call is judged again when it is made again.
 */
export function seated(most: number, waitMs = patience): (begin: () => Promise<Transaction>) => Promise<Transaction> {
  let free = most;
  const waiting: (() => void)[] = [];
  const wait = (): Promise<void> =>
    new Promise((seat, refused) => {
      const sit = (): void => {
        clearTimeout(limit);
        seat();
      };
      const limit = setTimeout(() => {
        waiting.splice(waiting.indexOf(sit), 1);
        refused(refuse(overloaded, "All transactions of this kind are in use; try again in a moment."));
      }, waitMs);
      waiting.push(sit);
    });
  const take = async (): Promise<void> => {
    if (free > 0) free--;
    else await wait();
  };
  const give = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  return async (begin) => {
    await take();
    let held = true;
    const leave = (): void => {
      if (held) give();
      held = false;
    };
    try {
      return leaving(await begin(), leave);
    } catch (error) {
      leave();
      throw error;
    }
  };
}

/**
 * Seats of each kind for itself: what one kind waits for in its transactions, no other waits for. Look-ups that the database keeps waiting are many, and the
 * stop that ends their tasks comes past them.
 */
export function seatedByKind(most: number): (kind: string, begin: () => Promise<Transaction>) => Promise<Transaction> {
  const kinds = new Map<string, ReturnType<typeof seated>>();
  return (kind, begin) => {
    const seats = kinds.get(kind) ?? seated(most);
    kinds.set(kind, seats);
    return seats(begin);
  };
}

/** The same transaction, which tells when it is over. */
function leaving(transaction: Transaction, leave: () => void): Transaction {
  return {
    writer: transaction.writer,
    claim: (hash) => transaction.claim(hash),
    findAnswer: (...asked) => transaction.findAnswer(...asked),
    commit: (end) => transaction.commit(end).finally(leave),
    rollback: () => transaction.rollback().finally(leave),
  };
}
