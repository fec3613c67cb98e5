import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { newDraft, put } from "../tools.fixture.ts";

const app = useSharedApp();
const http = {
  name: "find",
  kind: "http",
  effect: "read",
  request: { method: "GET", url: "https://a.example.com/{id}" },
  arguments: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
};

it("adds a tool for the skills that are named, and changes it in its place", async () => {
  const draft = await newDraft(app);
  const added = await put(app, draft, "find", { definition: http, skills: ["answer"] });
  expect(added.status, added.text).toBe(200);
  expect(added.body.definition.tools.map(({ name }: { name: string }) => name)).toEqual(["look", "find"]);
  expect(added.body.definition.skills[0].tools).toEqual(["look", "find"]);
  const next = { ...draft, etag: added.headers.get("etag") as string };
  const changed = await put(app, next, "look", { definition: { ...http, name: "look" }, skills: [] });
  expect(changed.body.definition.tools.map(({ kind }: { kind: string }) => kind)).toEqual(["http", "http"]);
  expect(changed.body.definition.skills[0].tools).toEqual(["find"]);
  expect((await put(app, draft, "find", { definition: http })).status).toBe(412);
});

it("refuses what a draft may not have, by its place in the body, and an archived agent", async () => {
  const draft = await newDraft(app);
  const faults = async (definition: object, skills?: string[]) =>
    (await put(app, draft, "find", { definition, ...(skills && { skills }) })).body.errors.map(
      ({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`,
    );
  expect(await faults({ ...http, name: "other" }, ["answr"])).toEqual([
    "/definition/name another_tool",
    "/skills/0 unknown_skill",
  ]);
  expect(await faults({ ...http, kind: "record", base: "nowhere" })).not.toEqual([]);
  expect(await faults({ ...http, request: { ...http.request, url: "ftp://x" } })).toEqual([
    expect.stringMatching("^/definition/request/url "),
  ]);
  await app.call("DELETE", `/v1/agents/${draft.agent}`, { body: { reason: "Not needed." } });
  const { headers } = await app.call("GET", `/v1/agents/${draft.agent}`);
  const archived = await put(app, { ...draft, etag: headers.get("etag") as string }, "find", { definition: http });
  expect(archived.body.code).toBe("agent_archived");
});
