import {
  at,
  definePointCheck,
  type LabTools,
  type Nonce,
  type Observation,
  type PlannedRequest,
  type Point,
} from '../../active-check.ts';
import { shows } from '../../oracle/computed.ts';
import type { OutsideNames } from '../../oracle/outside.ts';
import { requestWith } from '../../point.ts';

/** How our address is written for those that look at it before they use it; undefined where that makes no sense. */
interface Variant {
  write(url: string, seen: string): string | undefined;
  /** The name was looked up; whether it was asked for anything is not known. */
  isNameOnly?: boolean;
}

const LABELS = { control: 'address in a parameter that nobody reads', attack: 'address of our listener' } as const;

const ADDRESS = /^(?:https?:)?\/\/[^/]+/i;
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}|(?:\d{1,3}\.){3}\d{1,3})(?::\d+)?(?:\/|$)/i;
/** The last word of a name, as it is written in any style. */
const NAMES =
  /(?:ur[il]|link|href|src|source|dest(?:ination)?|feed|web_?hook|hook|callback|host|domain|site|proxy|fetch|remote|import|endpoint|image|avatar|picture|photo|logo|icon|document|file|page|template|to|next|target|referr?er)$/i;

const isAddress = (value: string) => ADDRESS.test(value) || HOST.test(value);
const afterScheme = (url: string) => url.replace(/^https?:\/\//i, '');

const tagOf = (word: string) => `${word}-attack`;

function attack(point: Point, variant: Variant, { word }: Nonce, outside: OutsideNames): PlannedRequest | undefined {
  const tag = tagOf(word);
  if (variant.isNameOnly && outside.hostFor(tag) === null) return undefined;
  const value = variant.write(outside.urlFor(tag), point.parameter.value);
  const kind = variant.isNameOnly ? 'dns' : 'http';
  return value === undefined ? undefined : at(point, LABELS.attack, value, { calling: { tag, kind } });
}

/** Whoever reads what passes by and asks for all addresses in it, calls us for this one, too. */
function control(point: Point, { word }: Nonce, outside: OutsideNames): PlannedRequest {
  const tag = `${word}-control`;
  const request = requestWith(point, point.parameter.value);
  const url = new URL(request.url);
  url.searchParams.append(word, outside.urlFor(tag));
  const calling = { tag, kind: 'http', isControl: true } as const;
  return { label: LABELS.control, request: { ...request, url: url.href }, calling };
}

const heardOf = (answers: ReadonlyMap<string, Observation>, label: string) => answers.get(label)?.heard ?? [];

export default definePointCheck<Variant>({
  id: 'server-side-request-forgery',
  flaw: { name: 'server-side-request-forgery', rank: 2 },
  title: 'The server asks for any address that a parameter names',
  cwe: 918,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:N/A:N',
  why: 'The server has called an address of ours that stood in the parameter. In the same way it can be made to ask services of its own network, which trust it and which nobody outside can reach.',
  fix: 'Ask only for addresses of a list that you keep. Where any address must do, resolve the name first, refuse those of your own network, connect to exactly the address you have checked, and follow no redirects.',
  risk: 'harmless',
  locations: ['query', 'path', 'form', 'json', 'multipart', 'graphql', 'header'],
  appliesTo: ({ parameter: { location, name, value } }) =>
    location === 'header' ? name === 'Referer' : isAddress(value) || NAMES.test(name.replace(/[\]_-]+$/, '')),
  needsOutside: true,
  variants: [
    { write: (url) => url },
    { write: (url, seen) => (ADDRESS.test(seen) ? undefined : afterScheme(url)) },
    // The host that is expected, as if it were the name of a user.
    { write: (url, seen) => (ADDRESS.test(seen) ? `${seen.match(ADDRESS)?.[0]}@${afterScheme(url)}` : undefined) },
    { write: (url, seen) => (seen === '' ? undefined : `${url}?${seen}`) },
    { write: (url) => url, isNameOnly: true },
  ],
  maxRequests: 14,
  describe: ({ isNameOnly }) =>
    isNameOnly
      ? {
          title: 'The server looks up any name that a parameter holds',
          why: 'The server has looked up a name of ours that stood in the parameter; that it asked for anything there was not seen. Perhaps something between it and us keeps it from doing so, and services of its own network can be asked all the same.',
          cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
        }
      : {},
  proof: {
    plan(point, variant, nonce, { outside }) {
      const planned = outside && attack(point, variant, nonce, outside);
      return outside && planned ? [control(point, nonce, outside), planned] : [];
    },
    judge(answers, { isNameOnly }, { word }, _point, { outside }) {
      const heard = heardOf(answers, LABELS.attack);
      if (heardOf(answers, LABELS.control).length > 0) return 'REFUTED';
      if (isNameOnly) return heard.some(({ kind }) => kind === 'dns') ? 'LIKELY' : 'VOID';
      // What we answer is not in the address: whoever shows it has asked us, whether that was heard or not.
      const isShown = outside && shows(answers.get(LABELS.attack), outside.answerTo(tagOf(word)));
      return isShown || heard.some(({ kind }) => kind === 'http') ? 'PROVED' : 'VOID';
    },
  },
  lab: (tools?: LabTools) => ({
    location: 'json',
    parameter: '/picture',
    value: 'https://pictures.test/tea.png',
    vulnerable: async (value) => ({ body: `Kept ${(await tools?.get(value))?.length} bytes` }),
    safe: async (value) =>
      value.startsWith('https://pictures.test/') ? { body: 'Kept 12 bytes' } : { status: 400, body: 'Not one of ours' },
  }),
});
