import { describe, expect, it } from "vitest";
import { checkPrecondition } from "./precondition.ts";

const code = (ifMatch: string | null): string | null => {
  try {
    checkPrecondition(ifMatch, 3);
    return null;
  } catch (error) {
    return (error as { type: { code: string } }).type.code;
  }
};

describe("a change of something that others may change too", () => {
  it("passes with the present revision, in whatever representation it was read", () => {
    expect(['"3-json"', '"3-yaml"', '"2-json", "3-json"', "*"].map(code)).toEqual([null, null, null, null]);
  });

  it("is refused without If-Match, with an older revision, and with a header that cannot be understood", () => {
    expect([null, '"2-json"', 'W/"3-json"', "3"].map(code)).toEqual([
      "precondition_required",
      "stale_revision",
      "stale_revision",
      "invalid_header",
    ]);
  });
});
