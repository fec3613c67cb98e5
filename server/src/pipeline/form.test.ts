import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Refusal } from "../kernel/errors.ts";
import type { SealedSpec } from "../kernel/operation-seal.ts";
import { chooseForm } from "./form.ts";

const both = {
  writes: { "application/yaml": { etag: "yaml", write: () => "" } },
  streams: { "text/event-stream": () => [] },
} as unknown as SealedSpec;
const chosen = (accept: string | null, spec = both): string => {
  const form = chooseForm(spec, accept);
  return form.kind === "json" ? "json" : form.type;
};

describe("the representation of a read", () => {
  it.each([
    [null, "json"],
    ["", "json"],
    ["*/*", "json"],
    ["application/json", "json"],
    ["application/yaml", "application/yaml"],
    ["Application/YAML", "application/yaml"],
    ["text/event-stream", "text/event-stream"],
    ["text/*", "text/event-stream"],
    ["application/*", "json"],
    ["application/yaml, application/json", "json"],
    ["application/yaml, application/json;q=0.9", "application/yaml"],
    ["application/json;q=0.1, application/yaml;q=0.2, text/event-stream;q=0.3", "text/event-stream"],
    ["*/*;q=0.5, application/yaml;q=0.6", "application/yaml"],
    ["*/*, application/json;q=0", "application/yaml"],
    ["application/*, application/json;q=0.5", "application/yaml"],
    ["*/*, application/*;q=0", "text/event-stream"],
    ["text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "json"],
    ["application/json; charset=utf-8", "json"],
    ['application/yaml ; charset="UTF-8" ; q=1.000', "application/yaml"],
    ["application/yaml;version=1.1, */*;q=0.1", "json"],
    ["application/yaml;q=2, text/event-stream;q=0.5", "text/event-stream"],
    ["nonsense", "json"],
    ["*/json, application/yaml", "application/yaml"],
  ])("for Accept %j is %s", (accept, form) => {
    expect(chosen(accept)).toBe(form);
  });

  it.each(["text/html", "application/json;q=0, application/yaml;q=0, text/event-stream;q=0.000", "*/*;q=0"])(
    "is refused for Accept %j, with the names of all there are",
    (accept) => {
      const refused = (): unknown => {
        try {
          return chooseForm(both, accept);
        } catch (error) {
          return error instanceof Refusal ? [error.type.status, error.details.members] : error;
        }
      };
      expect(refused()).toEqual([406, { acceptable: ["application/json", "application/yaml", "text/event-stream"] }]);
    },
  );

  it("is JSON for every Accept where an operation has no other", () => {
    expect(chosen("text/html", {} as SealedSpec)).toBe("json");
  });

  it("is found or refused for every text, in time that follows its length", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "/", "*", ";", "q", "=", "0", ".", "1", ",", " ", "\t", '"'), {
          maxLength: 2000,
        }),
        (parts) => {
          try {
            expect(["json", "application/yaml", "text/event-stream"]).toContain(chosen(parts.join("")));
          } catch (error) {
            expect(error).toBeInstanceOf(Refusal);
          }
        },
      ),
    );
  });
});
