import { readdirSync } from "node:fs";
import type { Arrangements } from "./arrangements/arranged.ts";

export { type Arrange, type Arranged, withMail } from "./arrangements/arranged.ts";

/** A file of the folder is named after its group of operations, `<group>.ts` or `<group>-<part>.ts`, and holds no other's. */
interface Part {
  readonly arrange: Arrangements;
  readonly seenFromEverywhere?: Readonly<Record<string, string>>;
}

const folder = new URL("arrangements/", import.meta.url);
// `arranged.ts` and what has a hyphen in its name (`workflows-runs.ts`) are parts of these files.
const files = readdirSync(folder).filter((name) => name !== "arranged.ts" && !name.includes("-"));
const parts = await Promise.all(
  files.map(async (file): Promise<Part> => {
    const part: Part = await import(new URL(file, folder).href);
    const foreign = Object.keys(part.arrange).filter((id) => id.split(".")[0] !== file.split(/[.-]/)[0]);
    if (foreign.length > 0) throw new Error(`server/test/arrangements/${file} is not the file of ${foreign}`);
    return part;
  }),
);

/** One entry for each operation that has an address; `every-operation.test.ts` fails for one without. */
export const arrange: Arrangements = Object.assign({}, ...parts.map((part) => part.arrange));

/** Objects that the organization shares: who asks from another environment sees them. Why, for each; the list may only shrink. */
export const seenFromEverywhere: Readonly<Record<string, string>> = Object.assign(
  {},
  ...parts.map((part) => part.seenFromEverywhere),
);
