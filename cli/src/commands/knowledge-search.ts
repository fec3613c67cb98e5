import { type AosCommand, collect, type Given } from "../command.ts";
import { serviceFor } from "../http.ts";
import { type SearchAnswer, searchLines } from "../output/passages.ts";
import { refused } from "../problems.ts";
import { CommandError } from "../terminal.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Searches knowledge bases for passages, best first, each with its citation. Quotation marks inside the question
find a phrase. Searches what the key may read; --as narrows that to what an agent or a member may read too.`,
    )
    .option("--base <name>", "only this base; may be given several times", collect)
    .option("--as <who>", "as this agent or member: the agent's name, or mbr_…")
    .option("--limit <number>", "passages at most; default: 10")
    .serviceOptions()
    .examples(
      'aos knowledge search "how long may goods be returned?"',
      "aos knowledge search '\"return label\"' --base handbook --as sales",
    )
    .run(run);

async function run(given: Given): Promise<number> {
  const { options, json, terminal } = given;
  const limit = Number(options.limit ?? 10);
  if (!Number.isInteger(limit) || limit < 1) throw new CommandError("--limit takes a whole number from 1.");
  const as = options.as;
  const bases = options.base;
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
}

const sightOf = (text: string): object => (/^mbr_/.test(text) ? { member: text } : { agent: text });
