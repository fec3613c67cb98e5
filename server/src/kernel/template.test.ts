import fc from "fast-check";
import { expect, it } from "vitest";
import { fillTemplate, onlyPlace, readTemplate } from "./template.ts";

const anyText = fc.string({ unit: "binary", maxLength: 40 });

it("names the arguments that a text takes, each once", () => {
  expect(readTemplate("/leads/{lead_id}/{part}?again={lead_id}")).toEqual({
    names: ["lead_id", "part"],
    broken: false,
  });
});

it("takes doubled braces as braces", () => {
  expect(readTemplate("{{lead_id}}")).toEqual({ names: [], broken: false });
  expect(fillTemplate("{{{lead_id}}}", () => "x")).toBe("{x}");
});

it.each(["{", "}", "{a b}", "{1}", "{}", "a } b"])("finds %j broken", (text) => {
  expect(readTemplate(text).broken).toBe(true);
});

it("gives any text back that was put in with its braces doubled", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const doubled = text.replaceAll("{", "{{").replaceAll("}", "}}");
      expect(readTemplate(doubled)).toEqual({ names: [], broken: false });
      expect(fillTemplate(doubled, () => "never")).toBe(text);
    }),
  );
});

it("puts in what it is given as it is, even if that looks like a place for another argument", () => {
  expect(fillTemplate("{a}-{b}", (name) => (name === "a" ? "{b}$&" : "2"))).toBe("{b}$&-2");
});

it.each([
  ["{lead_id}", "lead_id"],
  ["{a} ", null],
  ["{a}{b}", null],
  ["{{a}}", null],
  ["a", null],
])("knows whether %j is one place only", (text, name) => expect(onlyPlace(text)).toBe(name));
