import { type Finding, isTest, lineAt, type Source } from "./sources.ts";

// What a JSON text holds is declared once and read by `storedJson`, or is unknown until it is checked. A cast claims a type that nothing holds to.

const code = /^(?:(?:server|cli)\/src|packages\/[\w-]+\/src|scripts)\/.*\.tsx?$/;
const server = /^server\/src\//;
const call = /\b(?:JSON\.parse|parseJson)\(/g;
/** What follows a call and gives its result a type. */
const typed = /^[\s)]*(?:as\s+(?!unknown\b)|[.[])/;
/** The same by a declaration in front of it. */
const declared = /\bconst \w+: (?!unknown\b)[^=;]+ =\s+(?:await )?$/;

/** Files that may, each with the reason. The list only shrinks. */
const known: Readonly<Record<string, string>> = {
  "packages/documents/src/parse.ts": "messages of the package's own child process",
  "packages/documents/src/process/child-entry.ts": "what the package itself gives its child process",
  "packages/json-schema/src/linear-pattern.ts": "an escape of a string literal",
  "packages/workflow/src/step-types.ts": "its own schema, written as JSON and read again",
  "scripts/answerability.ts": "samples that the script itself wrote",
  "scripts/screenshots/service.ts": "responses of the API, by the types of the calls",
};

/** Files of the server that parse what others send, as unknown. */
const parsers: readonly RegExp[] = [
  /^server\/src\/features\/knowledge\/connectors\/sources\/json-place\.ts$/,
  /^server\/src\/http\/incoming-call\.ts$/,
  /^server\/src\/kernel\/stored-json\.ts$/,
  /^server\/src\/resources\/rows\.ts$/,
  /^server\/src\/(?:audit-log\/notify|config\/sign-in|outbound\/channel-port)\.ts$/,
  /^server\/src\/runtime\/tools\/(?:http-data|openapi-descriptions)\.ts$/,
];

/** Calls that parse JSON and take the result for a type. `allowed`: files that may. */
export function jsonFindings(sources: readonly Source[], allowed: Readonly<Record<string, string>> = known): Finding[] {
  const used = new Set<string>();
  const findings = sources
    .filter(({ file }) => code.test(file) && !isTest(file) && !parsers.some((parser) => parser.test(file)))
    .flatMap(({ file, text }) => {
      const found = callsIn(text).flatMap((one) => faultOf(file, text, one));
      if (found.length > 0) used.add(file);
      return file in allowed ? [] : found;
    });
  const stale = Object.keys(allowed).filter((file) => !used.has(file));
  return [
    ...findings,
    ...stale.map((file) => ({ file, line: 1, what: "gives parsed JSON no type any longer; take it off the list" })),
  ];
}

interface Call {
  readonly at: number;
  readonly end: number;
}

const callsIn = (text: string): Call[] =>
  [...text.matchAll(call)].map(({ index, 0: { length } }) => ({ at: index, end: endOfCall(text, index + length) }));

function faultOf(file: string, text: string, { at, end }: Call): Finding[] {
  const line = lineAt(text, at);
  if (typed.test(text.slice(end, end + 80)) || declared.test(text.slice(Math.max(0, at - 240), at)))
    return [{ file, line, what: "takes parsed JSON for a type; declare it with storedJson, or check what it is" }];
  if (server.test(file) && text.startsWith("JSON", at))
    return [{ file, line, what: "parses JSON; use storedJson, or parseJson where nothing is known of it" }];
  return [];
}

/** The place after the parenthesis that closes a call. Skips texts in quotation marks. */
function endOfCall(text: string, from: number): number {
  let open = 1;
  let at = from;
  for (; open > 0 && at < text.length; at++) {
    const char = text[at] as string;
    if (char === "(") open++;
    else if (char === ")") open--;
    else if (char === '"' || char === "'" || char === "`") at = endOfText(text, at);
  }
  return at;
}

function endOfText(text: string, from: number): number {
  const mark = text[from];
  let at = from + 1;
  while (at < text.length && text[at] !== mark) at += text[at] === "\\" ? 2 : 1;
  return at;
}
