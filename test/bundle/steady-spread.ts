interface Node {
  readonly type: string;
  readonly start: number;
  readonly properties?: readonly Node[];
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string';

/** Where an object literal begins that spreads first and has more after that. */
function* spreadsIn(node: Node): Generator<number> {
  const { type, properties = [] } = node;
  const [first, second] = properties;
  if (type === 'ObjectExpression' && first?.type === 'SpreadElement' && second !== undefined) yield first.start;
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* spreadsIn(child);
}

/**
 * Spreads null in front of `{ ...a, b }`, which changes nothing but its cost. In Node 20, V8 copies `a` into a shape of
 * its own, and gives each property that is added a new shape, at each execution: that takes twenty times as long, and
 * whatever reads such objects has never seen their shapes before.
 */
function steadySpread(code: string, program: unknown): string {
  const places = isNode(program) ? [...spreadsIn(program)] : [];
  // From the end on, so that a place is still where it was.
  return places.sort((a, b) => b - a).reduce((text, at) => `${text.slice(0, at)}...null,${text.slice(at)}`, code);
}

interface Output {
  code?: string;
}

export const steadySpreads = {
  name: 'steady-spreads',
  // Here, the minifier has been at it, and drops it no more.
  generateBundle(this: { parse(code: string): unknown }, _options: unknown, bundle: Record<string, Output>) {
    // Declarations are among the chunks, too.
    for (const [name, output] of Object.entries(bundle)) {
      if (/\.[cm]?js$/.test(name) && output.code) output.code = steadySpread(output.code, this.parse(output.code));
    }
  },
};
