/** Up to so many names are searched one by one: for these a set costs more to make than it saves. */
const few = 16;

/** The member names of the objects that are open while a text is scanned, the innermost last. */
export class OpenNames {
  readonly #names: string[] = [];
  /** Where the names of each open object begin. */
  readonly #starts: number[] = [];
  /** Of each open object, all its names where they are more than a few. */
  readonly #many: (Set<string> | null)[] = [];
  #level = -1;
  #count = 0;

  open(): void {
    this.#level += 1;
    this.#starts[this.#level] = this.#count;
  }

  close(): void {
    this.#count = this.#starts[this.#level] ?? 0;
    this.#many[this.#level] = null;
    this.#level -= 1;
  }

  /** Adds a name to the innermost object; false where it has that name already. */
  add(name: string): boolean {
    const start = this.#starts[this.#level] ?? 0;
    const many = this.#many[this.#level] ?? this.#manyFrom(start);
    if (many !== null) {
      if (many.has(name)) return false;
      many.add(name);
      return true;
    }
    for (let at = start; at < this.#count; at += 1) if (this.#names[at] === name) return false;
    this.#names[this.#count] = name;
    this.#count += 1;
    return true;
  }

  #manyFrom(start: number): Set<string> | null {
    if (this.#count - start < few) return null;
    const many = new Set(this.#names.slice(start, this.#count));
    this.#many[this.#level] = many;
    return many;
  }
}
