import { expect, it } from "vitest";
import { makerFindings } from "./makers.ts";

const found = (file: string, text: string) => makerFindings([{ file, text }]).map(({ line }) => line);

it("finds who makes a value with a promise besides its maker", () => {
  const file = "server/src/features/orders/ship.ts";
  expect(found(file, 'const effect = { key: "k" } as unknown as Effect;\n')).toEqual([1]);
  expect(found(file, 'import { effectOfRow } from "../../kernel/effect.ts";\nconst e = effectOfRow(row);\n')).toEqual([
    1, 2,
  ]);
  expect(found(file, "\nreturn row as LedgerEntry;\n")).toEqual([2]);
  expect(found(file, "return shown as Hold;\n")).toEqual([1]);
});

it("lets makers, tests and other names pass", () => {
  expect(found("server/src/features/tasks/steps/effect-store.ts", "return effectOfRow(row);\n")).toEqual([]);
  expect(found("server/src/features/orders/ship.test.ts", "effectOfRow(row);\n")).toEqual([]);
  expect(
    found("server/src/features/orders/ship.ts", "const one = row as EffectRow; const two = x as HoldKind;\n"),
  ).toEqual([]);
});
