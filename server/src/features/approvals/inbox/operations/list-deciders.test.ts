import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { serviceAccount } from "../../testing.ts";

const app = useSharedApp();

it("lists the persons whose role here decides, and no others", async () => {
  const [decides, views] = [await app.member("approver"), await app.member("viewer")];
  const elsewhere = await app.member("approver", "staging");
  await serviceAccount(app, "approver");
  const listed: { id: string; kind: string }[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await app.call("GET", `/v1/approvals/deciders?limit=2${cursor}`, { key: views.secret });
    listed.push(...body.data);
    if (!body.has_more) break;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
  const ids = listed.map(({ id }) => id);
  expect(ids).toContain(decides.memberId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { memberId } of [views, elsewhere]) expect(ids).not.toContain(memberId);
  expect(listed.every(({ kind }) => kind === "person")).toBe(true);
});
