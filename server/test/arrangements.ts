import { readdirSync } from "node:fs";
import type { Arrangements } from "./arrangements/arranged.ts";

export { type Arrange, type Arranged, withMail } from "./arrangements/arranged.ts";

/** A file of arrangements: one beside a resource, for its operations, or one of the folder `arrangements`, for those of the group that it is named after. */
interface Part {
  readonly arrange: Arrangements;
  readonly seenFromEverywhere?: Readonly<Record<string, string>>;
}

const named = async (folder: URL, files: readonly string[]): Promise<readonly (readonly [string, Part])[]> =>
  Promise.all(files.map(async (file) => [file, (await import(new URL(file, folder).href)) as Part] as const));

const folder = new URL("arrangements/", import.meta.url);
const features = new URL("../src/features/", import.meta.url);
// `arranged.ts` and what has a hyphen in its name (`workflows-runs.ts`) are parts of these files.
const ofGroups = await named(
  folder,
  readdirSync(folder).filter((name) => name !== "arranged.ts" && !name.includes("-")),
);
const ofResources = await named(
  features,
  readdirSync(features, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(^|\/)arrangements\.fixture\.ts$/.test(file),
  ),
);
for (const [file, part] of ofGroups) {
  const foreign = Object.keys(part.arrange).filter((id) => id.split(".")[0] !== file.split(/[.-]/)[0]);
  if (foreign.length > 0) throw new Error(`server/test/arrangements/${file} is not the file of ${foreign}`);
}
const parts = [...ofGroups, ...ofResources].map(([, part]) => part);

/** One entry for each operation that has an address; `every-operation.test.ts` fails for one without. */
export const arrange: Arrangements = Object.assign({}, ...parts.map((part) => part.arrange));

/** Objects that the organization shares: who asks from another environment sees them. Why, for each; the list may only shrink. */
export const seenFromEverywhere: Readonly<Record<string, string>> = Object.assign(
  {},
  ...parts.map((part) => part.seenFromEverywhere),
);
