import { expect, it } from "vitest";
import { useApp } from "../testing/app.ts";

// Bodies that are read in threads beside the calls of the process.

const app = useApp();

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
    ...{ method: "POST", body: bytes },
    headers: { "content-type": "application/yaml", authorization: `Bearer ${app.key("viewer")}` },
  });
  expect(await notText.json()).toMatchObject({ status: 400, errors: [{ code: "not_utf8" }] });
});

it("refuses a list of thousands of faulty tools in a moment", async () => {
  const tools = Array.from({ length: 4_900 }, () => ({ kind: "http" }));
  const body = { agent: "sales", description: "", model: { provider: "builtin" }, tools };
  const answer = await app.call("POST", "/v1/agents/sales/compare", { body });
  expect([answer.status, answer.body.errors.length]).toEqual([422, 100]);
});

it("does not read a large body of who signs in", async () => {
  const { status, body } = await app.call("POST", "/auth/session", { key: null, body: { key: long } });
  expect([status, body.code, body.limit_bytes]).toEqual([413, "body_too_large", 65_536]);
});
