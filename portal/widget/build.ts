import path from "node:path";
import { build, type Plugin } from "vite";

const folder = import.meta.dirname;

/** Adds the chat widget to a build, as one script under a name that stays: pages of others load it. */
export function chatWidget(): Plugin {
  return {
    name: "chat-widget",
    apply: "build",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: "chat/widget.js", source: await widgetSource() });
    },
  };
}

/** The widget's script, minified. */
export async function widgetSource(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    root: folder,
    build: {
      write: false,
      target: "baseline-widely-available",
      lib: { entry: path.join(folder, "index.ts"), formats: ["iife"], name: "aosChatWidget" },
    },
  });
  const [{ output }] = built as unknown as readonly [{ readonly output: readonly [{ readonly code: string }] }];
  return output[0].code;
}
