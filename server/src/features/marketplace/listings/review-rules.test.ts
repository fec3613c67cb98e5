import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ListingState } from "../schema-words.ts";
import { type Decision, type Reviewed, stateAfter, versionsMeant } from "./review.ts";

const states: ListingState[] = ["submitted", "approved", "rejected", "quarantined", "recalled", "withdrawn"];
const decisions: Decision[] = ["approve", "reject", "quarantine", "recall"];
const state = fc.constantFrom(...states);
const decision = fc.constantFrom(...decisions);
const standing = fc.record({ state, review_strict: fc.boolean() });

describe("what decisions make of a version", () => {
  it("is as the table says", () => {
    const after = (from: ListingState) =>
      decisions.map((one) => stateAfter({ state: from, review_strict: true }, one)).map(String);
    expect(Object.fromEntries(states.map((from) => [from, after(from)]))).toEqual({
      submitted: ["approved", "rejected", "null", "null"],
      approved: ["null", "null", "quarantined", "recalled"],
      rejected: ["null", "null", "null", "null"],
      quarantined: ["approved", "null", "null", "recalled"],
      recalled: ["null", "null", "null", "null"],
      withdrawn: ["null", "null", "quarantined", "recalled"],
    });
  });

  it("never leaves a recall or a rejection, whatever is decided afterwards", () => {
    const final = fc.constantFrom<ListingState>("recalled", "rejected");
    fc.assert(
      fc.property(final, decision, fc.boolean(), fc.boolean(), (from, one, review_strict, strict) => {
        expect(stateAfter({ state: from, review_strict }, one, strict)).toBeNull();
      }),
    );
  });

  it("approves nothing but by an approval, and takes back what is stopped by nothing else", () => {
    fc.assert(
      fc.property(standing, fc.array(decision), fc.boolean(), (start, taken, strict) => {
        let now = start;
        for (const one of taken) {
          const after = stateAfter(now, one, strict);
          if (after === null) continue;
          if (after === "approved") expect(one).toBe("approve");
          if (now.state === "quarantined") expect(["approve", "recall"]).toContain(one);
          now = { ...now, state: after };
        }
      }),
    );
  });

  it("approves what is approved once more only to raise it to what staging and production demand", () => {
    const again = (review_strict: boolean, strict: boolean) =>
      stateAfter({ state: "approved", review_strict }, "approve", strict);
    expect([again(false, true), again(false, false), again(true, true)]).toEqual(["approved", null, null]);
  });
});

describe("the versions that a decision means", () => {
  const versions = (...of: ListingState[]): Reviewed[] =>
    of.map((one, at) => ({ version: `1.${9 - at}.0`, digest: `sha256:${at}`, state: one, review_strict: true }));
  const names = (all: readonly Reviewed[]) => all.map(({ version }) => version);

  it("are the newest that waits, for an approval and a rejection", () => {
    const all = versions("approved", "submitted", "submitted");
    expect(names(versionsMeant(all, "reject", {}))).toEqual(["1.8.0"]);
    expect(versionsMeant(versions("approved"), "reject", {})).toEqual([]);
  });

  it("are all that can be stopped, for a quarantine and a recall", () => {
    const all = versions("submitted", "approved", "quarantined", "withdrawn", "rejected");
    expect(names(versionsMeant(all, "quarantine", {}))).toEqual(["1.8.0", "1.6.0"]);
    expect(names(versionsMeant(all, "recall", {}))).toEqual(["1.8.0", "1.7.0", "1.6.0"]);
  });

  it("are only those that fit version and digest, where these are named", () => {
    const all = versions("submitted", "submitted");
    expect(names(versionsMeant(all, "approve", { digest: "sha256:1" }))).toEqual(["1.8.0"]);
    expect(versionsMeant(all, "approve", { version: "1.9.0", digest: "sha256:1" })).toEqual([]);
    expect(names(versionsMeant(all, "recall", { version: "1.9.0" }))).toEqual(["1.9.0"]);
  });
});
