import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seated, seatedByKind, type Transaction } from "./seats.ts";

/** Transactions that count how many of them run. */
function transactions() {
  const told = { running: 0, most: 0, begun: 0, breaks: 0 };
  const begin = async (): Promise<Transaction> => {
    told.begun++;
    told.most = Math.max(told.most, ++told.running);
    let open = true;
    const end = async (): Promise<void> => {
      if (open) told.running--;
      open = false;
    };
    const broken = async (): Promise<void> => {
      await end();
      throw new Error("the connection broke");
    };
    if (told.begun === told.breaks) return { commit: broken, rollback: end } as unknown as Transaction;
    return { commit: end, rollback: end } as unknown as Transaction;
  };
  return { told, begin };
}

describe("seats for transactions", () => {
  it("are never more taken than there are, whatever becomes of those who have one, and nobody waits for ever", async () => {
    const fate = fc.constantFrom("commit", "rollback", "both", "failing");
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fate, { maxLength: 20 }),
        fc.nat(20),
        async (most, fates, breaks) => {
          const { told, begin } = transactions();
          told.breaks = breaks;
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
        },
      ),
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

  it("are refused as overloaded to who has waited too long, and are given to the next", async () => {
    const seats = seated(1, 20);
    const { told, begin } = transactions();
    const first = await seats(begin);
    await expect(seats(begin)).rejects.toMatchObject({ type: { code: "overloaded" } });
    const next = seats(begin);
    await first.rollback();
    await (await next).rollback();
    expect(told).toMatchObject({ begun: 2, running: 0 });
  });

  it("of one kind keep no other kind waiting", async () => {
    const seats = seatedByKind(1);
    const { told, begin } = transactions();
    const first = await seats("look-up", begin);
    const waiting = seats("look-up", begin);
    await seats("stop", begin);
    expect(told.running).toBe(2);
    await first.rollback();
    await waiting;
  });
});
