import fc from "fast-check";
import type { Described, Draft } from "./requests.ts";
import { oddBodies, oddHeaderValues, oddSegments, oddValues } from "./values.ts";

// What can be wrong with a request. What is built here once is shared: building an arbitrary of texts costs more than drawing from it.

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const names = fc.stringMatching(/^[a-z_]{1,12}$/);
const shortTexts = fc.string({ maxLength: 20 });
const memberNames = fc.oneof(names, fc.constantFrom("__proto__", "constructor", ""));
const foreignTypes = fc.constantFrom("text/plain", "application/json; charset=latin1", "application/x-yaml", "");
const headerNames = fc.constantFrom(
  "idempotency-key",
  "if-match",
  "if-none-match",
  "accept",
  "prefer",
  "last-event-id",
  "authorization",
  "content-encoding",
  "x-request-id",
  "origin",
  "range",
  "te",
  "cookie",
);
const oddQueries = fc.array(
  fc.tuple(
    fc.oneof(shortTexts, fc.constantFrom("__proto__", "cursor", "limit", "dry_run", "")),
    fc.oneof(shortTexts, fc.constantFrom("\0", "a".repeat(300))),
  ),
  { minLength: 1, maxLength: 30 },
);
const extraParameters = fc.tuple(names, shortTexts);
const extraMembers = fc.tuple(memberNames, oddValues);
const places = fc.nat();

/** One thing is wrong. */
export function faulty({ body }: Described, draft: Draft): fc.Arbitrary<Draft> {
  const ways: fc.Arbitrary<Draft>[] = [
    extraParameters.map((extra) => ({ ...draft, query: [...draft.query, extra] })),
    ...draft.query.map(([name]) =>
      shortTexts.map((value) => ({
        ...draft,
        query: draft.query.map((one) => (one[0] === name ? ([name, value] as const) : one)),
      })),
    ),
    ...draft.query.map((one) => fc.constant({ ...draft, query: [...draft.query, one] })),
    ...otherPaths(draft),
    ...["authorization", "if-match"]
      .filter((name) => name in draft.headers)
      .map((name) => fc.constant(without(draft, name))),
  ];
  if (body !== null) {
    const text = JSON.stringify(draft.body ?? {});
    ways.push(
      foreignTypes.map((type) => ({
        ...draft,
        body: draft.body ?? {},
        headers: { ...draft.headers, "content-type": type },
      })),
      places.map((at) => ({ ...draft, raw: text.slice(0, at % text.length) })),
      oddValues.map((odd) => ({ ...draft, body: odd })),
    );
    if (isObject(draft.body)) ways.push(...bodyFaults(draft, draft.body));
  }
  return fc.oneof(...ways);
}

const otherPaths = (draft: Draft): fc.Arbitrary<Draft>[] =>
  Object.entries(draft.params).map(([name, given]) =>
    fc.oneof(oddSegments, spoilt(given)).map((value) => ({ ...draft, params: { ...draft.params, [name]: value } })),
  );

/** A name that begins or ends like one that exists, such as the scope of a budget with nothing usable after its kind. */
const spoilt = (given: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(given, given.slice(0, given.search(/[:_]/) + 1)),
      fc.constantFrom("\0", "__proto__", "2147483648", "\u{1f600}"),
    )
    .map(([start, end]) => `${start}${end}`);

function without(draft: Draft, name: string): Draft {
  const { [name]: _left, ...headers } = draft.headers;
  return { ...draft, headers };
}

function bodyFaults(draft: Draft, body: Record<string, unknown>): fc.Arbitrary<Draft>[] {
  const members = Object.keys(body);
  // Written as text, since `__proto__` is no member that an object can be given.
  const placeholder = "\u{10ffff}";
  const added = extraMembers.map(([name, value]) => ({
    ...draft,
    raw: JSON.stringify({ ...body, [placeholder]: 0 }).replace(
      `"${placeholder}":0`,
      () => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
    ),
  }));
  if (members.length === 0) return [added];
  const member = fc.constantFrom(...members);
  const dropped = member.map((name) => ({
    ...draft,
    body: Object.fromEntries(Object.entries(body).filter(([one]) => one !== name)),
  }));
  const replaced = fc.tuple(member, oddValues).map(([name, value]) => ({ ...draft, body: { ...body, [name]: value } }));
  return [added, dropped, replaced];
}

/** Somebody tries what breaks services. A body where none is read is sent all the same: it must not become the next request. */
export function hostile({ mediaTypes }: Described, draft: Draft): fc.Arbitrary<Draft> {
  const withHeader = (name: string, value: string): Draft => ({
    ...draft,
    headers: { ...draft.headers, [name]: value },
  });
  return fc.oneof(
    fc.tuple(headerNames, oddHeaderValues).map(([name, value]) => withHeader(name, value)),
    oddQueries.map((query) => ({ ...draft, query })),
    oddBodies.map((raw) => ({ ...draft, raw })),
    fc
      .tuple(oddBodies, fc.constantFrom(...mediaTypes, "application/json"))
      .map(([raw, type]) => ({ ...withHeader("content-type", type), raw })),
    ...otherPaths(draft),
  );
}
