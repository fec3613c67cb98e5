import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { asDatabaseOwner } from "../../../../testing/owner.ts";
import { untilSequenced } from "../../testing.ts";

const app = useApp();
const verify = async (query = "") => (await app.call("GET", `/v1/audit/verify${query}`)).body;

it("holds the newest records to their hashes and the signed head, and says where to go on", async () => {
  await app.dispatch();
  const { audit_ref } = await app.dispatch();
  await untilSequenced(app, audit_ref);
  await app.call("GET", "/v1/agents");
  const all = await verify();
  expect(all).toMatchObject({ verified: true, from_leaf: 0, findings: [], root: expect.any(String) });
  expect(all.checked).toBe(all.to_leaf);
  const some = await verify("?from_leaf=1&records=1");
  expect(some).toMatchObject({ verified: true, from_leaf: 1, to_leaf: 2, checked: 1 });
  expect((await verify("?from_leaf=1000000")).code).toBe("log_shorter_than_requested");
});

it("names each record that the database no longer holds as it was logged", async () => {
  const { audit_ref } = await app.dispatch();
  await untilSequenced(app, audit_ref);
  const { leaf } = (await app.call("GET", `/v1/audit/events/${audit_ref}`)).body;
  await asDatabaseOwner(app.pool, (db) =>
    db.query("update audit_leaves set principal = 'mbr_nobody' where record_id = $1", [audit_ref]),
  );
  const found = await verify();
  expect(found).toMatchObject({ verified: false, more_findings: false });
  expect(found.findings).toEqual([
    { leaf_index: leaf.index, audit_ref, detail: expect.stringContaining("its principal is") },
  ]);
  expect(found.root).toEqual(expect.any(String));
});

it("finds text that is gone, which no record of a removal explains", async () => {
  const { audit_ref } = await app.dispatch();
  await untilSequenced(app, audit_ref);
  const { leaf } = (await app.call("GET", `/v1/audit/events/${audit_ref}`)).body;
  await asDatabaseOwner(app.pool, (db) => db.query("delete from audit_records where id = $1", [audit_ref]));
  const gone = await verify(`?from_leaf=${leaf.index}&records=1`);
  expect(gone).toMatchObject({ verified: false, removed: [] });
  expect(gone.findings[0]).toMatchObject({ leaf_index: leaf.index, detail: expect.stringContaining("has no text") });
});
