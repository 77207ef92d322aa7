// A consumer's own tests, against what the registrar was recorded to answer instead of a mock that somebody made up.
// Whenever the recording changes, because a drift was accepted, these tests run against the new answers.
//
//   npm install --save-dev mcp-canary msw vitest
import path from 'node:path';
import { handlersFor } from 'mcp-canary/msw';
import { HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { isAvailable, Unavailable } from './availability.mjs';

const url = 'https://api.godaddy.com/v1/domains/mcp';
const recording = path.join(import.meta.dirname, '..', '..', '..', 'recordings', 'godaddy');
const server = setupServer(...(await handlersFor(recording, { url })));

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

it('reads the recorded answer', async () => {
  expect(await isAvailable('google.com', url)).toBe(false);
});

it('is told what is recorded where it asks for something else', async () => {
  await expect(isAvailable('example.com', url)).rejects.toThrow('Recorded are: "domains_check_availability"');
});

it('reads an answer made up for one test', async () => {
  const free = { result: { structuredContent: { isAvailable: true } } };
  server.use(...(await handlersFor(recording, { url, calls: { domains_check_availability: () => free } })));
  expect(await isAvailable('example.com', url)).toBe(true);
});

it('says so when the registrar is down, or answers something new', async () => {
  const down = { response: new HttpResponse('Try again later.', { status: 503 }) };
  const changed = { result: { structuredContent: { available: 'no' } } };
  for (const answer of [down, changed]) {
    server.use(...(await handlersFor(recording, { url, calls: { domains_check_availability: { taken: answer } } })));
    await expect(isAvailable('google.com', url)).rejects.toThrow(Unavailable);
  }
});
