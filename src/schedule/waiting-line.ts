/** Checks of one origin at a time: many targets may live behind one gateway, which should not feel it. */
const mostOfOrigin = 4;

interface OriginLine<T> {
  readonly waiting: T[];
  underWay: number;
}

/** Who waits for a place: first come, first served, but an origin that has its share already lets others pass. */
export class WaitingLine<T> {
  readonly #lines = new Map<string, OriginLine<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(origin: string, item: T): void {
    const line = this.#lines.get(origin) ?? { waiting: [], underWay: 0 };
    line.waiting.push(item);
    this.#lines.set(origin, line);
    this.#size += 1;
  }

  /** The next one that may begin, and what to call when it has ended; null where none may. */
  next(): { readonly item: T; readonly ended: () => void } | null {
    for (const [origin, line] of this.#lines) {
      if (line.underWay >= mostOfOrigin) continue;
      const item = line.waiting.shift();
      if (item === undefined) continue;
      line.underWay += 1;
      this.#size -= 1;
      // Behind the others: every origin has its turn.
      this.#lines.delete(origin);
      this.#lines.set(origin, line);
      const ended = (): void => {
        line.underWay -= 1;
        if (line.underWay === 0 && line.waiting.length === 0) this.#lines.delete(origin);
      };
      return { item, ended };
    }
    return null;
  }

  /** Nobody waits any more. */
  clear(): readonly T[] {
    const all = [...this.#lines.values()].flatMap(({ waiting }) => waiting.splice(0));
    this.#size = 0;
    return all;
  }
}
