import { expect, it } from "vitest";
import { barsWarning, type Detail, refusalText } from "./words.ts";

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

it("warns before somebody bars themself where too few others could decide", () => {
  const warning = (form: string, more: Partial<Detail> = {}) => {
    const could_decide = { count: 1, members: [], more: false };
    const asked = {
      requester_allowed: false,
      personal_sign_in_required: true,
      approvers: 1,
      approvals: 0,
      tool: "pay",
    };
    return barsWarning({ ...asked, could_decide, ...more } as Detail, form);
  };
  expect(warning("edit")).toBe("If you edit it, you can no longer approve it yourself, and nobody else could.");
  expect(warning("send-back")).toMatch(/^If you request changes, you can no longer approve it yourself/);
  expect(warning("edit", { could_decide: { count: 2, members: [], more: false } })).toBeNull();
  expect(warning("edit", { approvers: 2, approvals: 1 })).toMatch(/too few others could/);
  expect(warning("send-back", { tool: null })).toBeNull();
  expect(warning("edit", { requester_allowed: true })).toBeNull();
  expect(warning("edit", { personal_sign_in_required: false })).toBeNull();
  expect([warning("approve"), warning("reject")]).toEqual([null, null]);
});
