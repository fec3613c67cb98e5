import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { attach } from "./connectors.fixture.ts";

const folder = mkdtempSync(path.join(tmpdir(), "aos-readers-"));
const app = useApp({ role: "all", knowledgeFolders: [folder] });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("keeps a document hidden that an admin hid, when its source changes and when others change the connector's readers", async () => {
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  for (const name of ["open.txt", "inner.txt"]) write(name, "First.");
  const { base, connector, sync, documents } = await attach(app, { kind: "folder", source: { path: folder } });
  const where = `/v1/knowledge/bases/${base}`;
  const readers = async (name: string) => (await app.call("GET", `${where}/documents/${name}`)).body.readers;
  await sync();
  await documents();
  const body = { readers: ["role:approver"] };
  expect((await app.call("PUT", `${where}/documents/inner.txt/access`, { body })).status).toBe(200);
  for (const name of ["open.txt", "inner.txt", "new.txt"]) write(name, "The second text.");
  expect(await sync()).toMatchObject({ added: 1, changed: 2 });
  await documents();
  expect(await readers("inner.txt")).toEqual(["role:approver"]);
  const builders = { key: "builder", body: { readers: ["role:builder"] } };
  expect((await app.call("PATCH", `${where}/connectors/${connector}`, builders)).status).toBe(200);
  expect(await Promise.all(["open.txt", "new.txt", "inner.txt"].map(readers))).toEqual([
    ["role:builder"],
    ["role:builder"],
    ["role:approver"],
  ]);
  write("later.txt", "Comes later.");
  await sync();
  expect(await readers("later.txt")).toEqual(["role:builder"]);
});
