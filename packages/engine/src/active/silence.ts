import type { Exchange } from '../http/exchange/exchange.ts';
import { isSameInOrder, toAnswer } from '../oracle/compare.ts';
import { redirectOf } from '../oracle/redirect-of.ts';
import type { Asking, Point } from './define-active-check.ts';
import { requestWith } from './insertion-point.ts';
import type { Meaning, Triage } from './triage-result.ts';

/** Values of a run that are looked at although other values of theirs get no response: each look waits for timeouts. */
const MOST_SILENT = 3;
const QUOTA = 'silent-values';

/** Spellings that an interpreter reads as the value itself; the likely ones only, as each wrong one is a timeout. */
const WAYS: readonly (readonly [Meaning, (value: string) => string, isForText: boolean])[] = [
  ['folder', (value) => value.replace(/(?=[^/]*$)/, './'), true],
  ['sqlText', (value) => `${value}'||'`, true],
  ['expression', (value) => `(${value})`, false],
];
const isNumber = (value: string) => /^-?\d+(?:\.\d+)?$/.test(value);

interface Looked extends Pick<Asking, 'ask'> {
  memory: Asking['memory'] | undefined;
  value: string;
  base: Exchange;
}

const isSilent = ({ response, failure }: Exchange) => response === null && failure?.code === 'TIMEOUT';

export function outcomeOf(exchange: Exchange): Triage['outcome'] {
  if (redirectOf(exchange) !== '') return 'redirect';
  return (exchange.response?.status ?? 500) < 300 ? 'page' : 'refusal';
}

/** Some handlers answer nothing at all after an error: only the original value gets a response. */
export const areSilent = (...others: readonly Exchange[]) => others.every(isSilent);

/**
 * Tells silence from a slow target: between unanswered values, the original one is answered as before. Resolves to
 * undefined if it is not, or if the run has looked at enough such values.
 */
export async function lookBehindSilence(
  point: Point,
  { value, base, ask, memory }: Looked,
): Promise<Triage | undefined> {
  const usual = toAnswer(base, [value]);
  const isAsBefore = async () => {
    const again = toAnswer(await ask(requestWith(point, value)), [value]);
    return usual !== undefined && again !== undefined && isSameInOrder(usual, again);
  };
  if (!memory || memory.countOf(QUOTA) >= MOST_SILENT || !(await isAsBefore())) return undefined;
  memory.count(QUOTA);
  const meanings = new Set<Meaning>();
  for (const [meaning, write] of WAYS.filter(([, , isForText]) => isForText !== isNumber(value))) {
    const spelled = toAnswer(await ask(requestWith(point, write(value))), [write(value), value]);
    if (usual && spelled && isSameInOrder(usual, spelled)) meanings.add(meaning);
    if (meanings.size > 0) break;
    // Without an answer between them, timeouts set the endpoint aside.
    if (!(await isAsBefore())) return undefined;
  }
  return {
    isStable: true,
    isReflected: false,
    isInHeader: false,
    isReactive: false,
    isRead: true,
    isBroken: false,
    outcome: outcomeOf(base),
    meanings,
  };
}
