import { describe, expect, it } from "vitest";
import { type TestApp, useApp } from "../../../testing/app.ts";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { ask, personWithKeyFrom, serviceAccount } from "../testing.ts";

const bodies = { claim: {}, extend: { seconds: 60, reason: "The customer calls back at noon." } } as const;
const codesOf = async (app: TestApp, task: string, key: string): Promise<string[]> => {
  const codes: string[] = [];
  for (const [word, body] of Object.entries(bodies))
    codes.push((await app.call("POST", `/v1/approvals/${task}/${word}`, { key, body })).body.code);
  return codes;
};
const both = (code: string) => [code, code];

describe("who may not decide neither claims nor extends", () => {
  const app = useSharedApp();

  it("a program", async () => {
    expect(await codesOf(app, await ask(app), await serviceAccount(app, "approver"))).toEqual(both("persons_only"));
  });

  it("who handed the approval on, and who is no admin once it was escalated", async () => {
    const [one, other] = [await app.member("approver"), await app.member("approver")];
    const { secret: key } = await app.member("admin");
    const handed = await ask(app);
    await app.call("POST", `/v1/approvals/${handed}/delegate`, {
      key: other.secret,
      body: { to: one.memberId, reason: "Theirs." },
    });
    expect(await codesOf(app, handed, other.secret)).toEqual(both("delegated"));
    const escalated = await ask(app);
    await app.call("POST", `/v1/approvals/${escalated}/delegate`, { key, body: { escalate: true, reason: "Unsure." } });
    expect(await codesOf(app, escalated, other.secret)).toEqual(both("escalated"));
  });

  it("whom no approval rule asks", async () => {
    const [asked, other] = [await app.member("approver"), await app.member("approver")];
    const body = { title: "One", when: {}, require: { stages: [{ quorum: 1, members: [asked.memberId] }] } };
    expect((await app.call("PUT", "/v1/approvals/settings/rules/one", { body })).status).toBe(200);
    const task = await ask(app);
    await app.call("DELETE", "/v1/approvals/settings/rules/one", { body: {} });
    expect(await codesOf(app, task, other.secret)).toEqual(both("not_asked"));
  });

  it("a key that the requester issued", async () => {
    const requester = await app.member("admin");
    const other = await personWithKeyFrom(app, requester.secret);
    const { task_id } = await app.dispatch({}, { key: requester.secret });
    await app.pool.query("update approvals set requester_allowed = false, risk_level = 'medium' where task_id = $1", [
      task_id,
    ]);
    expect(await codesOf(app, task_id, other.secret)).toEqual(both("key_not_independent"));
  });
});

describe.each([
  ["can sign in personally, and did not", true, "not_signed_in_personally"],
  ["cannot sign in personally", false, "no_second_person"],
] as const)("of high risk, whoever %s", (_who, personalSignIn, code) => {
  const app = useApp({ personalSignIn });

  it("neither claims nor extends it", async () => {
    const environment = "production";
    await app.deploy(environment);
    await app.verdict("open", environment);
    const { task_id } = await app.dispatch({}, { environment });
    const { secret } = await app.member("approver", environment);
    expect(await codesOf(app, task_id, secret)).toEqual(both(code));
  });
});
