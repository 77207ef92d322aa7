import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, runCli } from '../helpers/run-cli.ts';
import { healthy, servedTool, startScriptedServer } from '../helpers/scripted-server.ts';

const readme = readFileSync(path.join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');

const tool = (isChanged: boolean) =>
  servedTool('domains_check_availability', {
    description: 'Tells whether domains can be registered.',
    inputSchema: {
      type: 'object',
      properties: {
        domains: { type: 'string' },
        ...(isChanged ? { currency: { type: 'string', enum: ['USD', 'EUR'] } } : {}),
      },
      required: isChanged ? ['domains', 'currency'] : ['domains'],
    },
  });
const answer = (text: string, isError = false) => ({ content: [{ type: 'text', text }], isError });

it('the sample alert of the README is what the product writes, but for what is marked as left out', async () => {
  const server = await startScriptedServer(healthy([tool(false)], () => answer('google.com is taken')));
  try {
    const target = {
      registrar: 'GoDaddy',
      transport: 'streamable-http',
      url: server.url,
      revision: '2025-06-18',
      confirm: { looks: 2, delayMs: 20 },
      tools: { domains_check_availability: { calls: { taken: { arguments: { domains: 'google.com' } } } } },
    };
    const folder = await makeFolder({ formatVersion: 1, targets: { godaddy: target } });
    await runCli(['record'], { cwd: folder });
    server.use(
      healthy([tool(true)], (_, args) =>
        args.currency === undefined ? answer('currency is required', true) : answer('google.com is taken'),
      ),
    );
    await runCli(['check', '--reporter', 'json=report.json'], { cwd: folder });
    const { stdout } = await runCli(['alert', '--report', 'report.json', '--sink', 'json'], { cwd: folder });
    const [alert, ...others] = (JSON.parse(stdout) as { alerts: { title: string; body: string }[] }).alerts;
    expect(others).toEqual([]);
    const written = `${alert?.title}\n\n${alert?.body}`;
    const [, sample = ''] = /\n~~~markdown\n(.*?)\n~~~\n/s.exec(readme) ?? [];
    const parts = sample.split(/\n\[…\](?:\n|$)/).filter((part) => part !== '');
    expect(parts.length).toBeGreaterThan(1);
    const places = parts.map((part) => written.indexOf(part.trim()));
    expect(
      places.every((place) => place >= 0),
      `${written}\n${places}`,
    ).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
  } finally {
    await server.close();
  }
});
