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
    where: /\/(properties\/request(\/anyOf\/\d)?|schemas\/HttpRequest)\/properties\/headers$/,
    reason:
      "The rule takes every member called `headers` for those of a response; these are properties of the requests that http tools send.",
  },
];
const mostExceptions = 1;

interface Finding {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

const document = openApiDocument(publishedOperations());

async function spectral(ruleset: unknown): Promise<Finding[]> {
  const linter = new Spectral();
  linter.setRuleset({ extends: [[ruleset, "all"]] } as RulesetDefinition);
  const found = await linter.run(JSON.stringify(document));
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
  expect(worded(await spectral(oas))).toEqual([]);
}, 120_000);

it("satisfies every rule of the OWASP ruleset, and needs each exception that is made", async () => {
  const found = await spectral(owasp);
  expect(worded(found)).toEqual([]);
  expect(exceptions.filter((one) => !found.some((finding) => excepts(finding) === one))).toEqual([]);
  expect(exceptions.length).toBeLessThanOrEqual(mostExceptions);
}, 120_000);

it("satisfies Redocly's recommended-strict", async () => {
  expect(worded(await redocly())).toEqual([]);
}, 120_000);
