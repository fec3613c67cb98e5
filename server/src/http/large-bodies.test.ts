import { expect, it } from "vitest";
import { useSharedApp } from "../testing/shared-app.ts";

// Bodies that are read in threads beside the calls of the process.

const app = useSharedApp();

const long = "some words that make a body large ".repeat(2_500);
const check = (input: object) => ({ action: "document.add", input });
const compare = (body: string) =>
  app.call("POST", "/v1/agents/sales/compare", {
    body,
    headers: { "content-type": "application/yaml" },
    key: "viewer",
  });

it("reads a large body as it reads a small one", async () => {
  const { status, body } = await app.call("POST", "/v1/governance/check", {
    body: check({ text: `${long}ü\u{1f600}` }),
  });
  expect([status, body.verdict]).toEqual([200, "allow"]);
});

it("names the place of what is wrong in a large body", async () => {
  const twice = `{"action":"document.add",\n"input":{"text":"${long}","a":1,"a":2}}`;
  const { status, body } = await app.call("POST", "/v1/governance/check", { body: twice });
  expect([status, body.code, body.errors[0]]).toMatchObject([
    422,
    "invalid_body",
    { code: "duplicate_name", pointer: "/input/a" },
  ]);
  expect(body.detail).toMatch(/^Line 2, column \d+: /);
  const broken = await app.call("POST", "/v1/governance/check", { body: `{"text":"${long}",}` });
  expect([broken.status, broken.body.code]).toEqual([400, "malformed_body"]);
});

it("reads a large file of an agent, and names all places where it is broken", async () => {
  const file = (instructions: string) =>
    `agent: sales\ndescription: Sells.\nmodel:\n  provider: builtin\ninstructions: "${instructions}"\nskills: []\n`;
  const { status, body } = await compare(file(long));
  expect([status, body.changes.length > 0]).toEqual([200, true]);
  const broken = await compare(file("\\q".repeat(100_000)));
  expect([broken.status, broken.body.code, broken.body.errors.length]).toEqual([400, "malformed_body", 100]);
  expect(broken.body.errors[1]).toMatchObject({ code: "syntax", line: 5, column: 18 });
  const bytes = Buffer.concat([Buffer.from(file(long)), Buffer.from([0xff])]);
  const notText = await fetch(`${app.url}/v1/agents/sales/compare`, {
    method: "POST",
    body: bytes,
    headers: { "content-type": "application/yaml", authorization: `Bearer ${app.key("viewer")}` },
  });
  expect(await notText.json()).toMatchObject({ status: 400, errors: [{ code: "not_utf8" }] });
});

it("names the first hundred faults of a body, and only the first one of a body of thousands of values", async () => {
  const compared = (count: number) => {
    const tools = Array.from({ length: count }, () => ({ kind: "http" }));
    return app.call("POST", "/v1/agents/sales/compare", {
      body: { agent: "sales", description: "", model: { provider: "builtin" }, tools },
    });
  };
  const [some, many] = [await compared(1_000), await compared(4_900)];
  expect([some.status, some.body.errors.length]).toEqual([422, 100]);
  expect([many.status, many.body.errors]).toMatchObject([
    422,
    [{ pointer: expect.stringMatching(/^\/(description|tools)/) }],
  ]);
});

it("refuses a wide body of a viewer before it is built", async () => {
  const input = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`m${at}`, at]));
  const { status, body } = await app.call("POST", "/v1/governance/check", { body: check(input), key: "viewer" });
  expect([status, body.code]).toEqual([413, "body_too_large"]);
  expect(body.errors).toMatchObject([{ pointer: "/input", code: "too_many_members" }]);
  expect(body.detail).toMatch(/^Line 1, column \d+ \(\/input\): An object has more than 1000 members/);
});

it("does not read a large body of who signs in", async () => {
  const { status, body } = await app.call("POST", "/auth/session", { key: null, body: { key: long } });
  expect([status, body.code, body.limit_bytes]).toEqual([413, "body_too_large", 65_536]);
});
