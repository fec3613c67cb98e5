/**
 * Takes every room of the portal, wide and narrow, light and dark, from a service that it starts and gives something to show:
 *
 *     sh bin/run scripts/screenshots.ts                    all, into docs/screenshots
 *     sh bin/run scripts/screenshots.ts approvals tasks    rooms whose name begins so
 *     sh bin/run scripts/screenshots.ts --out <folder>     elsewhere
 *
 * Look at each before it is committed: what you would not show to a customer is a fault of the portal.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { roomsOf } from "./screenshots/rooms.ts";
import { furnish } from "./screenshots/seed.ts";
import { startService } from "./screenshots/service.ts";
import { looks, takeAll } from "./screenshots/take.ts";

const args = process.argv.slice(2);
const at = args.indexOf("--out");
const [out] = at < 0 ? [fileURLToPath(new URL("../docs/screenshots", import.meta.url))] : args.splice(at, 2).slice(1);
if (out === undefined) throw new Error("--out needs a folder");

const service = await startService();
try {
  const shown = roomsOf(await furnish(service));
  const rooms = args.length === 0 ? shown : shown.filter(({ name }) => args.some((start) => name.startsWith(start)));
  await mkdir(out, { recursive: true });
  const bytes = await takeAll(service, rooms, path.resolve(out));
  if (args.length === 0)
    await writeFile(path.join(out, "README.md"), gallery(shown.map(({ name, title }) => ({ name, title }))));
  console.log(`${rooms.length * looks.length} pictures, ${Math.round(bytes / 1024)} KB`);
} finally {
  await service.stop();
}

/** The page on which the pictures stand together. */
function gallery(rooms: readonly { name: string; title: string }[]): string {
  const picture = (name: string, title: string, look: string): string =>
    `<img src="${name}-${look}.webp" alt="${title}, ${look.replace("-", " and ")}">`;
  const parts = rooms.map(({ name, title }) => {
    const [wide, narrow] = [
      looks.filter(({ name: look }) => look.startsWith("wide")),
      looks.filter(({ name: look }) => look.startsWith("narrow")),
    ];
    const row = (list: typeof wide, width: string): string =>
      list.map((look) => picture(name, title, look.name).replace("<img", `<img width="${width}"`)).join("\n");
    return `## ${title}\n\n${row(wide, "49%")}\n\n${row(narrow, "24%")}\n`;
  });
  return `# Pages of the portal\n\n<!-- Made by scripts/screenshots.ts; changes made here are lost. -->\n\n${parts.join("\n")}`;
}
