import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import { headerOf } from '../../../http/exchange/headers.ts';
import { judgeComputed, shows } from '../../../oracle/computed.ts';
import { callWith } from '../../../oracle/payloads.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { type Asking, defineRequestCheck } from '../../define-active-check.ts';
import { cleanUp, type Nonce } from '../../experiment.ts';
import type { LabRequest } from '../../lab.ts';
import { pagesAfter, requestWithAll } from '../../shared/stored-marks.ts';

interface Variant {
  /** What the server or the browser treats the file as. */
  kind: 'program' | 'page';
  /** URL of the uploaded file, with NAME in place of the file name. */
  place: string;
  file: Parameter;
}

const ENDINGS = { program: 'php', page: 'html' } as const;
const NAME = 'NAME';
const FOLDERS = ['uploads/', 'files/', '/uploads/', '/upload/', '/files/', '/media/'];
const MOST_PAGES = 3;

const fileOf = ({ parameters }: InventoryItem) => {
  const named = parameters.find(({ location }) => location === 'fileName');
  const file = parameters.find(({ location, name }) => location === 'multipart' && name === named?.name);
  return named && file && { named, file };
};

function requestFor(item: InventoryItem, fileName: string, content: string) {
  const { named, file } = fileOf(item) ?? {};
  const values = named && file ? ([[file, content] as const, [named, fileName] as const] as const) : [];
  return requestWithAll(item, values);
}

/**
 * The program outputs a product that is not in the file; the page makes a callback when opened. Neither does anything
 * else.
 */
function contentOf(kind: Variant['kind'], { word, numbers: [a, b] }: Nonce): string {
  return kind === 'program' ? `${word} <?php echo ${a} * ${b}; ?>` : `<script>${callWith(word)}</script>`;
}

const placeOf = ({ place }: Variant, fileName: string) => place.replace(NAME, fileName);

/** Returns URLs in a text that end with the file name. */
function addressesIn(text: string, fileName: string, base: string): string[] {
  const pattern = new RegExp(`[^\\s"'<>(),;]{0,200}${fileName.replace('.', '\\.')}`, 'g');
  return [...text.matchAll(pattern)].flatMap(([found]) => URL.parse(found.replaceAll('\\', ''), base)?.href ?? []);
}

/** Yields URLs from the response, from related pages, and from common upload folders. */
async function* places(item: InventoryItem, sent: Exchange, fileName: string, { ask, known }: Asking) {
  const location = headerOf(sent.response?.headers ?? [], 'location') ?? '';
  yield* addressesIn(`${textOf(sent)} ${location}`, fileName, item.url);
  for (const { url, as } of pagesAfter(item, sent, known).slice(0, MOST_PAGES)) {
    yield* addressesIn(textOf(await ask({ method: 'GET', url }, as)), fileName, url);
  }
  yield* FOLDERS.map((folder) => new URL(folder + fileName, item.url).href);
}

async function findPlace(item: InventoryItem, word: string, asking: Asking): Promise<string | undefined> {
  const fileName = `${word}.txt`;
  await asking.willChange([]);
  const sent = await asking.ask(requestFor(item, fileName, `${word}content`));
  const asked = new Set<string>();
  for await (const url of places(item, sent, fileName, asking)) {
    if (asked.has(url) || new URL(url).origin !== new URL(item.url).origin) continue;
    asked.add(url);
    if (shows(await asking.ask({ method: 'GET', url }), `${word}content`)) return url.replace(fileName, NAME);
  }
  return undefined;
}

export default defineRequestCheck({
  id: 'unrestricted-file-upload',
  title: 'Unrestricted file upload: uploaded HTML runs on the site',
  cwe: 434,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N',
  impact:
    'An attacker uploads a page whose scripts run in the session of every user who opens it, and acts in their name.',
  why: 'The site serves uploaded HTML files from its own origin. Scripts in them run in the session of every user who opens the file (stored cross-site scripting). A page that the test uploaded ran a script in the browser. The test uploaded small files named "s" and twelve hexadecimal digits; it replaced their content with a single word, but they are still there.',
  fix: 'Accept only the file types that are needed, by content, and choose file names on the server. Serve uploads from a separate host, or with Content-Disposition: attachment and X-Content-Type-Options: nosniff. Delete the files that the test uploaded.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/10-Business_Logic_Testing/08-Test_Upload_of_Unexpected_File_Types',
    'https://cwe.mitre.org/data/definitions/434.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  needsBrowser: true,
  appliesTo: (item) => (item.method === 'POST' || item.method === 'PUT') && fileOf(item) !== undefined,
  variants: [] as Variant[],
  maxRequests: 40,
  async probe(item, { word }, asking): Promise<Variant[]> {
    const { file } = fileOf(item) ?? {};
    const place = file && (await findPlace(item, word, asking));
    if (!file || place === undefined) return [];
    return [
      { kind: 'program', place, file },
      { kind: 'page', place, file },
    ];
  },
  parameterOf: (_item, { file }) => file,
  describe: ({ kind }) =>
    kind === 'page'
      ? {}
      : {
          title: 'Unrestricted file upload: uploaded code runs on the server',
          cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
          cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
          impact:
            'An attacker runs arbitrary code on the server with the privileges of the application by uploading a file.',
          asvs: '5.3.1',
          why: 'The server executes uploaded files. An attacker uploads a script and runs arbitrary code with the privileges of the application. A file that the test uploaded multiplied two numbers on the server. The test replaced its files with a single word, but they are still there.',
        },
  proof: {
    plan(item, variant, nonce) {
      const { kind } = variant;
      const fileName = `${nonce.word}.${ENDINGS[kind]}`;
      return {
        upload: {
          label: 'file upload',
          request: requestFor(item, fileName, contentOf(kind, nonce)),
          change: { leavesTraces: true },
        },
        other: {
          label: 'file next to it that was not uploaded',
          request: { method: 'GET', url: placeOf(variant, `o${fileName}`) },
          isControl: true,
        },
        open: {
          label: 'uploaded file, requested',
          request: { method: 'GET', url: placeOf(variant, fileName) },
          ...(kind === 'page' && { browser: { awaited: nonce.word } }),
        },
        replace: cleanUp({
          label: 'uploaded file replaced by a single word',
          request: requestFor(item, fileName, 'test'),
        }),
      };
    },
    judge({ open, other }, { kind }, { word, numbers: [a, b] }) {
      if (kind === 'program') return judgeComputed([[open, `${word} ${a * b}`]], [other]);
      if (!open.calls) return 'VOID';
      return open.calls.includes(word) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    return {
      item: {
        method: 'POST',
        url: '/pictures',
        parameters: [
          { location: 'multipart', name: 'picture', value: 'test' },
          { location: 'fileName', name: 'picture', value: 'test.txt' },
        ],
        seenAs: 'alice',
        contentType: 'text/html',
      },
      vulnerable: album(false),
      safe: album(true),
    };
  },
});

/** Stores each file under its own name and serves it as a download or by its extension. */
function album(isDownload: boolean) {
  const files = new Map<string, string>();
  return ({ method, path, body }: LabRequest) => {
    if (method === 'POST') {
      const [, name = '', content = ''] = /filename="([^"]*)".*?\r\n\r\n(.*?)\r\n--/s.exec(body) ?? [];
      files.set(name, content);
      return { headers: { 'content-type': 'text/html' }, body: `<p>album/${name} was added.</p>` };
    }
    const content = files.get(path.split('/').at(-1) ?? '');
    if (content === undefined) return { status: 404 };
    const type = path.endsWith('.html') && !isDownload ? 'text/html' : 'application/octet-stream';
    return { headers: { 'content-type': type }, body: content };
  };
}
