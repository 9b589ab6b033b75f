import type { Exchange } from '../../../http/exchange/exchange.ts';
import { redirectOf } from '../../../oracle/redirect-of.ts';
import { type Asking, definePointCheck, type Point } from '../../define-active-check.ts';
import { at } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import { fill } from '../../shared/fill.ts';
import type { Triage } from '../../triage-result.ts';

const hostOf = (word: string) => `${word}.example`;
const NAMES = /url|uri|next|return|redir|dest|continue|target|goto|to$|back|forward|callback|checkout|path|^[ru]$/i;
/** Returns whether a browser would be redirected to the host or a subdomain of it. */
function leadsTo(exchange: Exchange, host: string): boolean {
  const next = redirectOf(exchange);
  // Headers are read byte by byte; browsers decode a Location as UTF-8.
  const ways = next === '' ? [] : [next, Buffer.from(next, 'latin1').toString()];
  // The WHATWG parser treats a backslash as a slash, as browsers do.
  const hostnames = ways.map((each) => URL.parse(each, exchange.request.url)?.hostname);
  return hostnames.some((hostname) => hostname === host || (hostname?.endsWith(`.${host}`) ?? false));
}

/** Returns the host in the value, which the target allows, or that of the target if the value has none. */
const ownOf = ({ item, parameter }: Point) =>
  URL.parse(parameter.value, item.url)?.hostname || new URL(item.url).hostname;

/** Fills in the foreign host, the same with ideographic full stops, the host that is allowed, and the original value. */
function write(variant: string, point: Point, word: string): string {
  const host = hostOf(word);
  const dotless = host.replaceAll('.', '。');
  return fill(variant, { host, dotless, own: ownOf(point), value: point.parameter.value });
}

const VARIANTS: readonly string[] = [
  'https://{host}/',
  '//{host}/',
  '/\\{host}/',
  '\\/\\/{host}/',
  'https:{host}/',
  'https:///{host}/',
  '/\t/{host}/',
  'https://{own}@{host}/',
  'https://{own}.{host}/',
  'https://{host}/?https://{own}/',
  // Bypasses an allowlist of whole URLs that is matched anywhere in the value.
  'https://{host}/?{value}',
  'https://{host}/#{own}',
  'https://{host}\\@{own}/',
  // Browsers read the ideographic full stop in a host as a dot, which a filter may forbid.
  'https://{dotless}/',
  '//{dotless}/',
  // Without a slash, which a filter may forbid as well.
  'https:{dotless}',
  'HTTPS://{host}/',
];

const ADDRESS = /^(?:https?:)?\/[^\s]*$/i;

/** Whether the target accepts an address, or a part of its path, and shows a page for it: it redirects to none. */
const staysOnPage = ({ parameter: { location, value } }: Point, { outcome }: Triage) =>
  outcome === 'page' && (location === 'path' || ADDRESS.test(value));

/**
 * Resolves to whether a redirect contains part of the value. One that contains it encoded does not count: no slash in
 * the value gets into the address then.
 */
async function isRedirectedBy(point: Point, word: string, ask: Asking['ask']): Promise<boolean> {
  let isEncoded = false;
  for (const text of [`/${word}`, `${point.parameter.value}${word}`]) {
    const encoded = encodeURIComponent(text);
    if (isEncoded && encoded === text) continue;
    const next = redirectOf(await ask(requestWith(point, text)));
    isEncoded = encoded !== text && !next.includes(text) && next.toUpperCase().includes(encoded.toUpperCase());
    if (next.includes(word) && !isEncoded) return true;
  }
  return false;
}

export default definePointCheck({
  id: 'open-redirect',
  title: 'Open redirect',
  cwe: 601,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N',
  needsNoAccount: true,
  impact: 'An attacker sends links that begin with your domain and lead to a phishing page.',
  why: "The site redirects to any URL in the value. An attacker sends links that begin with your domain and lead to a phishing page, or steals tokens that are appended to the redirect. A foreign host in the value became the redirect's target.",
  fix: 'Redirect only to your own site or to an allowlist of origins. Parse the value with a URL parser, against the URL of your site as the base, and compare the origin of the result. Do not test the beginning of the text: browsers take //host, /\\host and a slash followed by a tab for another host.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/04-Testing_for_Client-side_URL_Redirect',
    'https://cwe.mitre.org/data/definitions/601.html',
  ],
  risk: 'harmless',
  appliesTo: ({ parameter: { location, name, value } }) =>
    location === 'path' || NAMES.test(name) || ADDRESS.test(value),
  // Has the triage, which tells what the target answers to the original value.
  isWorthTrying: () => true,
  variants: VARIANTS,
  maxRequests: 30,
  /** Always tries the plain URL; the others only if the redirect contains part of the value. */
  async probe(point, { word }, { ask, look }) {
    const isLed = !(look && staysOnPage(point, look)) && (await isRedirectedBy(point, word, ask));
    const tried = new Set<string>();
    for (const variant of isLed ? VARIANTS : VARIANTS.slice(0, 1)) {
      const text = write(variant, point, word);
      if (tried.has(text)) continue;
      tried.add(text);
      if (leadsTo(await ask(requestWith(point, text)), hostOf(word))) return [variant];
    }
    return [];
  },
  proof: {
    plan: (point, variant, { word }) => ({
      control: at(point, 'unchanged value', point.parameter.value, { isControl: true }),
      attack: at(point, 'foreign host', write(variant, point, word)),
    }),
    judge: ({ control, attack }, _variant, { word }) =>
      leadsTo(attack, hostOf(word)) && !leadsTo(control, hostOf(word)) ? 'PROVED' : 'REFUTED',
  },
  lab: () => ({
    parameter: 'next',
    value: '/home',
    vulnerable: (value) => ({ status: 302, headers: { location: value } }),
    safe: (value) => ({
      status: 302,
      headers: { location: /^\/[a-z]*$/.test(value) ? value : `/warning?to=${encodeURIComponent(value)}` },
    }),
  }),
});
