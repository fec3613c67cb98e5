import { describe, expect, it } from "vitest";
import { describedSignIn, publishedOperations } from "../../scripts/checks/registry.ts";
import { bodyLimit, ordinaryBounds } from "../src/kernel/body-bounds.ts";
import { describe as describeOperation, type OperationDescription } from "../src/kernel/operation-seal.ts";
import { openApiDocument } from "../src/openapi/document.ts";
import { useApp } from "../src/testing/app.ts";
import { withMail } from "./arrangements.ts";
import { representatives } from "./kinds.ts";
import { walk } from "./walk.ts";

// What a body may hold: the bounds over all operations, and how they are kept for one of each kind.

const app = useApp(withMail);
const changes = publishedOperations()
  .map(describeOperation)
  .filter(({ method }) => method !== "GET");
const document = openApiDocument(publishedOperations()) as {
  paths: Record<string, Record<string, { requestBody?: { description: string } }>>;
};

interface Place {
  readonly properties?: Readonly<Record<string, Place>>;
  readonly anyOf?: readonly Place[];
  readonly items?: Place;
  readonly patternProperties?: object;
  readonly type?: string;
}

/** The path to the first member of a body that takes what `fits`; null: none does. */
function pathTo(place: Place, fits: (place: Place) => boolean): string[] | null {
  for (const branch of [place, ...(place.anyOf ?? [])])
    for (const [name, member] of Object.entries(branch.properties ?? {})) {
      if ([member, ...(member.anyOf ?? [])].some(fits)) return [name];
      const below = pathTo(member, fits);
      if (below) return [name, ...below];
    }
  return null;
}

const nested = (path: readonly string[], value: unknown): object =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;

/** Bodies in the operation's own shape that hold one member, and one value, too many; each with the place of the excess. */
function hostileBodies({ body, bounds }: OperationDescription) {
  const record = pathTo(body as Place, ({ patternProperties }) => patternProperties !== undefined) ?? ["wide"];
  const list = pathTo(body as Place, ({ items }) => items !== undefined) ?? ["long"];
  const members = Object.fromEntries(Array.from({ length: bounds.members + 1 }, (_, at) => [`m${at}`, at]));
  return [
    { body: nested(record, members), code: "too_many_members", pointer: `/${record.join("/")}` },
    {
      body: nested(
        list,
        Array.from({ length: bounds.values }, () => 0),
      ),
      code: "too_many_values",
      pointer: `/${list.join("/")}/`,
    },
  ];
}

describe("a body that holds too much", () => {
  it.each(representatives(changes).map((operation) => [operation.id, operation] as const))(
    "is refused where it is read, with its place and the bound: %s",
    async (id, operation) => {
      const walker = walk(app, operation);
      const given = await walker.arranged();
      for (const hostile of hostileBodies(operation)) {
        const { status, body } = await walker.call(given, {
          body: hostile.body,
          headers: { "content-type": "application/json" },
        });
        expect([status, body.code, body.errors?.length], `${id}: ${body.detail}`).toEqual([413, "body_too_large", 1]);
        const [{ code, pointer, detail }] = body.errors;
        expect([code, pointer.startsWith(hostile.pointer)], pointer).toEqual([hostile.code, true]);
        expect(detail).toMatch(/ has more than \d+ .* at most \d+ are read\. /);
        expect(body.detail).toContain(`(${pointer})`);
      }
    },
  );

  it("has bounds that the description of its operation names", () => {
    for (const { id, path, method, bounds, largestBody = bodyLimit } of changes) {
      const { requestBody } = document.paths[path as string]?.[String(method).toLowerCase()] ?? {};
      if (!requestBody) continue;
      const words = [largestBody, bounds.members, bounds.values].map((bound) => bound.toLocaleString("en"));
      for (const one of words) expect(requestBody.description, id).toContain(one);
    }
  });

  it("has bounds that no declaration lifts", () => {
    for (const { id, bounds } of [...changes, ...describedSignIn()]) {
      expect(bounds.members, id).toBe(ordinaryBounds.members);
      expect(bounds.values, id).toBeGreaterThanOrEqual(ordinaryBounds.values);
      expect(bounds.values, id).toBeLessThanOrEqual(100_000);
    }
  });
});

it("takes the example of each operation many times over", () => {
  for (const { id, example, bounds } of changes) {
    const count = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? 1 + Object.values(value).reduce<number>((sum, one) => sum + count(one), 0)
        : 1;
    expect(10 * count(example?.body), id).toBeLessThan(bounds.values);
  }
});
