import { beforeAll, describe, expect, it } from "vitest";
import { type Answered, useApp } from "../../../../testing/app.ts";

const app = useApp();
const documents = "/v1/knowledge/bases/notes/documents";
const iban = "DE89370400440532013000";
const add = (body: object) => app.call("POST", documents, { body });
const addMany = (...items: object[]) => app.call("POST", `${documents}/bulk`, { body: { documents: items } });
const simulate = async (when: string) =>
  (await app.call("POST", "/v1/governance/policies/simulate", { body: { ...policy, when } })).body;
const policy = {
  name: "No account numbers",
  scope: { actions: ["document.add"] },
  effect: "deny",
  reason_code: "account_number",
  message: "The document holds a bank account number.",
};
const outcome = ({ status, body }: Answered) => `${status} ${body.code ?? ""}`.trim();

describe("a policy on documents", () => {
  beforeAll(async () => {
    expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes" } })).status).toBe(201);
    await app.policy({ ...policy, when: 'data.kinds.exists(k, k == "iban")' });
  });

  it("finds data in the text, the title and the fields of one, and lets others pass", async () => {
    expect(outcome(await add({ text: `Pay to ${iban} by Friday.` }))).toBe("403 policy_blocked");
    expect(outcome(await add({ title: `Account ${iban}`, text: "Pay." }))).toBe("403 policy_blocked");
    expect(outcome(await add({ external_id: "ac_1", fields: { bank: { account: iban } } }))).toBe("403 policy_blocked");
    expect(outcome(await add({ text: "Pay by Friday." }))).toBe("202");
  });

  it("finds data in each of many, and refuses all of them", async () => {
    expect(outcome(await addMany({ text: "One." }, { text: `Two: ${iban}` }))).toBe("403 policy_blocked");
    expect(outcome(await addMany({ text: "One." }, { text: "Two." }))).toBe("207");
    const { rows } = await app.pool.query("select count(*)::int as n from documents d where text like 'Two%'");
    expect(rows).toEqual([{ n: 1 }]);
  });

  it("is checked with the document that is to be added", async () => {
    const check = async (input: object) =>
      (await app.call("POST", "/v1/governance/check", { body: { action: "document.add", input } })).body.verdict;
    expect(await check({ text: `Pay to ${iban}.` })).toBe("deny");
    expect(await check({ documents: [{ text: `Pay to ${iban}.` }] })).toBe("deny");
    expect(await check({ text: "Pay." })).toBe("allow");
  });

  it("leaves no text of a document in the log, and is replayed over what was added unless it reads the text", async () => {
    const { rows } = await app.pool.query(
      `select context from audit_records where context like '{"action":"document.add"%'`,
    );
    expect(rows.length).toBeGreaterThan(5);
    expect(JSON.stringify(rows)).not.toMatch(/Friday|DE89/);
    const calls = rows.length;
    expect(await simulate('principal.role == "admin"')).toMatchObject({ calls: 0, not_replayable: calls }); // the one in force reads it
    await app.pool.query("update policies set state = 'retired'");
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'policies'");
    await app.app.facts.refresh();
    expect(await simulate('principal.role == "admin"')).toMatchObject({
      calls,
      not_replayable: 0,
      would_be_denied: calls,
    });
    expect(await simulate('"iban" in data.kinds')).toMatchObject({ calls: 0, not_replayable: calls });
  });
});
