import path from "node:path";
import { build, type Rolldown } from "vite";

const entry = "\0entry.ts";

/** The one script that Vite makes of a module, minified, with the SDK in it as a page of the portal has it. An `iife` leaves its exports in the variable `sdk`. */
export async function bundle(source: string, format: "iife" | "es"): Promise<string> {
  const own = path.resolve(import.meta.dirname, "..");
  const made = (await build({
    configFile: false,
    root: own,
    logLevel: "error",
    plugins: [
      {
        name: "entry",
        resolveId: (id, importer) =>
          id.endsWith("/sdk-entry")
            ? entry
            : importer === entry && id === "@aos/sdk"
              ? path.join(own, "src/index.ts")
              : null,
        load: (id) => (id === entry ? source : null),
      },
    ],
    build: {
      write: false,
      minify: true,
      target: "es2022",
      lib: { entry: "/sdk-entry", formats: [format], name: "sdk" },
    },
  })) as Rolldown.RolldownOutput | Rolldown.RolldownOutput[];
  const [chunk] = (Array.isArray(made) ? made : [made]).flatMap(({ output }) => output);
  return (chunk as Rolldown.OutputChunk).code;
}
