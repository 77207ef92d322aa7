import { describe, expect, it } from 'vitest';
import { corpus } from './corpus.ts';
import { faultOfBody, readCut, saysEmptyList, sessionOf } from './laws.ts';

describe('fifty bodies', () => {
  it('are fifty', () => expect(new Set(corpus.map((body) => body.name)).size).toBe(50));

  it.each(corpus)('$name: $gives', async ({ step, type, text, gives }) => {
    const body = {
      step,
      headers: type === null ? {} : { 'content-type': type },
      bytes: Buffer.from(text),
      breaks: false,
    };
    const whole = await sessionOf(body, []);
    const outcome = whole[step] as { readonly kind: string; readonly failure?: { readonly class: string } };
    expect(outcome.failure?.class ?? outcome.kind).toBe(gives);
    const read = await readCut(body, []);
    for (let at = 1; at < body.bytes.length; at += 1) expect(await readCut(body, [at]), `cut at ${at}`).toEqual(read);
    const everywhere = [...body.bytes.keys()].slice(1);
    expect(await readCut(body, everywhere)).toEqual(read);
    expect(await sessionOf(body, everywhere)).toEqual(whole);
  });
});

describe('mutated bodies', () => {
  it.each([
    ['{"result":{"tools":[]}}', true],
    ['data: {"result":{"\\u0074ools" :\r\ndata: [ ]}}', true],
    ['{"result":{"tools":[1]}}', false],
    ['{"result":{"Tools":[]}}', false],
  ])('%s says an empty list: %s', (text, says) => expect(saysEmptyList(Buffer.from(text))).toBe(says));

  it('neither crash nor hang, mean the same in whatever chunks, and are no empty list', async () => {
    for (let number = 0; number < 400; number += 1) expect(await faultOfBody(number)).toBeNull();
  });
});
