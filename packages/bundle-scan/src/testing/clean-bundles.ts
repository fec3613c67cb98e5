/** One clean bundle of each kind, as texts by path: what faults are planted into. */
export type Texts = Map<string, string>;
export type BundleKind = "agent" | "workflow" | "tool_set" | "policy_pack" | "dataset" | "scorer";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const lines = (values: readonly unknown[]): string => `${values.map((one) => JSON.stringify(one)).join("\n")}\n`;

export function manifestOf(kind: BundleKind) {
  return {
    kind,
    name: `shop-${kind.replace("_", "-")}`,
    version: "1.2.0",
    title: "Help for a shop's inbox",
    summary: "Sorts what customers write and looks up the order.",
    license: "Apache-2.0",
    requires: { connections: ["shop"] },
    permissions: {},
    limits: ["It reads English and German only."],
  };
}

const readme = `# Help for a shop's inbox

Sorts messages by what the sender wants, and quotes the rule that applies.

## What it needs

A connection named \`shop\` that holds the key of your shop's interface. See https://docs.example.com/shop for how to make one.

## What it cannot do

It cannot read attachments, and it never pays anything back by itself. Sums above 200 euros always wait for a person.
`;

const agent = `agent: shop-inbox
description: "Sorts what customers write."
model: { provider: builtin }
instructions: "Sort each message by what the sender wants. Be brief and friendly."
knowledge: [rules]
tools:
  - name: get_order
    kind: record
    base: orders
    effect: read
    description: "Reads an order by its number."
  - name: refund
    kind: http
    description: "Pays an order back."
    request:
      method: POST
      url: https://shop.example.com/orders/{order_id}/refunds
      body: { amount: "{amount}" }
    idempotency: { header: Idempotency-Key }
    connection: shop
    effect: write
    arguments:
      type: object
      required: [order_id, amount]
      additionalProperties: false
      properties:
        order_id: { type: string, pattern: "^or_[0-9]+$" }
        amount: { type: number, maximum: 200 }
    impact: { money: 200, data: personal, reversible: false, external: true }
skills:
  - name: sort
    input:
      type: object
      properties:
        message: { type: string, maxLength: 4000 }
    instructions: "Name the kind of the message."
    limits: { steps: 4, seconds: 30, tokens: 4000, cost_usd: 0.02 }
    examples:
      - input: { message: "My parcel has not arrived and it has been nine days." }
        output: { kind: delivery }
`;

const rules = {
  name: "rules",
  description: "What the shop promises.",
  language: "en",
  documents: [
    {
      title: "Returns",
      text: "Goods can be sent back within 30 days. The customer pays the postage unless the item arrived broken.",
    },
    {
      title: "Lieferzeit",
      text: "Die Lieferung dauert drei bis fünf Werktage. Ist ein Artikel nicht vorrätig, melden wir uns per E-Mail.",
    },
    {
      title: "Invoices",
      text: "Invoices are sent as PDF on the day of shipping. A corrected invoice can be asked for within a year.",
    },
  ],
};

const messages = [
  ["delivery", "Where is my order? It should have been here on Monday."],
  ["return", "The shoes are too small, how do I send them back?"],
  ["invoice", "Bitte schicken Sie mir die Rechnung noch einmal."],
  ["delivery", "Der Paketdienst hat angeblich niemanden angetroffen, ich war aber da."],
  ["return", "One of the glasses was broken when I opened the box."],
] as const;

const tools = [
  {
    name: "get_parcel",
    kind: "http",
    description: "Reads where a parcel is.",
    request: { method: "GET", url: "https://api.carrier.example.com/v1/parcels/{parcel}" },
    connection: "carrier",
    effect: "read",
    arguments: {
      type: "object",
      required: ["parcel"],
      additionalProperties: false,
      properties: { parcel: { type: "string", pattern: "^[0-9]{12}$" } },
    },
  },
  {
    name: "hold_parcel",
    kind: "http",
    description: "Asks the carrier to hold a parcel.",
    request: {
      method: "POST",
      url: "https://api.carrier.example.com/v1/parcels/{parcel}/hold",
      body: { reason: "{reason}" },
    },
    connection: "carrier",
    effect: "write",
    arguments: {
      type: "object",
      required: ["parcel"],
      additionalProperties: false,
      properties: {
        parcel: { type: "string", pattern: "^[0-9]{12}$" },
        reason: { type: "string", enum: ["absent", "wrong_address"] },
      },
    },
    impact: { reversible: true, external: true },
  },
  {
    name: "create_ticket",
    kind: "mcp",
    description: "Opens a ticket.",
    server: "https://tickets.example.com/mcp",
    tool: "tickets_create",
    connection: "tickets",
    effect: "write",
    arguments: {
      type: "object",
      required: ["title"],
      additionalProperties: false,
      properties: { title: { type: "string", maxLength: 200 } },
    },
    impact: { reversible: true, external: false },
  },
];

const policies = [
  {
    name: "Payments wait for a person",
    scope: { actions: ["tool.call"] },
    when: "tool.impact.money > 100",
    effect: "require_approval",
    params: { approvers: 1 },
    reason_code: "payment_over_limit",
    message: "Payments above 100 wait for a person.",
  },
  {
    name: "Bounds of a run",
    when: "true",
    effect: "limit",
    params: { steps: 20, seconds: 120 },
    reason_code: "bounds",
    message: "A run has at most 20 steps.",
  },
];

const workflow = `name: onboarding
description: "Collects what a new customer has to send, and asks a person to check it."
steps:
  - id: read
    run: { agent: shop-inbox, skill: sort }
    input: { message: "\${{ input.message }}" }
  - id: check
    approval: { title: "Check the new customer" }
`;

const scorers = [{ name: "exact", kind: "json_match", description: "The kind is the same.", fields: ["kind"] }];
const items = messages.map(([kind, message]) => ({ input: { message }, expected: { kind } }));

const filesOf: Record<BundleKind, () => [string, string][]> = {
  agent: () => [
    ["agent.yaml", agent],
    ["training/sort.jsonl", lines(messages.map(([kind, message]) => ({ input: { message }, output: { kind } })))],
    ["datasets/inbox.jsonl", lines(items)],
    [
      "datasets.json",
      json([
        {
          name: "inbox",
          agent: "shop-inbox",
          skill: "sort",
          description: "Messages to sort.",
          data: "Written for this bundle.",
        },
      ]),
    ],
    ["knowledge/rules.json", json(rules)],
    [
      "try.json",
      json([{ skill: "sort", input: { message: "Where is my parcel?" }, expect: "It is sorted as delivery." }]),
    ],
  ],
  workflow: () => [["workflow.yaml", workflow]],
  tool_set: () => [["tools.json", json(tools)]],
  policy_pack: () => [
    ["policies/payments.json", json(policies[0])],
    ["policies/bounds.json", json(policies[1])],
  ],
  dataset: () => [
    ["datasets/inbox.jsonl", lines(items)],
    [
      "datasets.json",
      json([
        {
          name: "inbox",
          agent: "shop-inbox",
          skill: "sort",
          description: "Messages to sort.",
          data: "Written for this bundle.",
        },
      ]),
    ],
  ],
  scorer: () => [["scorers.json", json(scorers)]],
};

/** A fresh copy of the clean bundle of a kind. */
export function cleanBundle(kind: BundleKind): Texts {
  return new Map([["bundle.json", json(manifestOf(kind))], ["readme.md", readme], ...filesOf[kind]()]);
}
