import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { ask } from "../testing.ts";
import { actionDigest } from "./public.ts";

const app = useSharedApp();

/** A task that waits for people to decide on one call of its tool. Answers the approval's id and digest. */
async function toolCall(editedBy: string | null = null): Promise<{ id: string; task: string; digest: string }> {
  const task = await ask(app);
  const { rows } = await app.pool.query(
    `update approvals set tool = 'send_email', arguments = '{"to":"a@example.com"}', edited_by = $2 where task_id = $1
     returning id, agent, version_id as version, skill, tool, nonce`,
    [task, editedBy],
  );
  const { id, ...action } = rows[0];
  const digest = actionDigest({ ...action, arguments: { to: "a@example.com" } });
  await app.pool.query("update approvals set action_digest = $2 where id = $1", [id, digest]);
  return { id, task, digest };
}

async function decide(
  how: "approve" | "reject" | "request-changes",
  approval: { id: string; task: string; digest: string },
) {
  const words = { approve: {}, reject: { reason: "no" }, "request-changes": { note: "other" } }[how];
  const { secret } = await app.member("approver");
  const { status, text } = await app.call("POST", `/v1/approvals/${approval.id}/${how}`, {
    key: secret,
    body: { digest: approval.digest, ...words },
  });
  expect([status, text]).toEqual([200, text]);
  return (
    await app.pool.query("select source, origin, skill, outcome from trust_judgements where id = $1", [approval.task])
  ).rows;
}

describe("a decision on a call that the agent wants to make", () => {
  it.each([
    ["approve", 1],
    ["reject", 0],
    ["request-changes", 0],
  ] as const)("is evidence about its skill: %s counts %d", async (how, outcome) => {
    expect(await decide(how, await toolCall())).toEqual([
      { source: "approval", origin: "volunteered", skill: "qualify_lead", outcome },
    ]);
  });

  it("counts nothing for the agent where somebody had to change the call before it was approved", async () => {
    expect(await decide("approve", await toolCall("mbr_editor"))).toMatchObject([{ outcome: 0 }]);
  });
});
