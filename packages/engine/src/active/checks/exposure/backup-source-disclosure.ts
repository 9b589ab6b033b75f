import type { Exchange } from '../../../http/exchange/exchange.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';

/** Suffixes of backup copies made by editors and administrators. */
const ENDINGS = ['~', '.bak', '.old'];
const SCRIPT = /\/[\w.-]{1,60}\.(?:php|phtml|jsp|aspx?|cgi|pl|cfm)$/i;
/** Templates such as config.php.dist are meant to be copied, so the copy without the suffix exists. */
const SAMPLE = /[.-](?:dist|sample|example|template|default)$/i;
const USUAL = ['/index.php', '/config.php', '/login.php'];
const MOST_PAGES = 4;
const MOST_BYTES = 65_536;

/** Beginnings of server-side source code, which a server never sends when it executes the file. */
const SOURCE = /^\s{0,20}(?:<\?php\b|<\?=|<%@?\s|<cf\w{2,20}\b|#!\/\S{1,40}(?:perl|python|sh)\b)/i;

/** Returns copies of scripts in the inventory, then of scripts that most sites have. */
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

export default defineSiteCheck({
  id: 'backup-source-disclosure',
  family: { name: 'exposed-file', by: 'place' },
  title: 'Backup file discloses source code',
  cwe: 530,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker reads the source code of the application, with the credentials and flaws in it.',
  why: 'A copy of a script with another extension (such as .bak or ~) is not executed, but sent as text. An attacker reads the source code and often finds credentials in it. The response started with source code; a copy that does not exist was answered differently.',
  fix: 'Delete the copies and replace every secret in them. Configure the web server to deny backup extensions, and deploy from version control instead of editing on the server.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://cwe.mitre.org/data/definitions/530.html',
  ],
  risk: 'harmless',
  appliesTo: () => true,
  variants: [] as string[],
  async probe(site, _nonce, { ask, known }) {
    const found: string[] = [];
    for (const url of copiesAt(site, known)) if (isSource(await ask(requestFor(url)))) found.push(url);
    return found;
  },
  maxRequests: 60,
  placeOf: (_site, url) => url,
  proof: {
    plan: (_site, url, { word }) => ({
      copy: { label: 'the copy', request: requestFor(url), answer: { isConfidential: true } },
      sibling: {
        label: 'a copy next to it that does not exist',
        request: requestFor(url.replace(/[^/]*(?=\.\w+[~.\w]*$)/, word)),
        isControl: true,
      },
    }),
    judge: ({ copy, sibling }) => (isSource(copy) && !isSource(sibling) ? 'PROVED' : 'REFUTED'),
  },
  lab: () => ({
    item: { method: 'GET', url: '/shop.php?page=1', parameters: [], seenAs: null, contentType: 'text/html' },
    vulnerable: ({ path }) =>
      path === '/shop.php~' ? { body: "<?php\n$password = 'tea';\n" } : { status: 404, body: 'Nothing here' },
    // Responds to every path alike, with text that looks like source code.
    safe: () => ({ body: '<?php is how pages of this course begin' }),
  }),
});
