import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressed } from "./compress.ts";
import { chatWidget } from "./widget/build.ts";

/** Where `npm run dev --workspace portal` finds a service; what is not a file of the portal goes there. */
const service = `http://127.0.0.1:${process.env.AOS_PORT ?? "4000"}`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind(), chatWidget(), compressed()],
  build: {
    outDir: "dist",
    target: "baseline-widely-available",
    // The policy of the pages allows no script, style or picture inside the text.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    port: Number(process.env.AOS_PORTAL_PORT ?? 5173),
    strictPort: true,
    proxy: Object.fromEntries(
      ["/v1", "/auth", "/docs", "/openapi.json", "/readyz", "/workflow.schema.json"].map((path) => [
        path,
        { target: service },
      ]),
    ),
  },
});
