import type { ExitCode } from '../exit-codes.ts';
export async function runDoctor(..._args: readonly unknown[]): Promise<ExitCode> { return 3; }
