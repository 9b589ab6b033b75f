import { readPage } from '../../../crawl/readers/read-page.ts';
import { compareAll, isGiven, textOf } from '../../../oracle/private-content.ts';
import passive from '../../../passive/checks/exposure/directory-listing.ts';
import { defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';

interface Variant {
  folder: string;
  /** A file named in the listing. */
  file: string;
}

const MOST_FOLDERS = 24;
/** Leaves requests for folders that nothing links to, even on a site with many files. */
const MOST_SEEN = 12;
const USUAL = ['/uploads/', '/backup/', '/files/', '/images/', '/static/', '/logs/', '/ftp/', '/.well-known/'];

/**
 * Folders that were requested come first, then folders of files, then others, because page URLs rarely map to folders.
 */
function foldersAt({ origin }: Site, { inventory }: Known): string[] {
  const paths = inventory
    // JSON responses are not directory listings.
    .filter(
      ({ url, method, contentType }) => url.startsWith(`${origin}/`) && method === 'GET' && !/json/i.test(contentType),
    )
    .map(({ url }) => url.replace(/[?#].*$/s, ''));
  const folders = (of: readonly string[]) => of.map((url) => url.replace(/[^/]*$/, ''));
  const open = paths.filter((url) => url.endsWith('/'));
  const ofFiles = folders(paths.filter((url) => /[^/]\.\w{1,5}$/.test(url)));
  const usual = USUAL.map((path) => origin + path);
  const isFolder = (folder: string) => folder !== `${origin}/`;
  const seen = [...new Set([...open, ...ofFiles])].filter(isFolder).slice(0, MOST_SEEN);
  return [...new Set([...seen, ...usual, ...folders(paths)])].filter(isFolder).slice(0, MOST_FOLDERS);
}

/** Uses the detection of the passive check. */
function isListing(url: string, text: string): boolean {
  const nothing = { url: new URL('http://nowhere.invalid/'), status: 404, body: '' };
  const evidence = { mainDocument: nothing, directories: [{ url, status: 200, headers: [], body: text }] };
  return [...passive.run(evidence as unknown as Parameters<typeof passive.run>[0])].length > 0;
}

/** Returns links to files in the folder, without subfolders. */
const filesOf = (folder: string, text: string) =>
  readPage(text, folder)
    .links.map(({ url }) => url)
    .filter((url) => url.startsWith(folder) && /[^/]$/.test(url) && !url.includes('?') && url !== folder);

export default defineSiteCheck({
  id: 'directory-listing',
  title: 'Directory listing enabled',
  cwe: 548,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker finds and downloads files that no page links to, such as backups, exports and drafts.',
  why: 'The web server lists the files of this directory. An attacker finds backups, drafts and uploads that no page links to. The listing named a file that could be downloaded; a directory that does not exist returned no listing.',
  fix: 'Disable directory listings (Apache: Options -Indexes, nginx: autoindex off), or place an index page in the directory. Remove files that are not meant to be public.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://cwe.mitre.org/data/definitions/548.html',
  ],
  risk: 'harmless',
  appliesTo: () => true,
  variants: [{ folder: '', file: '' }],
  async probe(site, _nonce, { ask, known }) {
    const found: Variant[] = [];
    for (const folder of foldersAt(site, known)) {
      const exchange = await ask({ method: 'GET', url: folder });
      const [file] = exchange.response?.status === 200 ? filesOf(folder, textOf(exchange)) : [];
      if (file !== undefined && isListing(folder, textOf(exchange))) found.push({ folder, file });
    }
    return found;
  },
  maxRequests: 80,
  placeOf: (_site, { folder }) => folder,
  proof: {
    plan: (_site, { folder, file }, { word }) => ({
      list: { label: 'the folder', request: { method: 'GET', url: folder } },
      file: {
        label: 'a file that the list names',
        request: { method: 'GET', url: file, bodyBytes: 1_000 },
        answer: { isConfidential: true },
      },
      elsewhere: {
        label: 'a folder that does not exist',
        request: { method: 'GET', url: `${folder}${word}/` },
        isControl: true,
      },
    }),
    judge(answers, { folder, file }) {
      const compared = compareAll(answers);
      if (!compared) return 'VOID';
      const { list, elsewhere } = compared;
      const isList = isGiven(list) && isListing(folder, list.text) && filesOf(folder, list.text).includes(file);
      const isCommon = isGiven(elsewhere) && isListing(folder, elsewhere.text);
      return isList && isGiven(compared.file) && !isCommon ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => ({
    item: { method: 'GET', url: '/images/cup.png', parameters: [], seenAs: null, contentType: 'image/png' },
    vulnerable({ path }) {
      if (path === '/images/cup.png') return { body: 'a cup' };
      const headers = { 'content-type': 'text/html' };
      return path === '/images/'
        ? { headers, body: '<title>Index of /images/</title><a href="../">..</a><a href="cup.png">cup.png</a>' }
        : { status: 404 };
    },
    safe: ({ path }) =>
      path === '/images/cup.png' ? { body: 'a cup' } : { body: '<h1>Images</h1><a href="cup.png">A cup</a>' },
  }),
});
