import { loginIn } from '../../crawl/effect/logs-in.ts';
import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { readPage } from '../../crawl/readers/read-page.ts';
import { readScript } from '../../crawl/readers/read-script.ts';
import type { Session } from '../session/session.ts';

/** Property names of user and password in the JSON body of a login. */
export interface LoginKeys {
  user: string;
  pass: string;
}

/** What the scripts of a page reveal about its login. */
interface LoginScripts {
  text: string;
  /** URLs of requests that log in, with the names of user and password in their JSON bodies. */
  logins: Map<string, LoginKeys>;
  /** URLs of all POST requests. */
  posts: string[];
  /** URLs of account data that scripts read; a few other ones if there are none. */
  reads: string[];
}

const OF_ACCOUNTS = /account|profile|user|wallet|orders?\b|cards?\b|address|basket|cart|settings|\bmy\b|\bme\b/i;
const MOST_READS = 8;
const MOST_OTHER_READS = 2;
const MOST_SCRIPTS = 15;

export async function readLoginScripts(session: Session, pageUrl: string): Promise<LoginScripts> {
  const { response } = await session.send({ method: 'GET', url: pageUrl });
  const html = response?.body.toString() ?? '';
  const { origin } = new URL(pageUrl);
  const isOwn = (url: string) => new URL(url).origin === origin;
  const texts = [html];
  const asked: InventoryItem[] = [];
  const { scripts } = readPage(html, pageUrl);
  // Grows during iteration: bundlers split programs into chunks that import each other.
  const waiting = new Set(scripts.flatMap(({ url }) => url ?? []).filter(isOwn));
  const read = (text: string, url: string) => {
    const { imports, requests } = readScript(text, url, pageUrl);
    for (const each of imports) if (isOwn(each)) waiting.add(each);
    asked.push(...requests.filter((each) => isOwn(each.url)));
  };
  for (const { text } of scripts) if (text !== undefined) read(text, pageUrl);
  for (const url of waiting) {
    if (texts.length > MOST_SCRIPTS) break;
    const text = (await session.send({ method: 'GET', url })).response?.body.toString() ?? '';
    texts.push(text);
    read(text, url);
  }
  const posts = asked.filter(({ method }) => method === 'POST');
  return {
    text: texts.join('\n'),
    logins: new Map(posts.flatMap(keysOf)),
    posts: posts.map(({ url }) => url),
    reads: readsIn(asked),
  };
}

function keysOf(item: InventoryItem): [url: string, keys: LoginKeys][] {
  const found = loginIn(item);
  if (found?.user.location !== 'json') return [];
  return [[item.url, { user: found.user.name, pass: found.pass.name }]];
}

function readsIn(asked: readonly InventoryItem[]): string[] {
  const reads = asked.filter(({ effect, parameters }) => effect === 'reads' && parameters.length === 0);
  const urls = [...new Set(reads.map(({ url }) => url))];
  const [own, others] = [true, false].map((is) => urls.filter((url) => OF_ACCOUNTS.test(new URL(url).pathname) === is));
  // Many sites show their other pages to anonymous visitors as well, which proves no login.
  return (own?.length ? own.slice(0, MOST_READS) : others?.slice(0, MOST_OTHER_READS)) ?? [];
}
