import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { anyBundle, fullBundle } from "./bundle.fixture.ts";
import { parseBundle } from "./parse.ts";
import { digestOf, writeBundle } from "./write.ts";

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, reversed(item)]),
  );
};

it("is read back as the bundle that it was written from, whatever its texts", () => {
  fc.assert(
    fc.property(anyBundle, (bundle) => {
      expect(parseBundle(writeBundle(bundle))).toEqual({ ok: true, bundle });
    }),
  );
});

it("writes a field named `<<` in quotation marks, so that no parser takes it for a merge", () => {
  const examples = [{ input: { "<<": { a: 1 } }, output: { "<<": "<<" } }];
  const bundle = {
    ...fullBundle,
    skills: [{ name: "answer", input: { type: "object" }, output: { type: "object" }, examples }],
  };
  const written = writeBundle(bundle);
  expect(written).toContain('{ input: { "<<": { a: 1 } }, output: { "<<": "<<" } }');
  expect(parseBundle(written)).toEqual({ ok: true, bundle });
});

it("gives the same text for the same bundle in another order of fields, and the same digest", () => {
  fc.assert(
    fc.property(anyBundle, (bundle) => {
      const other = reversed(bundle) as typeof bundle;
      expect(writeBundle(other)).toBe(writeBundle(bundle));
      expect(digestOf(other)).toBe(digestOf(bundle));
    }),
  );
});

it("writes every kind of tool and reads it back", () => {
  expect(parseBundle(writeBundle(fullBundle))).toEqual({ ok: true, bundle: fullBundle });
});

it("keeps a file that it wrote itself as it is", async () => {
  const sample = parseBundle(await readFile(new URL("../../../../seed/sales.yaml", import.meta.url), "utf8"));
  if (!sample.ok) throw new Error(JSON.stringify(sample.faults));
  const written = writeBundle(sample.bundle);
  const again = parseBundle(written);
  expect(again.ok && writeBundle(again.bundle)).toBe(written);
});

it("writes texts of several lines as blocks and short maps on one line", () => {
  expect(writeBundle(fullBundle)).toMatchInlineSnapshot(`
    "agent: renewals
    description: "Prepares renewals: finds the contract, drafts the offer."
    labels: [sample, "no"]
    model:
      provider: openai-compatible
      name: sample-model:8b
      connection: local-models
      settings: { base_url: http://127.0.0.1:11434/v1, temperature: 0.2, max_output_tokens: 2000 }
    instructions: |
      Work only from the contract.

      Never guess a price.
    knowledge: [contracts, price list]
    tools:
      - name: get_contract
        kind: record
        base: contracts
        effect: read
      - name: find_price
        kind: search
        bases: [price list]
        effect: read
      - name: send_offer
        description: Sends the offer.
        kind: http
        request:
          method: POST
          url: https://mail.example.com/v1/offers/{contract_id}
          query: { draft: "false" }
          headers: { Accept: application/json }
          body: { amount: "{amount}", text: "Literal {{braces}}" }
        connection: mail
        arguments:
          type: object
          required: [contract_id]
          properties: { contract_id: { type: string }, amount: { type: number } }
        idempotency: { header: Idempotency-Key }
        effect: write
        impact: { money: 500, data: personal, reversible: false, external: true, persons: 1 }
        cost_usd: 0.03
      - name: book_call
        kind: http
        openapi: { url: https://calendar.example.com/openapi.json, operation: createEvent }
        effect: write
        impact: {}
      - name: look_up
        kind: mcp
        server: https://tools.example.com/mcp
        tool: lookup-v2
        effect: read
    skills:
      - name: draft_offer
        description: Drafts the offer.
        input:
          type: object
          required: [contract_id]
          properties: { contract_id: { type: string, pattern: ^ct_ } }
        output: { type: object, properties: { amount: { type: number }, text: { type: string } } }
        instructions: |-
          Find the contract.
          Draft the offer.
        tools: [get_contract, find_price, send_offer]
        subject: contract_id
        impact: { data: personal }
        limits: { steps: 12, seconds: 120, tokens: 20000, cost_usd: 0.2 }
        examples:
          - { name: small, input: { contract_id: ct_1 }, output: { amount: 10 } }
          - input: { contract_id: ct_2 }
            output:
              amount: 20
              text: |-
                Two
                lines
    "
  `);
});

it("gives a text that holds nothing but printable characters", () => {
  fc.assert(
    fc.property(anyBundle, (bundle) => {
      // YAML 1.2.2, section 5.1; a byte order mark may stand at the start only.
      expect(writeBundle(bundle)).toMatch(
        /^[\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u,
      );
    }),
  );
});
