import type { Exchange } from '../../../http/exchange/exchange.ts';
import { headerOf } from '../../../http/exchange/headers.ts';
import { definePointCheck, type Point } from '../../define-active-check.ts';
import { at } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import { fill } from '../../shared/fill.ts';

const hostOf = (word: string) => `${word}.example`;
const NAMES = /url|uri|next|return|redir|dest|continue|target|goto|to$|back|forward|callback|checkout|path|^[ru]$/i;
const REFRESH =
  /<meta[^<>]{1,200}http-equiv\s{0,5}=\s{0,5}["']?refresh[^<>]{1,200}url\s{0,5}=\s{0,5}["']?([^"'<>\s]{1,2000})/i;
const HEAD_BYTES = 65_536;

/** Returns the redirect target as sent. */
function nextOf({ response }: Exchange): string {
  if (!response) return '';
  const location =
    response.status >= 300 && response.status < 400 ? (headerOf(response.headers, 'location') ?? '') : '';
  const refresh = headerOf(response.headers, 'refresh')?.split(/url=/i)[1] ?? '';
  return location || refresh || (REFRESH.exec(response.body.subarray(0, HEAD_BYTES).toString())?.[1] ?? '');
}

/** Returns whether a browser would be redirected to the host or a subdomain of it. */
function leadsTo(exchange: Exchange, host: string): boolean {
  const next = nextOf(exchange);
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
    location === 'path' || NAMES.test(name) || /^(?:https?:)?\/[^\s]*$/i.test(value),
  variants: VARIANTS,
  maxRequests: 30,
  /** Always tries the plain URL; the others only if the redirect contains part of the value. */
  async probe(point, { word }, { ask }) {
    const { value } = point.parameter;
    const values = [`/${word}`, `${value}${word}`];
    let isLed = false;
    for (const each of values) isLed ||= nextOf(await ask(requestWith(point, each))).includes(word);
    for (const variant of isLed ? VARIANTS : VARIANTS.slice(0, 1)) {
      const answer = await ask(requestWith(point, write(variant, point, word)));
      if (leadsTo(answer, hostOf(word))) return [variant];
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
