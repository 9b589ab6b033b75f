import type { Experiment, ExperimentOracle, ExperimentStep } from '@sortie/contract';
import { readAnswer } from '../../crawl/readers/read-answer.ts';
import { madeUrl } from '../../oracle/made-url.ts';
import type { Nonce, Observation } from '../experiment.ts';
import { isOffer } from './added-to-access.ts';
import {
  carriesPartOf,
  has,
  isAccepted,
  isDenied,
  isShown,
  type Judged,
  judged,
  MISSING,
  type Observed,
  statusOf,
} from './judge-answers.ts';
import { visibleText } from './take-values.ts';
import { hasToken, partsOf } from './write-step.ts';

type Canary = Extract<ExperimentOracle, { kind: 'canary' }>;

interface Read {
  written: Observation;
  read: Observation;
  attacked: Observation;
}

/**
 * What B reads of A proves something only if the target keeps it from B: it refuses the address that it has named itself,
 * and offers the object to B nowhere.
 */
export function judgeCanary(experiment: Experiment, oracle: Canary, observed: Observed, { word }: Nonce): Judged {
  const { write, home, attack, honest, refused } = oracle;
  const of = (key: string | undefined) => (key === undefined ? undefined : observed.get(key));
  const [written, read, attacked] = [of(write), of(home), of(attack)];
  if (!written || !read || !attacked) return MISSING;
  if (!isAccepted(written)) return judged('VOID', 'The target did not accept the write.');
  if (!isShown(read) || !has(read, word))
    return judged('VOID', 'home does not show the word to the account that wrote it.');
  if (!has(attacked, word)) return judged('REFUTED', 'The response to attack does not contain the word.');
  if ([...observed].some(([key, each]) => key !== write && carriesPartOf(each, word)))
    return judged('VOID', 'A request contains a part of the word, so that the target may only repeat it.');
  const [denied, usual] = [of(refused), of(honest)];
  if (denied && !isDenied(denied)) {
    return judged('REFUTED', 'The target shows the object to this account at its own address: it may read it.');
  }
  if (usual && has(usual, word)) return judged('REFUTED', 'The honest request shows the word as well.');
  if (!denied || !usual || !isShown(usual)) {
    return judged('LIKELY', 'Without an accepted honest request and a refused control, it cannot be confirmed.');
  }
  const doubt = publicity(experiment, { written, read, attacked }, { oracle, observed, word, denied, usual });
  if (doubt !== undefined) return judged('LIKELY', doubt);
  return judged('PROVED', 'Only attack shows the word to an account that the target refuses it to.');
}

interface Shown {
  oracle: Canary;
  observed: Observed;
  word: string;
  denied: Observation;
  usual: Observation;
}

/** Returns why the object may be meant to be read by others; undefined if nothing speaks for it. */
function publicity(experiment: Experiment, { written, read, attacked }: Read, shown: Shown): string | undefined {
  const { oracle, observed, word, denied, usual } = shown;
  const chosen = chosenBy(oracle.write, experiment);
  if (chosen !== undefined) return `write chooses ${chosen} by itself, which may say who may read it.`;
  const attack = experiment.steps.find(({ key }) => key === oracle.attack);
  if (attack && [...partsOf(attack).values()].some(hasToken))
    return 'attack has something like a token in its text, which the owner may have been shown before.';
  if (!isNamed(written, read)) return 'home is no address that the target named in its response to write.';
  if (!visibleText(withoutFields(read)).includes(word))
    return 'home shows the word in a form only: its address may be the one for editing.';
  if (statusOf(denied) === 404 && OWN.test(new URL(denied.request.url).pathname))
    return 'The address of home means something else for each account, so that it is no refusal.';
  // What honest requests as well says nothing about the object.
  const linked = attacked.request.url === usual.request.url ? undefined : attacked.request.url;
  const offer = [...observed].find(([key, each]) => isOffer(key) && offers(each, linked, word));
  if (offer) return `The target offers it to this account at ${new URL(offer[1].request.url).pathname}.`;
  const [owner, visitor] = [observed.get('added_owner'), observed.get('added_visitor')];
  if (!owner || !isShown(owner)) return 'The target refuses attack to the owner: the attacker may have more rights.';
  if (experiment.class === 'predictable-token' && !isObject(written, attacked)) return undefined;
  if (!visitor) return 'attack is sent by a visitor, who may read what is public.';
  return has(visitor, word) ? 'attack shows it to visitors without an account as well: it may be public.' : undefined;
}

/** Places that each account has of its own. */
const OWN = /\/(?:me|my|mine|own|self|accounts?|profile|dashboard)(?=\/|$)/i;

/** Returns a field of the write that is neither the word nor offered by a page: it could publish the object. */
function chosenBy(key: string, { steps }: Pick<Experiment, 'steps'>): string | undefined {
  const write = steps.find((step) => step.key === key);
  const fields = write ? [...partsOf(write)].filter(([name]) => name !== 'method' && name !== 'path') : [];
  return fields.find(([name, text]) => text !== '{{word}}' && !isOffered(name, text, steps))?.[0];
}

/** Returns whether the text is the value that a form of the target has for the field of this name. */
function isOffered(name: string, text: string, steps: readonly ExperimentStep[]): boolean {
  const [, key, value] = /^\{\{(\w+)\.(\w+)\}\}$/.exec(text) ?? [];
  const taken = steps.find((step) => step.key === key)?.take?.find((each) => each.name === value);
  return taken?.from === 'field' && name.split(' ').slice(1).join(' ').replace(/^\//, '') === taken.by;
}

/** Returns whether the response to the write names the address of home: itself, or by the id of what it made. */
function isNamed(written: Observation, read: Observation): boolean {
  const { url } = written.request;
  const named = [readAnswer(written, url)?.next, madeUrl(written)].flatMap((each) => (each ? [pathOf(each)] : []));
  const home = pathOf(read.request.url);
  const [parent, id = ''] = [home.slice(0, home.lastIndexOf('/')), home.slice(home.lastIndexOf('/') + 1)];
  const isMade = parent === pathOf(url) && written.response?.body.toString().includes(id) === true;
  return named.includes(home) || isMade;
}

const pathOf = (url: string) => new URL(url).pathname.replace(/\/$/, '');

/** Without what a user would edit. */
function withoutFields(observation: Observation): Observation {
  const { response } = observation;
  if (!response) return observation;
  const body = response.body.toString().replace(/<textarea\b[\s\S]*?<\/textarea>/gi, ' ');
  return { ...observation, response: { ...response, body: Buffer.from(body) } };
}

/** Returns whether a page shows the word, or links to the address. */
function offers(page: Observation, address: string | undefined, word: string): boolean {
  if (has(page, word)) return true;
  const links = readAnswer(page, page.request.url)?.links ?? [];
  return links.some(({ url }) => url.replace(/#.*$/s, '') === address);
}

/** Returns whether attack names the object by the id that the target gave it: then it is no token. */
function isObject(written: Observation, attacked: Observation): boolean {
  const { next, made = [] } = readAnswer(written, written.request.url) ?? {};
  const named = [next, madeUrl(written), ...made].flatMap((url) => url?.split('/').at(-1) ?? []);
  const { pathname, search } = new URL(attacked.request.url);
  return `${pathname} ${search}`.split(/[^\w-]+/).some((each) => /\d/.test(each) && named.includes(each));
}
