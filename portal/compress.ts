import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const squeeze = { br: promisify(brotliCompress), gz: promisify(gzip) };
const brotli = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

/** Writes each file a second and third time, compressed (`.br`, `.gz`), so that no server has to do it at each request. */
export function compressed(): Plugin {
  let folder = "";
  return {
    name: "compressed",
    apply: "build",
    configResolved: ({ root, build }) => {
      folder = path.resolve(root, build.outDir);
    },
    closeBundle: async () => {
      const entries = await readdir(folder, { withFileTypes: true, recursive: true });
      const files = entries.filter((entry) => entry.isFile() && /\.(js|css|html|svg)$/.test(entry.name));
      await Promise.all(files.map(({ parentPath, name }) => compress(path.join(parentPath, name))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  await Promise.all([
    squeeze.br(content, brotli).then((small) => writeFile(`${file}.br`, small)),
    squeeze.gz(content, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
  ]);
}
