import { defineSiteCheck, type Known, type Site } from '../../active-check.ts';
import type { Exchange } from '../../http/exchange.ts';
import { textOf } from '../../oracle/private-content.ts';

const LABELS = { copy: 'the copy', sibling: 'a copy next to it that does not exist' } as const;
/** What editors and careful people leave behind. */
const ENDINGS = ['~', '.bak', '.old'];
const SCRIPT = /\/[\w.-]{1,60}\.(?:php|phtml|jsp|aspx?|cgi|pl|cfm)$/i;
/** What a site offers to be copied was copied. */
const SAMPLE = /[.-](?:dist|sample|example|template|default)$/i;
const USUAL = ['/index.php', '/config.php', '/login.php'];
const MOST_PAGES = 4;
const MOST_BYTES = 65_536;

/** Programs that a server runs, as they are written: what it answers for them never looks so. */
const SOURCE = /^\s{0,20}(?:<\?php\b|<\?=|<%@?\s|<cf\w{2,20}\b|#!\/\S{1,40}(?:perl|python|sh)\b)/i;

/** Copies of pages that are programs by their address, then of those that most sites have. */
function copiesAt({ origin }: Site, { inventory }: Known): string[] {
  const pages = inventory
    .filter(({ url, method }) => method === 'GET' && url.startsWith(`${origin}/`))
    .map(({ url }) => url.replace(/[?#].*$/s, '').replace(SAMPLE, ''))
    .filter((url) => SCRIPT.test(url));
  const isSettings = (url: string) => /conf|settings/i.test(url);
  const met = [...new Set(pages)]
    .toSorted((a, b) => Number(isSettings(b)) - Number(isSettings(a)))
    .slice(0, MOST_PAGES);
  return [...new Set([...met, ...USUAL.map((path) => origin + path)])].flatMap((url) =>
    ENDINGS.map((ending) => url + ending),
  );
}

const requestFor = (url: string) => ({ method: 'GET', url, bodyBytes: MOST_BYTES });
const isSource = (exchange: Pick<Exchange, 'response'>) =>
  exchange.response?.status === 200 && SOURCE.test(textOf(exchange));

export default defineSiteCheck<string>({
  id: 'source-copies',
  title: 'A copy shows the source of a page',
  cwe: 530,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  why: 'A copy with another ending is not run but sent as it is. It shows how the page works, and often the passwords it works with.',
  fix: 'Delete the copies, and replace every secret that is in them. Let the server refuse files that end so.',
  risk: 'harmless',
  appliesTo: () => true,
  variants: [],
  async probe(site, _nonce, { ask, known }) {
    const found: string[] = [];
    for (const url of copiesAt(site, known)) if (isSource(await ask(requestFor(url)))) found.push(url);
    return found;
  },
  maxRequests: 60,
  placeOf: (_site, url) => url,
  proof: {
    plan: (_site, url, { word }) => [
      { label: LABELS.copy, request: requestFor(url), isConfidential: true },
      { label: LABELS.sibling, request: requestFor(url.replace(/[^/]*(?=\.\w+[~.\w]*$)/, word)) },
    ],
    judge(answers) {
      const [copy, sibling] = [answers.get(LABELS.copy), answers.get(LABELS.sibling)];
      if (!copy?.response || !sibling?.response) return 'VOID';
      return isSource(copy) && !isSource(sibling) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => ({
    item: { method: 'GET', url: '/shop.php?page=1', parameters: [], seenAs: null, contentType: 'text/html' },
    vulnerable: ({ path }) =>
      path === '/shop.php~' ? { body: "<?php\n$password = 'tea';\n" } : { status: 404, body: 'Nothing here' },
    // Answers everything alike, also with what looks like a program.
    safe: () => ({ body: '<?php is how pages of this course begin' }),
  }),
});
