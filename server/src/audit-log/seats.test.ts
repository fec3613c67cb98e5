import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seated, seatedByKind, type Transaction } from "./seats.ts";

/** Transactions that count how many of them run. */
function transactions() {
  const told = { running: 0, most: 0, begun: 0 };
  const begin = async (): Promise<Transaction> => {
    told.begun++;
    told.most = Math.max(told.most, ++told.running);
    const end = async (): Promise<void> => void told.running--;
    return { commit: end, rollback: end } as unknown as Transaction;
  };
  return { told, begin };
}

describe("seats for transactions", () => {
  it("are never more taken than there are, whatever becomes of those who have one, and nobody waits for ever", async () => {
    const fate = fc.constantFrom("commit", "rollback", "both", "failing");
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fate, { maxLength: 20 }), async (most, fates) => {
        const { told, begin } = transactions();
        const seats = seated(most);
        await Promise.allSettled(
          fates.map(async (fate) => {
            const held = await seats(fate === "failing" ? () => Promise.reject(new Error("no connection")) : begin);
            await Promise.resolve();
            if (fate !== "rollback") await held.commit({} as never);
            if (fate !== "commit") await held.rollback();
          }),
        );
        expect(told.most).toBeLessThanOrEqual(most);
        expect(told.begun).toBe(fates.filter((fate) => fate !== "failing").length);
      }),
    );
  });

  it("are given in the order of coming", async () => {
    const seats = seated(1);
    const { begin } = transactions();
    const first = await seats(begin);
    const order: number[] = [];
    const later = [1, 2, 3].map(async (n) => {
      const held = await seats(begin);
      order.push(n);
      await held.commit({} as never);
    });
    await first.rollback();
    await Promise.all(later);
    expect(order).toEqual([1, 2, 3]);
  });

  it("of one kind keep no other kind waiting", async () => {
    const seats = seatedByKind(1);
    const { told, begin } = transactions();
    await seats("look-up", begin);
    void seats("look-up", begin);
    await seats("stop", begin);
    expect(told.running).toBe(2);
  });
});
