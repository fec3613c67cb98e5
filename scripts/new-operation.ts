/**
 * What `npm run new:operation` runs: writes a new operation with its test and its arrangement, and its group where that is new.
 *
 *     npm run new:operation -- tasks.readTaskTrust GET "/v1/tasks/{task}/trust" --permission tasks:read --action task.read
 *     npm run new:operation -- notes.listNotes GET /v1/notes --about "Notes on tasks." --permission notes:read --action note.read
 *
 *     --permission <group:verb>   who may call it, or "exempt:<why no permission is needed>"
 *     --action <name>             the action that policies know it by, or "exempt:<why no policy applies>"
 *     --gate "exempt:<why>"       of a change: why the evaluation gate does not apply; an operation that makes an agent act says its gate by hand
 *     --decides <names>           of a change: what its callers give that can reach an agent's later work (kernel/decides.ts), or "exempt:<why none of it does>"
 *     --in <resource>             the folder of its resource, in a slice that has such folders; `new:<name>` makes one
 *     --about "<words>"           of a new group: what it is about
 *     --summary "<words>"         its title; by default the words of its id
 *
 * What it writes compiles, and its test fails until the operation does something. The exit code is 2 where the arguments cannot be followed.
 */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe } from "../server/src/kernel/operation-seal.ts";
import { publishedOperations } from "./checks/registry.ts";
import { Misunderstood, readArguments } from "./new-operation/arguments.ts";
import { writeOperation } from "./new-operation/write.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The number of the next migration. */
const nextMigration = (): string => {
  const numbers = readdirSync(path.join(root, "server/src/db/migrations")).map(
    (file) => Number.parseInt(file, 10) || 0,
  );
  return String(Math.max(...numbers) + 1).padStart(4, "0");
};

try {
  const known = publishedOperations().map(describe);
  const wanted = readArguments(process.argv.slice(2), { root, known });
  const written = await writeOperation(root, wanted);
  execFileSync(
    process.execPath,
    [path.join(root, "node_modules/@biomejs/biome/bin/biome"), "check", "--write", "--log-level=error", ...written],
    { cwd: root },
  );
  console.log(`${written.map((file) => `wrote ${file}`).join("\n")}

Next:
1. Say what it does in ${written[0]}, and what callers can rely on in ${written[1]}, which fails until then.
2. Arrange what a call of it needs in ${written[2]}.
3. npm run gen; npm run verify; npm test -- ${written[1]}
4. npm test -- server/test/every-operation -t "${wanted.id}|registry"
5. Show it in the portal (portal/README.md), and say it in a page of docs/guide and in CHANGELOG.md.`);
  if (wanted.about !== null)
    console.log(
      `\nA table of the group goes to server/src/db/migrations/${nextMigration()}_${wanted.group}.sql; then npm run gen -- --schema.`,
    );
} catch (error) {
  if (!(error instanceof Misunderstood)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
