import { expect, it } from "vitest";
import { refusalText } from "./words.ts";

it("says that nothing was decided only where the service said so", () => {
  const told = (status: number, code: string) =>
    /Nothing was decided|changed nothing/.test(refusalText({ status, code, detail: "" }));
  for (const [status, code] of [
    [0, "unreachable"],
    [502, "unexpected_answer"],
    [504, "unexpected_answer"],
    [500, "internal_error"],
    [503, "audit_unavailable"],
  ] as const)
    expect([status, code, told(status, code)]).toEqual([status, code, false]);
  for (const [status, code] of [
    [409, "already_decided"],
    [409, "digest_mismatch"],
    [422, "invalid_request"],
    [429, "rate_limited"],
    [503, "overloaded"],
  ] as const)
    expect([status, code, told(status, code)]).toEqual([status, code, true]);
});
