import type { ProbeAnswer } from '../recording/probes.ts';
import type { Circumstances, Verdict } from './probe.ts';

/** The words in which verdicts are written: conditions on an answer, and what follows from them. */
type Condition = Verdict['when'];

export const status =
  (...wanted: readonly number[]): Condition =>
  (answer) =>
    answer.status !== null && wanted.includes(answer.status);

export const isSuccess: Condition = ({ status: code }) => code !== null && code >= 200 && code < 300;
export const isRefusal: Condition = ({ status: code }) => code !== null && code >= 400 && code < 500;

export const body =
  (...wanted: readonly ProbeAnswer['body'][]): Condition =>
  (answer) =>
    wanted.includes(answer.body);

/** A JSON-RPC error of this code. */
export const error =
  (code: number): Condition =>
  (answer) =>
    answer.body === 'error' && Number(answer.code) === code;

export const fact =
  (word: string): Condition =>
  (answer) =>
    answer.facts.includes(word);

export const hasNoFacts: Condition = (answer) => answer.facts.length === 0;

export const both =
  (...conditions: readonly Condition[]): Condition =>
  (answer, circumstances) =>
    conditions.every((condition) => condition(answer, circumstances));

export const either =
  (...conditions: readonly Condition[]): Condition =>
  (answer, circumstances) =>
    conditions.some((condition) => condition(answer, circumstances));

export const not =
  (condition: Condition): Condition =>
  (answer, circumstances) =>
    !condition(answer, circumstances);

/** A condition on the server rather than on the answer. */
export const where =
  (holds: (circumstances: Circumstances) => boolean): Condition =>
  (_, circumstances) =>
    holds(circumstances);

export const isStateless = where(({ era }) => era === 'stateless');
export const isHandshake = where(({ era }) => era === 'handshake');
/** The error could be matched with its request. */
export const echoesId = not(either(fact('id-null'), fact('id-absent'), fact('id-other')));
/** The error of a request whose id could not be read (JSON-RPC 2.0, section 5; the schema of 2025-11-25 leaves it out). */
export const hasNoId = either(fact('id-null'), fact('id-absent'));

const verdict =
  (then: Verdict['then']) =>
  (when: Condition, because?: string): Verdict => ({ when, then, ...(because === undefined ? {} : { because }) });

export const conforms = verdict('conforms');
export const departs = verdict('departs');
export const departsMildly = verdict('departs-mildly');
export const open = verdict('open');
