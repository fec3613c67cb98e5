import { expect, it } from "vitest";
import { outcomeFindings } from "./outcomes.ts";

const file = "server/src/features/orders/jobs/ship-job.ts";
const job = (guarded: string, caught: string): string =>
  `async function ship(parts: Parts): Promise<void> {\n  try {\n    ${guarded}\n  } ${caught}\n  }\n}\n`;
const found = (text: string, settled = {}) => outcomeFindings([{ file, text }], settled).map(({ line }) => line);

it("finds a catch by which an error of any kind becomes an outcome", () => {
  for (const caught of [
    'catch (error) {\n    await fail(parts, { code: "failed", detail: String(error) });',
    "catch {\n    return { failed: true };",
    "catch (error) {\n    if (error instanceof Error) return failed(error.message);\n    throw error;".replace(
      "\n    throw error;",
      "",
    ),
    "catch (error) {\n    if (stopped) throw error;\n    return failed(error);",
  ])
    expect([caught, found(job("await parts.inside(shipOrder, scope, {});", caught))]).toEqual([caught, [4]]);
  const call = "const made = await make(parts).catch((error: unknown) => ({ failure: String(error) }));\n";
  expect(found(call)).toEqual([1]);
  expect(found("const made = await make(parts).catch(() => undefined);\n")).toEqual([1]);
});

it("lets those pass that throw on what they do not know, and what waits for nothing", () => {
  const waiting = "await parts.inside(shipOrder, scope, {});";
  for (const caught of [
    "catch (error) {\n    await fail(parts, businessFailure(error));",
    "catch (error) {\n    if (!(error instanceof SourceFault)) throw error;\n    return failed(error);",
    "catch (error) {\n    await giveBack(parts);\n    throw error;",
  ])
    expect([caught, found(job(waiting, caught))]).toEqual([caught, []]);
  expect(found(job("JSON.parse(text);", "catch {\n    return null;"))).toEqual([]);
  expect(found("void renew(parts).catch(report);\n")).toEqual([]);
});

it("demands a reason for each exception, and none for what is gone", () => {
  const text = job("await ship();", "catch {\n    return false;");
  expect(found(text, { [file]: ["the next look ships it"] })).toEqual([]);
  expect(outcomeFindings([{ file, text: "" }], { [file]: ["gone"] })).toHaveLength(1);
});
