import { type Declared, refused, runDeclared, serviceFlags, serviceFor } from "../call-command.ts";
import { lastOf } from "../flags.ts";
import { type SearchAnswer, searchLines } from "../output/passages.ts";
import { CommandError, processTerminal, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: 'knowledge search "<question>" [options]',
  about: `Searches knowledge bases for passages, best first, each with its citation. Quotation marks inside the question find a phrase. Finds what the key
may read; --as narrows that to what an agent or a member may read too.`,
  flags: [
    { name: "base", takes: "<name>", multiple: true, description: "only this base; may be given several times" },
    { name: "as", takes: "<who>", description: "as this agent or member: the agent's name, or mbr_…" },
    { name: "limit", takes: "<number>", description: "passages at most; default: 10" },
    ...serviceFlags,
  ],
  positionals: ["question"],
  examples: [
    'aos knowledge search "how long may goods be returned?"',
    "aos knowledge search '\"return label\"' --base handbook --as sales",
  ],
};
export const { flags } = declared;

/** `aos knowledge search`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async (given) => {
    const { parsed, json } = given;
    const limit = Number(lastOf(parsed, "limit") ?? 10);
    if (!Number.isInteger(limit) || limit < 1) throw new CommandError("--limit takes a whole number from 1.");
    const as = lastOf(parsed, "as");
    const bases = parsed.values.get("base");
    const service = await serviceFor(given);
    const reply = await service.call("POST", "/v1/knowledge/search", {
      json: { query: given.argument(0), limit, ...(bases ? { bases } : {}), ...(as ? { as: sightOf(as) } : {}) },
    });
    const fault = refused(reply, given, service.access.profile);
    if (fault !== null) return fault;
    terminal.stdout.write(
      json
        ? `${JSON.stringify(reply.body, null, 2)}\n`
        : `${searchLines(reply.body as SearchAnswer, terminal).join("\n")}\n`,
    );
    return 0;
  });

const sightOf = (text: string): object => (/^mbr_/.test(text) ? { member: text } : { agent: text });
