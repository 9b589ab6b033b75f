import { at, definePointCheck } from '../../active-check.ts';
import type { Exchange } from '../../http/exchange.ts';
import { headerOf } from '../../http/headers.ts';

/** `host` stands for a host that nobody has. */
type Variant = (host: string) => string;

const hostOf = (word: string) => `${word}.example`;
const NAMES = /url|uri|next|return|redir|dest|continue|target|goto|to$|back|forward|callback|checkout|path|^[ru]$/i;
const REFRESH =
  /<meta[^<>]{1,200}http-equiv\s{0,5}=\s{0,5}["']?refresh[^<>]{1,200}url\s{0,5}=\s{0,5}["']?([^"'<>\s]{1,2000})/i;
const HEAD_BYTES = 65_536;

/** Where a browser would go from here by itself. */
function destinationOf({ request, response }: Exchange): string | undefined {
  if (!response) return undefined;
  const location = response.status >= 300 && response.status < 400 ? headerOf(response.headers, 'location') : undefined;
  const refresh = headerOf(response.headers, 'refresh')?.split(/url=/i)[1];
  const next = location || refresh || REFRESH.exec(response.body.subarray(0, HEAD_BYTES).toString())?.[1];
  // The parser of browsers: it takes a backslash for a slash, as they do.
  return next ? URL.parse(next, request.url)?.hostname : undefined;
}

export default definePointCheck<Variant>({
  id: 'open-redirect',
  title: 'The site sends visitors to any address a link names',
  cwe: 601,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
  why: 'A link to your site that ends on another one lends your name to whoever made the link, for a false login page for instance.',
  fix: 'Redirect only to paths of your own site, or to a list of addresses. Compare the parsed host, not the text.',
  risk: 'harmless',
  appliesTo: ({ parameter: { location, name, value } }) =>
    location !== 'path' && (NAMES.test(name) || /^(?:https?:)?\/[^\s]*$/i.test(value)),
  variants: [
    (host) => `https://${host}/`,
    (host) => `//${host}/`,
    (host) => `/\\${host}/`,
    (host) => `https:${host}/`,
    (host) => `https://${host}/?https://`,
  ],
  maxRequests: 14,
  proof: {
    plan: (point, variant, { word }) => [
      at(point, 'unchanged value', point.parameter.value),
      at(point, 'host that nobody has', variant(hostOf(word))),
    ],
    judge(answers, _variant, { word }) {
      const control = answers.get('unchanged value');
      const attack = answers.get('host that nobody has');
      if (!control?.response || !attack?.response) return 'VOID';
      if (destinationOf(control) === hostOf(word)) return 'REFUTED';
      return destinationOf(attack) === hostOf(word) ? 'PROVED' : 'REFUTED';
    },
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
