/**
 * Builds the portal into portal/dist where it is missing or older than what it is made from: `npm run build:portal`. `bin/run` has it done after installing, and
 * so has npm, so that no start has to wait for it; a service that finds it old all the same builds it behind its calls.
 *
 * Prints a line where there is something to build, and says what is wrong where that fails. Exit code 1 then.
 */
import { ensureBuilt, isBuilt } from "../server/src/http/portal/build.ts";

if (!(await isBuilt())) {
  process.stderr.write("Building the portal (some seconds) ...\n");
  await ensureBuilt().catch((error: Error) => {
    process.stderr.write(
      `${error.message}\nThe service starts without the portal. Once this is mended: npm run build:portal\n`,
    );
    process.exitCode = 1;
  });
}
