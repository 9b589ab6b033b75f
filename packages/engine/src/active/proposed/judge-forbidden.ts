import type { Experiment, ExperimentOracle } from '@sortie/contract';
import type { Nonce } from '../experiment.ts';
import {
  carriesPartOf,
  has,
  isAccepted,
  isDenied,
  type Judged,
  judged,
  MISSING,
  type Observed,
} from './judge-answers.ts';
import { wordOf } from './placeholders.ts';
import { differencesOf, hasToken, partsOf } from './write-step.ts';

type Forbidden = Extract<ExperimentOracle, { kind: 'forbidden' }>;

/** The target must refuse the action to this account before and after attack, which may alter nothing that it acts on. */
export function judgeForbidden(experiment: Experiment, oracle: Forbidden, observed: Observed, nonce: Nonce): Judged {
  const { attack, seen, refused, allowed } = oracle;
  const of = (key: string | undefined) => (key === undefined ? undefined : observed.get(key));
  const [attacked, shown] = [of(attack), of(seen)];
  if (!attacked || !shown) return MISSING;
  const [first, second, third] = [wordOf(nonce, 1), wordOf(nonce, 2), wordOf(nonce, 3)];
  if (!isAccepted(attacked)) return judged('REFUTED', 'The target refused attack.');
  if (!has(shown, third)) return judged('REFUTED', 'seen does not show {{word3}}: attack had no effect.');
  if (has(shown, second))
    return judged('REFUTED', 'seen shows {{word2}}: the request that seemed refused took effect.');
  if ([first, second, third].some((word) => carriesPartOf(shown, word)))
    return judged('VOID', 'The request of seen contains a part of a word, so that the target may only repeat it.');
  const [denied, usual] = [of(refused), of(allowed)];
  if (denied && !isDenied(denied)) return judged('REFUTED', 'The target did not deny the request to this account.');
  if (!denied || !usual) {
    return judged('LIKELY', 'Without the request of an account that may and one that may not, it cannot be confirmed.');
  }
  if (!isAccepted(usual) || !has(shown, first)) {
    return judged('VOID', 'allowed was not accepted, so that the refusal may have another reason.');
  }
  const again = of('added_refused');
  if (!again) return MISSING;
  if (!isDenied(again))
    return judged('REFUTED', 'The target denied the request before attack only: the account may have got the right.');
  const altered = otherAction(experiment, oracle);
  if (altered !== undefined)
    return judged(
      'LIKELY',
      `attack alters ${altered}, which may name another action, or carry what another account was given.`,
    );
  return judged('PROVED', 'The target refused the action to this account, and accepted it in the altered form.');
}

/** Names by which a request states who it is or what it may do. */
const AUTHORITY =
  /role|admin|privileg|permission|authori[sz]|rights?$|staff|superuser|access[_-]?level|is[_-]?(?:editor|moderator|owner)/i;

/** Returns the altered part if it could name what the request acts on; undefined if it says only who sends it, or how. */
function otherAction({ steps }: Experiment, { attack, refused }: Forbidden): string | undefined {
  const of = (key: string | undefined) => steps.find((step) => step.key === key);
  const [attacked, denied] = [of(attack), of(refused)];
  if (!attacked || !denied) return 'the request';
  return differencesOf(denied, attacked).find((part) => {
    if (hasToken(partsOf(attacked).get(part) ?? '')) return true;
    if (part === 'path') return plainPath(denied.path) !== plainPath(attacked.path);
    const [kind, ...name] = part.split(' ');
    const isField = kind === 'form' || kind === 'query' || kind === 'json';
    return isField && !(AUTHORITY.test(name.join(' ')) && !partsOf(denied).has(part));
  });
}

/** Returns what many servers make of a path: filters in front of them may see another one. */
function plainPath(path: string): string {
  const [place = ''] = path.split('?');
  return place
    .toLowerCase()
    .replace(/%[0-9a-f]{2}/g, (escaped) => String.fromCharCode(Number.parseInt(escaped.slice(1), 16)))
    .replace(/;[^/]*/g, '')
    .replace(/\/{2,}/g, '/')
    .replace(/(?:\.(?:json|xml|html?))?\/?$/, '');
}
