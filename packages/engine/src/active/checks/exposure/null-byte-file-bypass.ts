import type { Exchange } from '../../../http/exchange/exchange.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';

interface Variant {
  /** URL of the refused file. */
  url: string;
  /** Extension of an allowed file in the same folder. */
  ending: string;
}

/** Decoded once before the extension is checked and once more before the file is opened. */
const NULL_BYTE = '%2500';
const MOST_FILES = 3;

const folderOf = (url: string) => url.replace(/[^/]*$/, '');
const endingOf = (url: string) => /\.\w{1,6}$/.exec(new URL(url).pathname)?.[0];

/** Returns refused files in folders that also contain allowed ones. */
function refusedAt({ origin }: Site, { inventory, refused = [] }: Known): Variant[] {
  const files = inventory.filter(({ method, url }) => method === 'GET' && !url.includes('?') && endingOf(url));
  const hidden = refused.filter(({ as, url }) => as === null && url.startsWith(`${origin}/`) && endingOf(url));
  return hidden.flatMap(({ url }) => {
    const shown = files.find((file) => folderOf(file.url) === folderOf(url) && endingOf(file.url) !== endingOf(url));
    const ending = shown && endingOf(shown.url);
    return ending === undefined ? [] : [{ url, ending }];
  });
}

const withByte = ({ url, ending }: Variant, name = url) => `${name}${NULL_BYTE}${ending}`;
const isShown = ({ response }: Pick<Exchange, 'response'>) => response?.status === 200 && response.body.length > 0;

export default defineSiteCheck({
  id: 'null-byte-file-bypass',
  title: 'Null byte injection bypasses the file type filter',
  cwe: 626,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker downloads files that the filter withholds, such as backups and configuration.',
  why: 'The application decides by the end of the file name what may be downloaded, but the file system stops at the null byte. An attacker appends an encoded null byte and an allowed extension, and downloads any file of the directory. The file was refused under its own name and returned with the null byte.',
  fix: 'Reject file names that contain a null byte, and validate the decoded name that is passed to the file system. Move files that are not public out of the directory.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/11.1-Testing_for_Local_File_Inclusion',
    'https://cheatsheetseries.owasp.org/cheatsheets/Input_Validation_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/626.html',
  ],
  risk: 'harmless',
  appliesTo: (site, known) => refusedAt(site, known).length > 0,
  variants: [] as Variant[],
  async probe(site, _nonce, { ask, known }) {
    for (const variant of refusedAt(site, known).slice(0, MOST_FILES)) {
      if (isShown(await ask({ method: 'GET', url: withByte(variant) }, null))) return [variant];
    }
    return [];
  },
  maxRequests: 12,
  placeOf: (_site, { url }) => url,
  proof: {
    plan(_site, variant, { word }) {
      const missing = folderOf(variant.url) + word + (endingOf(variant.url) ?? '');
      const ask = (url: string) => ({ request: { method: 'GET', url }, as: null });
      return {
        refused: { label: 'file under its own name', ...ask(variant.url), isControl: true },
        open: {
          label: 'same file with a null byte and an allowed extension',
          ...ask(withByte(variant)),
          answer: { isConfidential: true },
        },
        missing: {
          label: 'file that does not exist, with a null byte and an allowed extension',
          ...ask(withByte(variant, missing)),
          isControl: true,
        },
      };
    },
    judge({ refused, open, missing }) {
      const isOther = textOf(open) !== textOf(refused) && textOf(open) !== textOf(missing);
      return isShown(open) && !isShown(refused) && !isShown(missing) && isOther ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const files: Readonly<Record<string, string>> = { 'terms.md': 'Be kind.', 'accounts.bak': 'alice, bob' };
    const answer = (path: string, opened: string) => {
      if (!path.endsWith('.md')) return { status: 403, body: 'Only .md files are sent.' };
      const body = files[opened.split('/').at(-1) ?? ''];
      return body === undefined ? { status: 404 } : { body };
    };
    const decoded = (path: string) => decodeURIComponent(decodeURIComponent(path));
    return {
      item: { method: 'GET', url: '/papers/terms.md', parameters: [], seenAs: null, contentType: 'text/markdown' },
      refused: [{ as: null, url: '/papers/accounts.bak' }],
      vulnerable: ({ path }) => answer(path, decoded(path).replace(/\0.*$/s, '')),
      safe: ({ path }) => answer(path, decoded(path)),
    };
  },
});
