import type { ExitCode } from '../exit-codes.ts';
export async function runDemo(..._args: readonly unknown[]): Promise<ExitCode> { return 3; }
