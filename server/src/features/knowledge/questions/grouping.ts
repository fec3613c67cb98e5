export interface AskedQuestion {
  readonly id: string;
  readonly query: string;
  /** In the base's language. */
  readonly stems: readonly string[];
  readonly at: number;
}

export interface QuestionGroup<Q extends AskedQuestion> {
  /** The wording used most; of equals the latest. */
  readonly question: string;
  /** Newest first. */
  readonly asked: readonly Q[];
}

/** How much two questions share to be one: of their stems (Jaccard), or of their trigrams (Dice), which forgives typing errors. */
const alike = { stems: 0.6, trigrams: 0.7 } as const;
const mostTrigrams = 300;

interface Wording<Q> {
  readonly key: string;
  readonly stems: ReadonlySet<string>;
  readonly trigrams: ReadonlySet<string>;
  readonly asked: Q[];
}

/** By equal stems, then each wording with the most frequent similar one. Independent of the order given; most asked first. */
export function groupQuestions<Q extends AskedQuestion>(questions: readonly Q[]): QuestionGroup<Q>[] {
  const leaders = new Leaders<Q>();
  for (const wording of wordingsOf(questions)) {
    const leader = leaders.like(wording);
    if (leader) leader.asked.push(...wording.asked);
    else leaders.add(wording);
  }
  return leaders.all
    .map(({ asked }) => ({ question: usualText(asked), asked: asked.sort(newestFirst) }))
    .sort((a, b) => b.asked.length - a.asked.length || newestFirst(a.asked[0] as Q, b.asked[0] as Q));
}

export function groupOf<Q extends AskedQuestion>(
  groups: readonly QuestionGroup<Q>[],
): (question: AskedQuestion) => QuestionGroup<Q> | undefined {
  const leaders = new Leaders<AskedQuestion>();
  const byQuestion = new Map<AskedQuestion, QuestionGroup<Q>>();
  for (const group of groups)
    for (const { stems, key, trigrams, asked } of wordingsOf(group.asked)) {
      const [first] = asked as [Q];
      byQuestion.set(first, group);
      leaders.add({ key, stems, trigrams, asked: [first] });
    }
  return (question) => {
    const [wording] = wordingsOf([question]);
    const leader = wording && leaders.like(wording);
    return leader && byQuestion.get(leader.asked[0] as AskedQuestion);
  };
}

class Leaders<Q> {
  readonly all: Wording<Q>[] = [];
  /** Indexes into `all`. */
  readonly #byPart = new Map<string, number[]>();

  add(wording: Wording<Q>): void {
    const index = this.all.push(wording) - 1;
    for (const part of partsOf(wording)) {
      const known = this.#byPart.get(part);
      if (known) known.push(index);
      else this.#byPart.set(part, [index]);
    }
  }

  like(wording: Wording<unknown>): Wording<Q> | undefined {
    const near = new Set<number>();
    for (const part of partsOf(wording)) for (const index of this.#byPart.get(part) ?? []) near.add(index);
    const inOrder = [...near].sort((a, b) => a - b).map((index) => this.all[index] as Wording<Q>);
    return inOrder.find((one) => isLike(one, wording));
  }
}

function isLike(a: Wording<unknown>, b: Wording<unknown>): boolean {
  if (a.key === b.key) return true;
  const stems = sharedOf(a.stems, b.stems);
  if (stems / (a.stems.size + b.stems.size - stems) >= alike.stems) return true;
  return (2 * sharedOf(a.trigrams, b.trigrams)) / (a.trigrams.size + b.trigrams.size) >= alike.trigrams;
}

function wordingsOf<Q extends AskedQuestion>(questions: readonly Q[]): Wording<Q>[] {
  const wordings = Map.groupBy(questions, keyOf);
  return [...wordings]
    .map(([key, asked]) => ({ key, asked, stems: new Set(key.split(" ")), trigrams: trigramsOf(key) }))
    .sort((a, b) => b.asked.length - a.asked.length || (a.key < b.key ? -1 : 1));
}

/** Without stems, as of stop words alone, the words themselves. */
function keyOf({ stems, query }: AskedQuestion): string {
  const words = stems.length > 0 ? stems : (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [query]);
  return [...new Set(words)].sort().join(" ");
}

function trigramsOf(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const word of text.split(" ")) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length && found.size < mostTrigrams; at++) found.add(padded.slice(at, at + 3));
  }
  return found;
}

function* partsOf({ stems, trigrams }: Wording<unknown>): Iterable<string> {
  yield* stems;
  for (const trigram of trigrams) yield `~${trigram}`;
}

function sharedOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const one of a) if (b.has(one)) count++;
  return count;
}

const newestFirst = (a: AskedQuestion, b: AskedQuestion): number => b.at - a.at || (a.id < b.id ? 1 : -1);

function usualText(asked: readonly AskedQuestion[]): string {
  const texts = [...Map.groupBy(asked, ({ query }) => query.trim())];
  const [first] = texts.sort(([a, x], [b, y]) => y.length - x.length || latest(y) - latest(x) || (a < b ? -1 : 1)) as [
    [string, unknown],
  ];
  return first[0];
}

const latest = (asked: readonly AskedQuestion[]): number => Math.max(...asked.map(({ at }) => at));
