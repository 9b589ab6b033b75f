import type { Experiment, ExperimentOracle, ExperimentStep } from '@sortie/contract';
import { judgeComputed, shows } from '../../oracle/computed.ts';
import { isDelayed, judgeDelays } from '../../oracle/timing.ts';
import { areAlike, judgeTwoSided } from '../../oracle/two-sided.ts';
import type { Nonce, Observation, Verdict } from '../experiment.ts';
import { addedSide } from './added-to-input.ts';
import { delaysOf, LONGEST_DELAY } from './delays.ts';
import { isSleeping } from './expressions.ts';
import { carries, type Judged, judged, MISSING, type Observed, statusOf } from './judge-answers.ts';
import { numberOf } from './placeholders.ts';
import { valuesIn } from './write-step.ts';

type InputOracle = Extract<ExperimentOracle, { kind: 'computed' | 'condition' | 'callback' | 'script' | 'timing' }>;
type Of<Kind extends InputOracle['kind']> = Extract<InputOracle, { kind: Kind }>;
type Steps = Pick<Experiment, 'steps'>;

/** Judges whether an interpreter processes the input, beyond what the target does with any input. */
export function judgeInput({ steps }: Steps, oracle: InputOracle, observed: Observed, nonce: Nonce): Judged {
  const stepOf = (key: string) => steps.find((step) => step.key === key);
  if (oracle.kind === 'computed') return computed(oracle, observed, nonce);
  if (oracle.kind === 'condition') return condition(oracle, observed);
  if (oracle.kind === 'timing') return timing(oracle, stepOf(oracle.delays[0] ?? ''), { observed, nonce });
  const [attacked, control] = [observed.get(oracle.attack), observed.get(oracle.control)];
  if (!attacked || !control) return MISSING;
  return oracle.kind === 'callback' ? callback(attacked) : script(attacked, stepOf(oracle.attack), nonce);
}

const told = (verdict: Verdict, expected: string) =>
  judged(verdict, verdict === 'PROVED' ? `As expected: ${expected}.` : `Expected ${expected}: this was not seen.`);

/** A target may multiply on purpose: only one that evaluates another formula, and no plain one, evaluates code. */
function computed({ attack, control }: Of<'computed'>, observed: Observed, nonce: Nonce): Judged {
  const [attacked, other] = [observed.get(attack), observed.get(control)];
  if (!attacked || !other) return MISSING;
  const number = (index: number) => numberOf(nonce, index);
  const product = String(number(1) * number(2));
  const base = told(judgeComputed([[attacked, product]], [other]), 'the product in the response to attack alone');
  if (base.verdict !== 'PROVED') return base;
  if ([...observed.values()].some((each) => carries(each, product)))
    return judged('REFUTED', 'A request contains the product, so that the target may only repeat it.');
  const [again, bare] = [observed.get('added_again'), observed.get('added_bare')];
  if (!again || !bare) return judged('LIKELY', 'Only a product written as {{number}}*{{number2}} can be confirmed.');
  if (shows(bare, String(number(6) * number(7))))
    return judged('LIKELY', 'The target computes plain formulas as well, as a calculator does.');
  if (shows(again, String(number(3) * number(4) - number(5)))) return base;
  const isAlike = statusOf(again) === statusOf(attacked);
  return judged(isAlike ? 'REFUTED' : 'LIKELY', 'Another formula at the same place was not evaluated.');
}

/** Only an interpreter keeps true and false apart whatever is compared, and only as a part of what it evaluates. */
function condition({ trues, falses, plain }: Of<'condition'>, observed: Observed): Judged {
  const all = (keys: readonly string[]) => keys.flatMap((key) => observed.get(key) ?? []);
  const usual = observed.get(plain);
  if (!usual) return MISSING;
  const judge = (true_: readonly string[], false_: readonly string[]) =>
    judgeTwoSided({
      trues: all([...trues, ...true_]),
      falses: all([...falses, ...false_]),
      harmless: [usual],
    });
  const base = told(judge([], []), 'the responses to depend on the condition');
  if (base.verdict !== 'PROVED') return base;
  const [aloneTrue, aloneFalse] = all(['added_alone_true', 'added_alone_false']);
  if (!aloneTrue || !aloneFalse)
    return judged('LIKELY', 'Only a comparison written as {{number}}={{number}} can be confirmed.');
  if (!areAlike(aloneTrue, aloneFalse))
    return judged('LIKELY', 'The target compares on purpose: it answers the comparison alone as well.');
  if (judge(['added_true_equal'], ['added_false_equal']) !== 'PROVED')
    return judged('REFUTED', 'With other numbers, the responses did not depend on the condition.');
  if (judge(addedSide('true'), addedSide('false')) !== 'PROVED')
    return judged('LIKELY', 'The responses depend on equal numbers, but not on greater and smaller ones.');
  const sides = all([trues[0] ?? '', falses[0] ?? '']);
  if (!sides.some((each) => areAlike(usual, each)))
    return judged('LIKELY', 'The usual value is answered unlike true and false conditions.');
  return base;
}

function timing(
  { delays }: Of<'timing'>,
  step: ExperimentStep | undefined,
  { observed, nonce }: { observed: Observed; nonce: Nonce },
): Judged {
  const timed = delaysOf(nonce).flatMap((seconds, index): [number, Observation][] => {
    const observation = observed.get(delays[index] ?? '');
    return observation ? [[seconds, observation]] : [];
  });
  if (timed.length < delays.length) return MISSING;
  const base = told(judgeDelays(timed), 'the responses to take as long as asked');
  if (base.verdict !== 'PROVED') return base;
  const controls = ['added_scrambled', 'added_number'].flatMap((key) => observed.get(key) ?? []);
  if (controls.length < 2) return MISSING;
  if (controls.some((each) => isDelayed(each, LONGEST_DELAY / 2)))
    return judged('REFUTED', 'The target waits for a number in words without a meaning as well.');
  if (!step || !valuesIn(step).some(isSleeping))
    return judged(
      'LIKELY',
      'Only a call that makes an interpreter wait can be confirmed: targets may wait on purpose.',
    );
  return base;
}

/** Nothing that the target shows tells whether it is meant to contact the address, as for previews and web hooks. */
function callback({ heard = [] }: Observation): Judged {
  if (!heard.some(({ kind }) => kind === 'http')) return told('REFUTED', 'a request of the target to {{callback}}');
  return judged('LIKELY', 'The target contacted {{callback}}, which it may be meant to do.');
}

function script({ calls }: Observation, step: ExperimentStep | undefined, { word }: Nonce): Judged {
  if (!calls) return judged('VOID', 'No browser could open the page.');
  const base = told(calls.includes(word) ? 'PROVED' : 'REFUTED', 'a script of the page to run');
  const isLink = step?.method === 'GET' && Object.keys(step.headers ?? {}).length === 0;
  if (base.verdict !== 'PROVED' || isLink) return base;
  return judged('LIKELY', 'A link cannot make a browser send this request: the script may run for its sender only.');
}
