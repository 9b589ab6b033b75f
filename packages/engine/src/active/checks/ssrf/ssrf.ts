import { shows } from '../../../oracle/computed.ts';
import type { OutsideNames } from '../../../oracle/outside.ts';
import { definePointCheck, type Point } from '../../define-active-check.ts';
import { at, evenUnanswered, type Nonce, type PlannedRequest } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import type { LabTools } from '../../lab.ts';

interface Variant {
  /** How our URL is written to pass validation. */
  write: keyof typeof WRITINGS;
  /** Only a DNS lookup is expected; whether a request followed is unknown. */
  isNameOnly?: boolean;
}

const ADDRESS = /^(?:https?:)?\/\/[^/]+/i;
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}|(?:\d{1,3}\.){3}\d{1,3})(?::\d+)?(?:\/|$)/i;
/** Matches the last word of a name in any naming style. */
const NAMES =
  /(?:ur[il]|link|href|src|source|dest(?:ination)?|feed|web_?hook|hook|callback|host|domain|site|proxy|fetch|remote|import|endpoint|image|avatar|picture|photo|logo|icon|document|file|page|template|to|next|target|referr?er)$/i;

const isAddress = (value: string) => ADDRESS.test(value) || HOST.test(value);
const afterScheme = (url: string) => url.replace(/^https?:\/\//i, '');

/** Undefined if not applicable. */
type Write = (url: string, seen: string) => string | undefined;

const WRITINGS = {
  plain: (url) => url,
  withoutScheme: (url, seen) => (ADDRESS.test(seen) ? undefined : afterScheme(url)),
  /** Puts the expected host into the userinfo of the URL. */
  userinfo: (url, seen) => (ADDRESS.test(seen) ? `${seen.match(ADDRESS)?.[0]}@${afterScheme(url)}` : undefined),
  query: (url, seen) => (seen === '' ? undefined : `${url}?${seen}`),
} satisfies Record<string, Write>;

const tagOf = (word: string) => `${word}-attack`;

function attack(point: Point, variant: Variant, { word }: Nonce, outside: OutsideNames): PlannedRequest | undefined {
  const tag = tagOf(word);
  if (variant.isNameOnly && outside.hostFor(tag) === null) return undefined;
  const write: Write = WRITINGS[variant.write];
  const value = write(outside.urlFor(tag), point.parameter.value);
  const kind = variant.isNameOnly ? 'dns' : 'http';
  return value === undefined ? undefined : at(point, 'URL of our listener', value, { calling: { tag, kind } });
}

/** Software that requests every URL it sees calls back for this one too. */
function control(point: Point, { word }: Nonce, outside: OutsideNames): PlannedRequest {
  const tag = `${word}-control`;
  const request = requestWith(point, point.parameter.value);
  const url = new URL(request.url);
  url.searchParams.append(word, outside.urlFor(tag));
  return {
    label: 'URL of our listener in an unused parameter',
    request: { ...request, url: url.href },
    calling: { tag, kind: 'http' },
    isControl: true,
  };
}

const VARIANTS: readonly Variant[] = [
  { write: 'plain' },
  { write: 'withoutScheme' },
  { write: 'userinfo' },
  { write: 'query' },
  { write: 'plain', isNameOnly: true },
];

export default definePointCheck({
  id: 'ssrf',
  flaw: { name: 'server-side-request-forgery', rank: 2 },
  title: 'Server-side request forgery (SSRF)',
  cwe: 918,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:L/SI:N/SA:N',
  impact:
    'An attacker reaches services behind the firewall through the server, such as admin interfaces and cloud metadata with credentials.',
  why: 'The server requests any URL in the value. An attacker reaches internal services and cloud metadata endpoints that trust the server and are not reachable from outside. The server called our listener by the URL in this value; a URL in an unused parameter was not requested.',
  fix: 'Request only URLs of an allowlist. Where arbitrary URLs are needed, resolve the host first, reject private and link-local addresses, connect to exactly the address that was checked, and do not follow redirects.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/19-Testing_for_Server-Side_Request_Forgery',
    'https://cwe.mitre.org/data/definitions/918.html',
  ],
  risk: 'harmless',
  locations: ['query', 'path', 'form', 'json', 'xml', 'multipart', 'graphql', 'header'],
  appliesTo: ({ parameter: { location, name, value } }) =>
    location === 'header' ? name === 'Referer' : isAddress(value) || NAMES.test(name.replace(/[\]_-]+$/, '')),
  needsOutside: true,
  variants: VARIANTS,
  maxRequests: 14,
  describe: ({ isNameOnly }) =>
    isNameOnly
      ? {
          title: 'Possible server-side request forgery (SSRF): DNS lookup observed',
          why: 'The server resolved the host name in the value by DNS, but did not request it over HTTP. A firewall may block outgoing connections, while internal services remain reachable for an attacker.',
          cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
          cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
          impact: 'An attacker may reach internal services through the server, and observes which names it resolves.',
        }
      : {},
  proof: {
    plan(point, variant, nonce, { outside }) {
      const planned = outside && attack(point, variant, nonce, outside);
      if (!outside || !planned) return undefined;
      return { control: evenUnanswered(control(point, nonce, outside)), attack: evenUnanswered(planned) };
    },
    judge({ control, attack }, { isNameOnly }, { word }, _point, { outside }) {
      const { heard = [] } = attack;
      if ((control.heard ?? []).length > 0) return 'REFUTED';
      if (isNameOnly) return heard.some(({ kind }) => kind === 'dns') ? 'LIKELY' : 'VOID';
      // Our listener's response is not part of the URL, so a page that shows it has fetched it, even if no callback was
      // recorded.
      const isShown = outside && shows(attack, outside.answerTo(tagOf(word)));
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
