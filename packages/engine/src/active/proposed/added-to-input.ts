import type { ExperimentStep } from '@sortie/contract';
import { ADDED, added } from './added-step.ts';
import { COMPARISON, compared, PRODUCT, scrambled, withoutDelimiters } from './expressions.ts';
import { valuesIn } from './write-step.ts';

const PRODUCT_AGAIN = '{{number3}}*{{number4}}-{{number5}}';

/** Another formula with fresh numbers, and the expression without the characters that make an interpreter see it. */
export function addedToComputed(attack: ExperimentStep | undefined): ExperimentStep[] {
  if (!attack || !valuesIn(attack).some((text) => PRODUCT.test(text))) return [];
  return [
    added('again', 'another formula', attack, (text) => text.replace(PRODUCT, PRODUCT_AGAIN)),
    added('bare', 'the expression as plain text', attack, (text) =>
      PRODUCT.test(text) ? withoutDelimiters(text.replace(PRODUCT, '{{number6}}*{{number7}}')) : text,
    ),
  ];
}

/** True and false comparisons in turn, so that what changes with time or by chance does not fit them. */
const COMPARISONS: readonly [name: string, left: string, operator: string, right: string][] = [
  ['true_equal', 'number3', '=', 'number3'],
  ['false_equal', 'number3', '=', 'number4'],
  ['false_less', 'high1', '<', 'low1'],
  ['true_less', 'low1', '<', 'high1'],
  ['true_more', 'high2', '>', 'low2'],
  ['false_more', 'low2', '>', 'high2'],
  ['false_below', 'high3', '<', 'low3'],
  ['true_below', 'low3', '<', 'high3'],
];
/** Keys of the added requests whose comparison is true, or false. */
export const addedSide = (side: 'true' | 'false') =>
  COMPARISONS.filter(([name]) => name.startsWith(side)).map(([name]) => `${ADDED}${name}`);

/** Other comparisons with fresh numbers, and comparisons without anything around them. */
export function addedToCondition(isTrue: ExperimentStep | undefined): ExperimentStep[] {
  if (!isTrue || !valuesIn(isTrue).some((text) => COMPARISON.test(text))) return [];
  const written = COMPARISONS.map(([name, left, operator, right]) =>
    added(name, `${name.split('_')[0]} comparison`, isTrue, (text) => compared(text, left, operator, right)),
  );
  const alone = (name: string, comparison: string) =>
    added(name, 'the comparison alone', isTrue, (text) => (COMPARISON.test(text) ? comparison : text));
  return [...written, alone('alone_true', '{{number9}}={{number9}}'), alone('alone_false', '{{number9}}={{number10}}')];
}

/** The longest delay, in words that no interpreter knows and as a mere number. */
export function addedToTiming(delayed: ExperimentStep | undefined): ExperimentStep[] {
  if (!delayed) return [];
  const change = (name: string, label: string, write: (text: string) => string) =>
    added(name, label, delayed, (text) => (text.includes('{{delay}}') ? write(text) : text));
  return [
    change('scrambled', 'the delay in words without a meaning', scrambled),
    change('number', 'the delay as a mere number', () => '{{delay}}'),
  ];
}
