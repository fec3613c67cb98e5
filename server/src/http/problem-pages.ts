import type { ProblemType } from "../kernel/errors.ts";

const escapeHtml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const code = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");

/** The page behind a problem's `type`: cause, remedy and an example. */
export function problemPage(type: ProblemType): string {
  const example = {
    type: `/docs/problems/${type.code}`,
    title: type.title,
    status: type.status,
    code: type.code,
    retryable: type.retryable,
  };
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(type.title)}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.55 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}pre{padding:1rem;border:1px solid #8886;border-radius:8px;overflow:auto}small{opacity:.75}</style>
<small>${type.status} · <code>${type.code}</code> · ${type.retryable ? "worth trying again" : "the same call will fail again"}</small>
<h1>${escapeHtml(type.title)}</h1>
<h2>Cause</h2><p>${code(type.cause)}</p>
<h2>Remedy</h2><p>${code(type.remedy)}</p>
<h2>Example</h2><pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre></html>`;
}
