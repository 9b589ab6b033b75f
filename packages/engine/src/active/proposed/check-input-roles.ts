import type { ExperimentOracle, ExperimentStep } from '@sortie/contract';
import { type Steps, sourceOf, uses } from './roles.ts';
import { differencesOf, partsOf, placeholdersOf, valuesIn } from './write-step.ts';

type Oracle<Kind extends ExperimentOracle['kind']> = Extract<ExperimentOracle, { kind: Kind }>;

/** Returns why the steps do not play their roles in a proof that an interpreter processes input. */
export function checkInputRoles(
  oracle: Exclude<ExperimentOracle, { kind: 'canary' | 'forbidden' | 'difference' | 'state' }>,
  steps: Steps,
): string | undefined {
  if (oracle.kind === 'observe') return undefined;
  if (oracle.kind === 'condition') return condition(oracle, steps);
  if (oracle.kind === 'timing') return timing(oracle, steps);
  if (oracle.kind === 'computed') return computed(oracle, steps);
  const [attacked, control] = [steps.get(oracle.attack), steps.get(oracle.control)];
  const name = oracle.kind;
  if (!uses(attacked, name)) return `attack must have {{${name}}}.`;
  return uses(control, name) ? `control must not have {{${name}}}.` : undefined;
}

/** Returns the names of the parts that have the text. */
const partsWith = (step: ExperimentStep, ...texts: string[]) =>
  [...partsOf(step)].filter(([, text]) => texts.every((each) => text.includes(each))).map(([name]) => name);

function computed({ attack, control }: Oracle<'computed'>, steps: Steps): string | undefined {
  const [attacked, other] = [steps.get(attack), steps.get(control)];
  const [place] = partsWith(attacked, '{{number}}', '{{number2}}');
  if (place === undefined) return 'One value of attack must contain both {{number}} and {{number2}}.';
  const numbered = steps.all.filter((step) => uses(step, 'number') || uses(step, 'number2'));
  if (numbered.some((step) => step !== attacked && step !== other))
    return 'Only attack and control may have the numbers: elsewhere, the target could compute with them on purpose.';
  if (placeholdersOf(attacked).some((each) => sourceOf(each) === control))
    return 'attack must have no value of the response to control.';
  if (other.as !== attacked.as) return 'control must be sent by the account of attack.';
  const changed = differencesOf(attacked, other);
  const isControl = uses(other, 'number') && uses(other, 'number2') && changed.length === 1 && changed[0] === place;
  return isControl
    ? undefined
    : 'control must differ from attack only in the value with the numbers, and contain both numbers as well.';
}

/** Returns what a step sends and as whom, to compare steps that must send the same. */
const sentBy = (step: ExperimentStep) => JSON.stringify([step.as, ...partsOf(step)]);

function condition({ trues, falses, plain }: Oracle<'condition'>, steps: Steps): string | undefined {
  const [first] = trues.map(steps.get);
  if (!first) return 'There is no true condition.';
  const truth = sentBy(first);
  const isTrue = (key: string) => sentBy(steps.get(key)) === truth;
  const isFalse = (key: string) => {
    const sent = sentBy(steps.get(key));
    return sent !== truth && sent.replaceAll('{{number2}}', '{{number}}') === truth;
  };
  if (!truth.includes('{{number}}') || truth.includes('{{number2}}')) {
    return 'True conditions compare {{number}} with {{number}}, false ones with {{number2}}.';
  }
  const [place, ...others] = partsWith(first, '{{number}}');
  if (place === undefined || others.length > 0)
    return 'The comparison must be in one value: two fields may be compared on purpose, as those of a new password are.';
  if (!trues.every(isTrue) || !falses.every(isFalse))
    return 'Requests may differ in {{number2}} instead of {{number}} only.';
  const usual = steps.get(plain);
  const changed = differencesOf(first, usual);
  if (uses(usual, 'number') || uses(usual, 'number2')) return 'plain must have no payload.';
  return usual.as === first.as && changed.length === 1 && changed[0] === place
    ? undefined
    : 'plain must be the request of the conditions, with a usual value in place of the payload.';
}

function timing({ delays }: Oracle<'timing'>, steps: Steps): string | undefined {
  const [first, ...others] = delays.map(steps.get);
  if (!first || new Set(delays).size < 6 || !uses(first, 'delay')) return 'The six steps must have {{delay}}.';
  if (others.some((step) => sentBy(step) !== sentBy(first))) return 'The six requests must be the same.';
  if (valuesIn(first).filter((text) => text.includes('{{delay}}')).length !== 1)
    return '{{delay}} must be in one value.';
  const positions = delays.map(steps.at);
  const isTogether = Math.max(...positions) - Math.min(...positions) === delays.length - 1;
  return isTogether ? undefined : 'No other step may be between the six: it could keep the target busy.';
}
