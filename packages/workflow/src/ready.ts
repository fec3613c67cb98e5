/** Steps to look at, the first of the file first, each at most once: a binary heap of their places in the file. */
export class Ready {
  readonly #heap: number[] = [];
  readonly #waiting = new Set<number>();

  add(place: number): void {
    if (this.#waiting.has(place)) return;
    this.#waiting.add(place);
    let at = this.#heap.push(place) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#at(above) <= place) break;
      this.#heap[at] = this.#at(above);
      at = above;
    }
    this.#heap[at] = place;
  }

  next(): number | undefined {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (first === undefined || last === undefined) return undefined;
    this.#waiting.delete(first);
    if (this.#heap.length > 0) this.#sink(last);
    return first;
  }

  #at(at: number): number {
    return this.#heap[at] as number;
  }

  #sink(place: number): void {
    let at = 0;
    for (let below = 1; below < this.#heap.length; below = 2 * at + 1) {
      const smaller = below + 1 < this.#heap.length && this.#at(below + 1) < this.#at(below) ? below + 1 : below;
      if (this.#at(smaller) >= place) break;
      this.#heap[at] = this.#at(smaller);
      at = smaller;
    }
    this.#heap[at] = place;
  }
}
