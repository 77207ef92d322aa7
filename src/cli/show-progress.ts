import type { RunProgress } from '../run/run-world.ts';
import { silentProgress } from '../run/run-world.ts';
import { renderForTerminal } from '../text/render-terminal.ts';
import type { CliWorld } from './cli-world.ts';

/**
 * Progress on stderr: on a terminal one line that is rewritten, elsewhere (CI) a plain line when a target is done.
 */
export function showProgress(total: number, quiet: boolean, world: CliWorld): RunProgress {
  if (quiet) return silentProgress;
  const running = new Set<string>();
  let done = 0;
  const rewrite = (): void => {
    const names = [...running].slice(0, 3).map(renderForTerminal).join(', ');
    const more = running.size > 3 ? ` and ${running.size - 3} more` : '';
    world.writeErr(`\r\u001b[K${running.size === 0 ? '' : `${done}/${total} judged; looking at ${names}${more}`}`);
  };
  const plain = (line: string): void => world.writeErr(`${line}\n`);
  const terminal = world.errIsTerminal;
  return {
    started: (target) => {
      running.add(target);
      if (terminal) rewrite();
    },
    secondLook: (target) => {
      if (!terminal) plain(`${renderForTerminal(target)}: something differs, taking a second look`);
    },
    ended: (target, state) => {
      running.delete(target);
      done += 1;
      if (terminal) rewrite();
      else plain(`${renderForTerminal(target)}: ${state} (${done}/${total})`);
    },
  };
}
