import type { Finding } from '../findings/finding.ts';
import type { Report, TargetReport } from '../findings/report.ts';
import type { RunBook, UntoldRun } from '../history/history.ts';

interface OpenRun {
  readonly facts: Omit<UntoldRun, 'targets'>;
  readonly targets: Map<string, TargetReport>;
}

/** The book of a schedule without a history: what nobody was told of yet, until this process ends. */
export function createMemoryBook(lastSlots: ReadonlyMap<string, string> = new Map()): RunBook {
  const slots = new Map(lastSlots);
  const runs = new Map<string, OpenRun>();
  const canary = new Map<string, readonly Finding[]>();
  const memories = new Map<string, string>();

  const keepPart = (report: Report, slot: string): number => {
    const run = runs.get(report.run) ?? {
      facts: { run: report.run, slot, startedAt: report.startedAt, finishedAt: report.finishedAt },
      targets: new Map<string, TargetReport>(),
    };
    let count = 0;
    for (const target of report.targets) {
      if (slots.get(target.target) === slot) continue;
      slots.set(target.target, slot);
      run.targets.set(target.target, target);
      canary.set(target.target, report.canary);
      count += 1;
    }
    const finishedAt = [report.finishedAt, run.facts.finishedAt].sort().at(-1) ?? report.finishedAt;
    runs.set(report.run, { ...run, facts: { ...run.facts, finishedAt } });
    return count;
  };
  return {
    keep: async (report, slot) => (slot === undefined ? 0 : keepPart(report, slot)),
    lastSlots: async () => new Map(slots),
    lastSlot: async (target) => slots.get(target) ?? null,
    untoldRuns: async () =>
      [...runs.values()]
        .map(({ facts, targets }) => ({ ...facts, targets: targets.size }))
        .sort((a, b) => (a.slot < b.slot ? -1 : 1)),
    untold: async (run, most) => [...(runs.get(run)?.targets.values() ?? [])].slice(0, most),
    markTold: async (run, targets) => {
      for (const target of targets) runs.get(run)?.targets.delete(target);
      if (runs.get(run)?.targets.size === 0) runs.delete(run);
    },
    canaryNow: async () => [...canary.values()].flat(),
    readMemory: async (name) => memories.get(name) ?? null,
    writeMemory: async (name, text) => {
      memories.set(name, text);
    },
  };
}
