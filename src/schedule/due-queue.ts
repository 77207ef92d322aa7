interface Waiting {
  readonly at: number;
  readonly target: string;
}

/** Targets by the moment at which they fall due, the first one in front: a binary heap. */
export class DueQueue {
  readonly #heap: Waiting[] = [];

  first(): Waiting | undefined {
    return this.#heap[0];
  }

  push(target: string, at: number): void {
    const heap = this.#heap;
    let place = heap.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#at(parent) <= at) break;
      heap[place] = heap[parent] as Waiting; // a parent is there
      place = parent;
    }
    heap[place] = { target, at };
  }

  /** Takes the first one away. */
  shift(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const child = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(child) >= last.at) break;
      heap[place] = heap[child] as Waiting; // beyond the end is Infinity, which is never less
      place = child;
    }
    heap[place] = last;
  }

  #at(place: number): number {
    return this.#heap[place]?.at ?? Number.POSITIVE_INFINITY;
  }
}
