import { createConfig, lintFromString } from "@redocly/openapi-core";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import owasp from "@stoplight/spectral-owasp-ruleset";
import { oas } from "@stoplight/spectral-rulesets";
import { expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { openApiDocument } from "../src/openapi/document.ts";

// Judges of the description that nobody here has written: every rule of Spectral's `spectral:oas`, its OWASP API security ruleset, and Redocly's
// `recommended-strict`, over the document as the declarations make it now.

/** A finding that is none: the linter's rule, where, and why. Every entry must still be needed, and the list may only shrink. */
interface Exception {
  readonly rule: string;
  readonly where: RegExp;
  readonly reason: string;
}

const exceptions: readonly Exception[] = [
  {
    rule: "owasp:api8:2023-define-cors-origin",
    where:
      /\/(properties\/(request(\/anyOf\/\d)?|credentials)|schemas\/(HttpRequest|OtlpCredentials))\/properties\/headers$/,
    reason:
      "The rule takes every member called `headers` for those of a response; these are properties of the requests that http tools and audit sinks send.",
  },
];
const mostExceptions = 1;

interface Unfit {
  readonly content: Record<string, object>;
}

interface Finding {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

const document = openApiDocument(publishedOperations());

/** Rules that compile a schema for each example: over the whole document they would judge a shared response again for each operation that refers to it. */
const exampleRules = ["oas3-valid-media-example", "oas3-valid-schema-example"];
const all = (rules: readonly string[], severity: "off" | true) =>
  Object.fromEntries(rules.map((rule) => [rule, severity]));

/** The document, in which operations have the responses only that they do not share. */
function withoutSharedResponses() {
  const copy = structuredClone(document) as { paths: Record<string, Record<string, { responses: object }>> };
  for (const operation of Object.values(copy.paths).flatMap((methods) => Object.values(methods)))
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).filter(([, response]) => !("$ref" in response)),
    );
  return copy;
}

async function spectral(ruleset: object, judged: object = document): Promise<Finding[]> {
  const linter = new Spectral();
  linter.setRuleset(ruleset as RulesetDefinition);
  const found = await linter.run(JSON.stringify(judged));
  return found.map(({ code, path, message }) => ({ path: `/${path.join("/")}`, rule: String(code), message }));
}

async function redocly(): Promise<Finding[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: "/openapi.json", config });
  return found.map(({ ruleId, location, message }) => ({ path: location[0]?.pointer ?? "#/", rule: ruleId, message }));
}

const excepts = ({ path, rule }: Finding) => exceptions.find((one) => one.rule === rule && one.where.test(path));
const worded = (found: readonly Finding[]): string[] =>
  found.filter((one) => !excepts(one)).map(({ path, rule, message }) => `${path}: ${rule}: ${message}`);

it("satisfies every rule of spectral:oas", async () => {
  expect(worded(await spectral({ extends: [[oas, "all"]], rules: all(exampleRules, "off") }))).toEqual([]);
}, 120_000);

it("satisfies the rules of spectral:oas on examples", async () => {
  const ruleset = { extends: [[oas, "off"]], rules: all(exampleRules, true) };
  expect(worded(await spectral(ruleset, withoutSharedResponses()))).toEqual([]);
  const { components, ...rest } = structuredClone(document) as { components: { responses: Record<string, Unfit> } };
  const [[name, shared]] = Object.entries(components.responses) as [[string, Unfit]];
  for (const media of Object.values(shared.content)) Object.assign(media, { example: 7, examples: undefined });
  const unfit = { ...rest, paths: {}, components: { ...components, responses: { [name]: shared } } };
  expect((await spectral(ruleset, unfit)).map(({ path }) => path.split("/")[3])).toContain(name);
}, 120_000);

it("satisfies every rule of the OWASP ruleset, and needs each exception that is made", async () => {
  const found = await spectral({ extends: [[owasp, "all"]] });
  expect(worded(found)).toEqual([]);
  expect(exceptions.filter((one) => !found.some((finding) => excepts(finding) === one))).toEqual([]);
  expect(exceptions.length).toBeLessThanOrEqual(mostExceptions);
}, 120_000);

it("satisfies Redocly's recommended-strict", async () => {
  expect(worded(await redocly())).toEqual([]);
}, 120_000);
