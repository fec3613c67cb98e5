import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const read = (object: string) => app.call("GET", `/v1/governance/contents/${object}`);

it("names the kinds if the object has none", async () => {
  const { status, body } = await read("biller");
  expect([status, body.code]).toEqual([404, "not_found"]);
  expect(body.detail).toBe(
    "There is no content biller in development. Name it by kind and name, such as agent:sales@3; kinds are agent, connection, dataset, schedule, trigger, workflow.",
  );
  expect((await read("workflow:nothing@1")).body.detail).toBe("There is no object workflow:nothing@1 in development.");
});

it("lists an author of several versions once, with the latest change", async () => {
  const { secret, memberId } = await app.member("builder");
  const steps = (amount: string) => [{ id: "fixed", set: { amount } }];
  const as = { key: secret, headers: { "if-match": "*" } };
  const change = async (method: string, path: string, body: object) => {
    const { status, text } = await app.call(method, `/v1/workflows${path}`, { ...as, body });
    expect(status, text).toBeLessThan(300);
  };
  await change("POST", "", { workflow: "twice", steps: steps("1.0") });
  await change("POST", "/twice/publish", {});
  await change("PUT", "/twice", { steps: steps("2.0") });
  await change("POST", "/twice/publish", {});
  const { deciders } = (await read("workflow:twice@2")).body;
  expect(deciders).toMatchObject([{ member: { id: memberId }, how: "workflow", of: "workflow:twice@2" }]);
});
