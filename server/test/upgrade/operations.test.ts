import { fileURLToPath } from "node:url";
import { namesOfOperation } from "@aos/proof";
import { describe, expect, it } from "vitest";
import { type KeptOperation, keptReleases, operationsIn, readOperations } from "./kept.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** An operation's address without the names of its parameters, which clients do not see. */
const addressOf = ({ method, path }: KeptOperation): string => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`;

const present = await operationsIn(root);
const namesAt = new Map(present.map((one) => [addressOf(one), namesOfOperation(one.id)]));

describe.each(await keptReleases())("the operations of %s", (release) => {
  it("are at their addresses, to which Idempotency-Keys are bound, under their ids or declared as renamed", async () => {
    const operations = await readOperations(release);
    expect(operations.length).toBeGreaterThan(90);
    const lost = operations.filter((one) => !namesAt.get(addressOf(one))?.includes(one.id));
    expect(lost, "keep the address; declare the former id in packages/proof/src/former-names.ts").toEqual([]);
  });
});
