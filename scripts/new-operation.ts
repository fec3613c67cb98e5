/**
 * What `npm run new:operation` runs: writes a new operation with its test, and registers, arranges and tables it.
 *
 *     npm run new:operation -- tasks.readTaskTrust GET /v1/tasks/{task}/trust \
 *       --permission tasks:read --gate "exempt:reads, makes no agent act" --action task.read --list surface
 *
 *     --permission <group:verb>   who may call it, or "exempt:<why no permission is needed>"
 *     --gate "exempt:<why>"       why the evaluation gate does not apply; an operation that makes an agent act says its gate by hand
 *     --action <name>             the action that policies know it by, or "exempt:<why no policy applies>"
 *     --list <topic>              the list that registers it, features/<group>/lists/<topic>.ts; not needed where the group has one
 *     --summary "<words>"         its title; by default the words of its id
 *
 * What it writes compiles, and its test fails until the operation does something. The exit code is 2 where the arguments cannot be followed.
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe } from "../server/src/kernel/operation-seal.ts";
import { publishedOperations } from "./checks/registry.ts";
import { Misunderstood, readArguments } from "./new-operation/arguments.ts";
import { writeOperation } from "./new-operation/write.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

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

Next: say what it does in ${written[0]}, and what callers can rely on in ${written[1]}.
npm test -- ${written[1]} fails until then. Afterwards: npm run gen, npm run verify, npm test -- server/test`);
} catch (error) {
  if (!(error instanceof Misunderstood)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
