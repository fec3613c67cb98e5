/** A page of a list, as the service answers it. */
interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}

/** Pages that are read at most: 1000 items, which is what a skill may take in steps. */
const most = 10;

/** A list as one page, read page after page from its beginning. Its `has_more` is that of the last page: whether there is still more. */
export async function wholeOf<P extends Page>(page: (from: { cursor?: string }) => Promise<P>): Promise<P> {
  let last = await page({});
  const data = [...last.data];
  for (let pages = 1; pages < most && last.next_cursor !== null; pages++) {
    last = await page({ cursor: last.next_cursor });
    data.push(...last.data);
  }
  return { ...last, data };
}
