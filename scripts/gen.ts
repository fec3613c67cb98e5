/**
 * What `npm run gen` runs: writes the files that are made from the declarations in the code.
 *
 *     npm run gen                    openapi/, docs/reference and sdk/src/generated
 *     npm run gen -- --schema        and server/src/db/schema.sql, from a migrated database that is started for it
 *     npm run gen -- --check         writes nothing; names what is stale and fails
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { generate, staleFiles, writeStale } from "./checks/generated.ts";
import { generateSchema } from "./dump-schema.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, schema: { type: "boolean", default: false } },
});
const schema = values.schema ? [await generateSchema()] : [];
if (!values.check) await writeStale(root, schema); // the types of tables are made from the file
const files = [...schema, ...(await generate())];

if (values.check) {
  const stale = await staleFiles(root, files);
  for (const file of stale)
    console.error(
      `${file} is stale: run npm run gen${file.endsWith(".sql") ? " -- --schema" : ""}, and look at the difference.`,
    );
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  const written = await writeStale(root, files);
  console.log(written.length === 0 ? "Everything is fresh." : written.map((file) => `wrote ${file}`).join("\n"));
}
