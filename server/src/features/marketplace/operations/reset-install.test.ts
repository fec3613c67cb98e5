import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import type { Install, InstallResult } from "../install-schemas.ts";
import { installed } from "../installs.fixture.ts";
import { setVersionState } from "../listings.fixture.ts";
import { small } from "../marketplace.fixture.ts";

const app = useApp();
const any = { headers: { "if-match": "*" } };
const reset = (id: string, body: object = {}) => app.call("POST", `/v1/marketplace/installs/${id}/reset`, { body });
const told = ({ results }: InstallResult) => results.map(({ kind, action, status }) => `${kind} ${action} ${status}`);
const driftOf = async (id: string): Promise<Install["drift"]> =>
  (await app.call("GET", `/v1/marketplace/installs/${id}`)).body.drift;

it("brings changed drafts back to what the bundle says, and leaves the rest alone", async () => {
  const { install } = await installed(app);
  await app.call("PATCH", `/v1/agents/${install.agent}`, { ...any, body: { description: "Ours." } });
  const { body, text } = await reset(install.install_id);
  expect(told(body), text).toEqual(["agent change 200"]);
  expect(body.install.drift).toBe("none");
});

it("makes what is gone again, and restores an archived agent", async () => {
  const { install, suffix } = await installed(app);
  const policy = install.parts.find(({ kind }) => kind === "policy")?.id;
  await app.call("DELETE", `/v1/governance/policies/${policy}`, any);
  await app.call("DELETE", `/v1/agents/${install.agent}`, { body: { reason: "By mistake." } });
  await app.call("DELETE", `/v1/knowledge/bases/${small.base}${suffix}`);
  const { body, text } = await reset(install.install_id);
  expect(told(body), text).toEqual([
    ...["knowledge_base create 201", "documents create 207", "agent change 200", "agent change 200"],
    "policy create 201",
  ]);
  expect([body.install.state, body.install.drift]).toEqual(["installed", "none"]);
});

it("leaves changed parts alone where it is to make only what is missing", async () => {
  const { install } = await installed(app);
  await app.call("PATCH", `/v1/agents/${install.agent}`, { ...any, body: { description: "Ours." } });
  const { body } = await reset(install.install_id, { only_missing: true });
  expect([told(body), await driftOf(install.install_id)]).toEqual([[], "changed"]);
});

it("is refused while a recall holds the version, and after the removal", async () => {
  const { listing, install } = await installed(app);
  await setVersionState(app, listing, "recalled");
  expect((await reset(install.install_id)).body.code).toBe("install_state");
  await app.call("DELETE", `/v1/marketplace/installs/${install.install_id}`);
  expect((await reset(install.install_id)).body.code).toBe("install_state");
});
