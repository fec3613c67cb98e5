import { importsOf } from "./imports.ts";
import { type Finding, isTest, type Source } from "./sources.ts";

/**
 * Who may import whom inside `portal/src`. Every area may import itself; a room (`pages/<group>/`, `forms/<group>/`) imports of another room only its
 * `public.tsx`. Files directly in `portal/src` join them: they may import all.
 */
const areas: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  api: ["lib/"],
  proof: ["api/", "lib/"],
  ui: ["lib/", "api/problem.ts"],
  layouts: ["lib/", "api/", "ui/"],
  forms: ["lib/", "api/", "ui/"],
  pages: ["lib/", "api/", "ui/", "layouts/", "proof/", "pages/context.ts"],
};

/** Packages that have one place in the portal. The interface has one client: nothing but `api/` knows the SDK. */
const places: Readonly<Record<string, RegExp>> = {
  "@aos/sdk": /^api\//,
  "@aos/proof": /^proof\//,
  recharts: /^ui\/charts-lazy\.tsx$/,
  "@xyflow/react": /^pages\/workflows\/graph\//,
  elkjs: /^pages\/workflows\/graph\//,
  marked: /^ui\/markdown\.tsx$/,
  yaml: /^pages\/workflows\/design\//,
  cmdk: /^layouts\//,
  croner: /^lib\/next-times\.ts$/,
  "react-dom": /^main\.tsx$/,
  "@simplewebauthn/browser": /^api\/passkeys\.ts$/,
  "@tanstack/react-query": /^(api|layouts)\/|^[a-z-]+\.tsx$|^pages\/(context\.ts$|sign-in\/)/,
  "@tanstack/react-router": /./,
  react: /./,
  clsx: /./,
  "lucide-react": /./,
};

const root = "portal/src/";

/** What files of the portal import though their place does not allow it. */
export function portalFindings(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ file }) => file.startsWith(root) && /\.tsx?$/.test(file) && !isTest(file))
    .flatMap((source) =>
      importsOf(source)
        .filter(({ target }) => !mayImport(source.file.slice(root.length), target))
        .map(({ line, target }) => ({ file: source.file, line, what: `may not import ${target}` })),
    );
}

function mayImport(from: string, target: string): boolean {
  if (!target.startsWith(root)) return mayImportPackage(from, target);
  const to = target.slice(root.length);
  const area = from.includes("/") ? from.slice(0, from.indexOf("/")) : null;
  if (area === null) return true;
  if (areas[area]?.some((start) => to.startsWith(start))) return true;
  if (area === "pages" || area === "forms") {
    const group = from.split("/")[1];
    return (
      to.startsWith(`pages/${group}/`) || to.startsWith(`forms/${group}/`) || /^pages\/[a-z-]+\/public\.tsx$/.test(to)
    );
  }
  return to.startsWith(`${area}/`);
}

function mayImportPackage(from: string, target: string): boolean {
  const name = target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
  return places[name]?.test(from) ?? false;
}
