import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadReporter } from '../../src/report/reporters.ts';
import { renderForTerminal } from '../../src/text/render-terminal.ts';
import { hostileTexts } from '../alert/hostile-texts.ts';
import { hostileReport } from '../helpers/hostile-report.ts';

const hasTmux = spawnSync('tmux', ['-V']).error === undefined;

interface Shown {
  readonly text: string;
  /** The same with the escapes that give it its colours. */
  readonly painted: string;
  readonly title: string;
  /** The bell rang, or the terminal was switched to its other screen. */
  readonly disturbed: string;
}

/** What a terminal emulator shows after a text was printed to it, the lines it had to break put together again. */
async function showInTerminal(text: string): Promise<Shown> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-terminal-'));
  const at = (name: string): string => path.join(folder, name);
  await writeFile(at('text'), text);
  await writeFile(at('tmux.conf'), 'set -g history-limit 400000\nset -g allow-rename on\nset -g monitor-bell on\n');
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-u', '-S', at('socket'), '-f', at('tmux.conf'), ...args], {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', TERM: 'xterm-256color' },
    });
  try {
    // Two windows: a bell is kept for the one that is not looked at.
    tmux('new-session', '-d', '-x', '200', '-y', '50', '-n', 'other', 'exec cat');
    tmux('new-window', '-d', '-n', 'printed', '-c', folder, `cat text; printf '\\nTHE END\\n'; exec cat`);
    while (!tmux('capture-pane', '-p', '-t', ':printed').includes('THE END')) spawnSync('true');
    const capture = (...more: readonly string[]): string =>
      tmux('capture-pane', '-p', '-J', '-S', '-', ...more, '-t', ':printed');
    return {
      text: capture(),
      painted: capture('-e'),
      title: tmux('display-message', '-p', '-t', ':printed', '#{pane_title}').trim(),
      disturbed: tmux(
        'display-message',
        '-p',
        '-t',
        ':printed',
        '#{window_bell_flag}#{alternate_on}#{mouse_any_flag}',
      ).trim(),
    };
  } finally {
    spawnSync('tmux', ['-S', at('socket'), 'kill-server']);
  }
}

const ours = /\u001b\[[0-9;]*m/g;
const lines = (text: string): readonly string[] =>
  text
    .replace(ours, '')
    .split('\n')
    .map((line) => line.trimEnd());
const upToEnd = (shown: string): readonly string[] => {
  const all = lines(shown);
  return all.slice(0, all.lastIndexOf('THE END'));
};

// tmux comes from the distribution (`.ci/run` installs it); without it these are skipped.
describe.skipIf(!hasTmux)('a terminal emulator', () => {
  it.each([
    ['without colours', false],
    ['with our colours', true],
  ])('shows a report of three hundred hostile texts as it was written, %s', async (_, color) => {
    const render = await loadReporter('console');
    const text = hostileTexts.map((hostile) => render(hostileReport(hostile), { color })).join('');
    const shown = await showInTerminal(text);
    expect(upToEnd(shown.text).join('\n').trimEnd()).toBe(lines(text).join('\n').trimEnd());
    expect(shown.disturbed).toBe('000');
    expect(shown.title).not.toMatch(/title|owned/);
    if (!color) expect(shown.painted.match(ours) ?? []).toEqual([]);
  });

  it('shows messages with hostile texts in them line by line', async () => {
    const text = hostileTexts.map((hostile) => `${renderForTerminal(hostile)}\n`).join('');
    const shown = await showInTerminal(text);
    expect(upToEnd(shown.text).join('\n').trimEnd()).toBe(lines(text).join('\n').trimEnd());
    expect(shown.disturbed).toBe('000');
  });

  it('does act on what is printed raw, so that the silence above means something', async () => {
    const shown = await showInTerminal('gone\rkept\u001b]2;owned\u0007\u0007 \u001b[31mred\n');
    expect(shown.text).not.toContain('gone');
    expect(shown.painted).toMatch(ours);
    expect(shown.title).toBe('owned');
    expect(shown.disturbed).not.toBe('000');
  });
});
