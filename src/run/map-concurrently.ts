/** Runs `work` over the items, at most `most` at a time; the answers keep the order of the items. */
export async function mapConcurrently<Item, Answer>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers = new Map<number, Answer>();
  const entries = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) answers.set(index, await work(item));
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return items.map((_, index) => answers.get(index) as Answer); // every index was set by a worker
}
