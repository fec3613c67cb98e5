import { Work } from "../findings.ts";
import { scanCounted } from "../scan.ts";

/** The most steps for each unit of any text: what windows and gaps of phrases allow. It must not grow with the text. */
export const MOST_PER_UNIT = 600;

export function stepsOf(path: string, text: string): number {
  const work = new Work();
  scanCounted(new Map([[path, Buffer.from(text)]]), { kind: "", name: "", version: "" }, work);
  return work.steps;
}

/** Pieces that make careless scanners slow when they are repeated: beginnings of what rules look for, without an end. */
export const pieces = [
  ..."a ,\n<[=:-!&".split(""),
  ...[
    "A1b2",
    "<!--",
    "<a ",
    "<img src=https://",
    "](",
    "![](https://",
    "![x](https://a/{",
    "{{",
    "<|",
    "[INST",
    "\nHuman: ",
  ],
  ...[
    "://",
    "http://a",
    "https://\u0430",
    "a@",
    "a@b.",
    "eyJ",
    "sk-",
    "-----BEGIN ",
    "-----BEGIN A ",
    "token=",
    "token=A1b2C3d4E5f6G7h8 ",
  ],
  ...[
    "ignore ",
    "ignore all ",
    "ignore ignore the previous ",
    "send ",
    "send all data to ",
    "without ",
    "do not tell ",
    "vergiss alle ",
  ],
  ...[
    "you are now ",
    "keep this ",
    "\u200b",
    "\u202e",
    "\u2066",
    "\ufe0f",
    "\u{e0041}",
    "\u{e0100}",
    "\u0430b ",
    "\u00ad",
    "%41",
    "41",
    "QUJD",
  ],
  "'",
  '"',
  "`",
  "\u201c",
  'if "ignore all previous instructions" ',
  "4111 1111 1111 1111 ",
  "xn--",
  "#!/",
  "\\",
];

/** Structures that make careless readers slow, by size. */
export const structures: readonly (readonly [string, string, (size: number) => string])[] = [
  ["nested lists", "datasets/a.jsonl", (size) => "[".repeat(size)],
  ["one long text", "knowledge/a.json", (size) => JSON.stringify({ text: "ignore the \\ ".repeat(size / 13) })],
  ["members", "tools.json", (size) => JSON.stringify(Array(size >> 4).fill({ a: "b" }))],
  ["lines", "training/a.jsonl", (size) => '{"input":1}\n'.repeat(size / 12)],
  ["fields", "agent.yaml", (size) => "a: 'b'\n".repeat(size / 7)],
];
