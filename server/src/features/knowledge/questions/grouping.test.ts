import fc from "fast-check";
import { expect, it } from "vitest";
import { type AskedQuestion, groupOf, groupQuestions } from "./grouping.ts";

let ids = 0;
/** Stems as a language with a plural would give. */
const ask = (query: string, at = ++ids): AskedQuestion => ({
  id: `q${String(++ids).padStart(6, "0")}`,
  query,
  at,
  stems: query
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word.length > 3)
    .map((word) => word.replace(/s$/, "")),
});
const queriesOf = (groups: ReturnType<typeof groupQuestions>) =>
  groups.map(({ asked }) => asked.map(({ query }) => query));

it("groups questions of the same stems, whatever their order, and those with a typing error", () => {
  const groups = groupQuestions(
    ["How do refunds work?", "the works of a refund", "how do refnds work", "Where is my parcel?"].map((query) =>
      ask(query),
    ),
  );
  expect(queriesOf(groups)).toEqual([
    ["how do refnds work", "the works of a refund", "How do refunds work?"],
    ["Where is my parcel?"],
  ]);
  expect(groups[1]?.question).toBe("Where is my parcel?");
});

it("shows the wording that was used most, and of equals the latest", () => {
  const [group] = groupQuestions([ask("refunds work"), ask("work refunds"), ask("work refunds"), ask("refunds work")]);
  expect(group?.question).toBe("refunds work");
});

it("finds the group that another asking belongs to", () => {
  const groups = groupQuestions([ask("How do refunds work?"), ask("Where is my parcel?")]);
  const find = groupOf(groups);
  expect(find(ask("refunds: how they work"))).toBe(groups.find(({ question }) => question.includes("refunds")));
  expect(find(ask("opening hours of the office"))).toBeUndefined();
});

const words = ["refund", "parcel", "invoice", "contract", "delivery", "garage", "account", "password"];
const question = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((some) => some.join(" "));

it("puts each question into one group, the same for every order, and equal ones together", () => {
  fc.assert(
    fc.property(
      fc.array(question, { maxLength: 30 }).chain((all) => {
        const asked = all.map((query, at) => ask(query, at));
        return fc.tuple(fc.constant(asked), fc.shuffledSubarray(asked, { minLength: asked.length }));
      }),
      ([asked, shuffled]) => {
        const groups = groupQuestions(asked);
        expect(groups).toEqual(groupQuestions(shuffled));
        const placed = groups.flatMap((group, at) => group.asked.map(({ id, query }) => ({ id, query, at })));
        expect(placed.map(({ id }) => id).sort()).toEqual(asked.map(({ id }) => id).sort());
        const places = new Map(placed.map(({ query, at }) => [query, at]));
        for (const { query, at } of placed) expect(at).toBe(places.get(query));
      },
    ),
  );
});
