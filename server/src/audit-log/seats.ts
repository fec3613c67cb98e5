import type { OwnTransaction } from "./transaction.ts";

/** What a call does with a transaction of its own. */
export type Transaction = Pick<OwnTransaction, "writer" | "claim" | "findAnswer" | "commit" | "rollback">;

/** Lets so many transactions run at a time; whoever comes later waits for the end of an earlier one, in the order of coming. */
export function seated(most: number): (begin: () => Promise<Transaction>) => Promise<Transaction> {
  let free = most;
  const waiting: (() => void)[] = [];
  const take = async (): Promise<void> => {
    if (free > 0) free--;
    else await new Promise<void>((seat) => waiting.push(seat));
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
    findAnswer: (hash, since) => transaction.findAnswer(hash, since),
    commit: (end) => transaction.commit(end).finally(leave),
    rollback: () => transaction.rollback().finally(leave),
  };
}
