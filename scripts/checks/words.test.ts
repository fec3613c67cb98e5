import { expect, it } from "vitest";
import { wordFindings, wordRules } from "./words.ts";

const rules = wordRules.filter(({ name }) => name === "plain words");
const found = (text: string, file = "server/src/features/orders/schemas.ts") =>
  rules.flatMap((rule) => wordFindings(rule, [{ file, text }])).length;

it("finds unclear wordings in descriptions and comments of sources, and in pages", () => {
  for (const text of [
    'description: "24 hours unless told."',
    "/** Rows are told apart by it. */",
    "// its end is waited for",
    "Plan anew.",
    "Searches find it no more.",
  ]) {
    expect([text, found(text)]).toEqual([text, 1]);
    expect([text, found(text, "docs/guide/orders.md")]).toEqual([text, 1]);
    expect([text, found(text, "server/src/features/orders/schemas.test.ts")]).toEqual([text, 0]);
  }
});

it("lets ordinary uses of the words pass", () => {
  for (const text of ["costs no more than before", "with reserved as (select told from held)", "has waited for a lock"])
    expect([text, found(text)]).toEqual([text, 0]);
});
