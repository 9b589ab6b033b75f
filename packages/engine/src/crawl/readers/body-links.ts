import type { InventoryItem } from '../inventory/inventory.ts';
import { type Described, draftOf } from '../requests/draft.ts';
import type { Fields, Passing } from './script-bodies.ts';
import type { Giving, ScriptLinks } from './script-links.ts';

/** Matches functions that send a request body with the calls, in any script, that supply it. */
export interface BodyLinks {
  learn(scriptUrl: string, links: ScriptLinks): void;
  /** Returns the requests with bodies found at call sites. */
  drafts(): InventoryItem[];
}

interface Sending extends Passing {
  scriptUrl: string;
  described: Described;
}

interface Given extends Giving {
  scriptUrl: string;
}

/** Shorter names are too common to identify a function. */
const SHORTEST_NAME = 4;
const MOST_GIVEN = 20_000;
const MOST_SENDINGS = 500;

const symbolOf = (scriptUrl: string, name: string) => `${scriptUrl}#${name}`;

export function createBodyLinks(): BodyLinks {
  const sendings: Sending[] = [];
  const given: Given[] = [];
  const exported = new Map<string, string>();
  const imported = new Map<string, string>();
  const read = new Set<string>();

  /** Returns the symbol that a name in a script refers to, following imports. */
  function resolve(scriptUrl: string, name: string): string {
    const from = imported.get(symbolOf(scriptUrl, name));
    return from === undefined ? symbolOf(scriptUrl, name) : (exported.get(from) ?? from);
  }

  function givenTo(sending: Sending): Fields[] {
    const { scriptUrl, owner, name, position } = sending;
    const known = owner === undefined ? undefined : symbolOf(scriptUrl, owner);
    const isOwn = (each: Given) => each.owners.some((one) => resolve(each.scriptUrl, one) === known);
    const byOwner = given.filter((each) => each.name === name && isOwn(each));
    const own = name || owner || '';
    const isAlone =
      own.length >= SHORTEST_NAME && sendings.filter((each) => (each.name || each.owner) === own).length === 1;
    const byName = isAlone ? given.filter((each) => each.name === own || each.owners.includes(own)) : [];
    const found = byOwner.length > 0 ? byOwner : byName;
    return found.map(({ values }) => values[position]).filter((each) => each !== undefined);
  }

  return {
    learn(scriptUrl, links) {
      if (read.has(scriptUrl) || given.length > MOST_GIVEN) return;
      read.add(scriptUrl);
      sendings.push(
        ...links.passings.slice(0, MOST_SENDINGS - sendings.length).map((each) => ({ ...each, scriptUrl })),
      );
      given.push(...links.givings.map((each) => ({ ...each, scriptUrl })));
      for (const { as, name } of links.exported) exported.set(symbolOf(scriptUrl, as), symbolOf(scriptUrl, name));
      for (const { as, from, name } of links.imported) imported.set(symbolOf(scriptUrl, as), symbolOf(from, name));
    },
    drafts: () =>
      sendings.flatMap((sending) => {
        const [fields] = givenTo(sending).toSorted((a, b) => Object.keys(b).length - Object.keys(a).length);
        const draft = fields && draftOf({ ...sending.described, json: fields });
        return draft ? [withEffect(draft, Object.keys(fields))] : [];
      }),
  };
}

const PASSWORD = /pass(?:word|wd|phrase)|^pwd$/i;
const LOGS_IN = /log[_-]?in|sign[_-]?in|session|authenticate|\/auth$/i;
const REGISTERS = /regist|sign[_-]?up|(?:users?|accounts?|members?|customers?)\/?$/i;

/** Failed logins lock accounts and new passwords lock people out, so only registrations may send passwords. */
function withEffect(item: InventoryItem, fields: readonly string[]): InventoryItem {
  const passwords = fields.filter((name) => PASSWORD.test(name));
  if (passwords.length === 0 || item.effect !== 'changes') return item;
  const { pathname } = new URL(item.url);
  if (passwords.length === 1 && LOGS_IN.test(pathname)) return { ...item, effect: 'logsIn' };
  return item.method === 'POST' && REGISTERS.test(pathname) ? item : { ...item, effect: 'endangers' };
}
