import { compileLinearPattern, LONGEST_TEXT } from "@aos/json-schema";
import { describe, expect, it } from "vitest";
import { isAddress } from "../src/features/admin/members/store.ts";
import { useApp } from "../src/testing/app.ts";

// Limits that a schema states in characters (code points, as JSON Schema counts them), and code holds once more.

const app = useApp();
const faces = (count: number): string => "\u{1f600}".repeat(count);

const policy = {
  name: "Faces",
  effect: "require_approval",
  scope: { actions: ["task.dispatch"] },
  when: "true",
  reason_code: "faces",
  message: "Smile.",
};
const compared = 'has(input.a) && input.a == ""';
const quoted = (characters: number): string => compared.replace('""', `"${faces(characters - compared.length)}"`);

describe("a text of the largest length", () => {
  it.each<[what: string, body: (extra: number) => object, pointer: string]>([
    ["the message of a policy", (extra) => ({ message: faces(500 + extra) }), "/message"],
    [
      "the reason of its effect",
      (extra) => ({ params: { approvers: 1, reason: faces(500 + extra) } }),
      "/params/reason",
    ],
    ["its controls", (extra) => ({ controls: [faces(100 + extra)] }), "/controls/0"],
    ["its condition", (extra) => ({ when: quoted(4_096 + extra) }), "/when"],
  ])("may be of faces, and not of one more: %s", async (_what, body, pointer) => {
    const create = (extra: number) =>
      app.call("POST", "/v1/governance/policies?dry_run=true", { body: { ...policy, params: {}, ...body(extra) } });
    expect((await create(0)).body).toMatchObject({ dry_run: true });
    const { status, body: refused } = await create(1);
    expect([status, refused.errors]).toMatchObject([422, [{ pointer, code: expect.stringMatching(/^too_long$/) }]]);
  });

  it("is matched by a pattern of a skill's input, and no longer one", () => {
    const { test } = compileLinearPattern("^.");
    expect([test(faces(LONGEST_TEXT)), test(faces(LONGEST_TEXT + 1))]).toEqual([true, false]);
  });
});

it("tells a long name of a path in whole characters", async () => {
  const { body } = await app.call("GET", `/v1/tasks/${encodeURIComponent(`a${faces(101)}`)}`);
  expect(body.detail).toBe(`There is no task a${faces(99)}… in development.`);
});

it("takes an e-mail address of 254 characters", () => {
  const address = (length: number): string => `${faces(60)}@${"a".repeat(length - 64)}.de`;
  expect([isAddress(address(254)), isAddress(address(255))]).toEqual([true, false]);
});
