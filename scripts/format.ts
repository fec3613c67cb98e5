import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

// `npm run format`: brings format and import order of the whole repository, or of the given paths, into shape.

const root = fileURLToPath(new URL("..", import.meta.url));
const paths = process.argv.slice(2);
const biome = fileURLToPath(new URL("../node_modules/.bin/biome", import.meta.url));
const { status } = spawnSync(
  biome,
  ["check", "--write", "--no-errors-on-unmatched", ...(paths.length > 0 ? paths : ["."])],
  {
    cwd: root,
    stdio: "inherit",
  },
);
process.exitCode = status ?? 1;
