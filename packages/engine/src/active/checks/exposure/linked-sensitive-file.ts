import { isGiven } from '../../../oracle/private-content.ts';
import { defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';
import type { Observation } from '../../experiment.ts';

/** A kind of sensitive file, recognised by extension and leading bytes. */
interface Kind {
  what: string;
  ending: RegExp;
  begins(head: Buffer): boolean;
  /** Some are published on purpose. */
  mayBePublic?: boolean;
}

type KindName = 'passwordManager' | 'privateKey' | 'database' | 'dump' | 'mailbox';

interface Variant {
  kind: KindName;
  url: string;
}

const HEAD_BYTES = 4_096;
const MOST_FILES = 20;

const text = (head: Buffer) => head.toString('latin1');
/** Magic bytes of file formats, in hex. */
const magic =
  (...starts: string[]) =>
  (head: Buffer) =>
    starts.some((start) => head.toString('hex').startsWith(start));

const KINDS: Readonly<Record<KindName, Kind>> = {
  passwordManager: {
    what: 'a password manager database',
    ending: /\.kdbx?$/i,
    begins: magic('03d9a29a65fb4bb5', '03d9a29a67fb4bb5'),
  },
  privateKey: {
    what: 'a private key',
    ending: /\.(?:pem|key|ppk|asc)$|\/id_(?:rsa|dsa|ecdsa|ed25519)$/i,
    begins: (head) => /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY|^PuTTY-User-Key-File-\d/.test(text(head)),
  },
  database: {
    what: 'a database',
    ending: /\.(?:sqlite3?|db3?)$/i,
    begins: magic(Buffer.from('SQLite format 3\0').toString('hex')),
    mayBePublic: true,
  },
  dump: {
    what: 'a database dump',
    ending: /\.sql$/i,
    begins: (head) => /^-- (?:MySQL|MariaDB|PostgreSQL database) dump/m.test(text(head)),
    mayBePublic: true,
  },
  mailbox: { what: 'an Outlook mailbox', ending: /\.pst$/i, begins: magic('2142444e') },
};
const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** Returns sensitive files that are linked or listed without an account. */
function filesAt({ origin }: Site, { inventory }: Known): Variant[] {
  const open = inventory.filter(
    ({ url, method, seenAs }) => method === 'GET' && seenAs === null && url.startsWith(`${origin}/`),
  );
  const urls = [...new Set(open.map(({ url }) => url.replace(/[?#].*$/s, '')))];
  return urls.flatMap((url) => {
    const kind = KIND_NAMES.find((name) => KINDS[name].ending.test(new URL(url).pathname));
    return kind ? [{ kind, url }] : [];
  });
}

const isOf = (kind: KindName, { response }: Pick<Observation, 'response'>) =>
  response !== null && isGiven(response) && KINDS[kind].begins(response.body.subarray(0, HEAD_BYTES));

export default defineSiteCheck({
  id: 'linked-sensitive-file',
  family: { name: 'exposed-file', by: 'place' },
  title: 'Sensitive file exposed: keys, passwords or database',
  cwe: 538,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker downloads the file and uses the keys, passwords or records in it.',
  why: 'The site links or lists the file and serves it without authentication. An attacker reads it at once, or cracks its password offline without any limit on attempts.',
  fix: 'Remove the file from the web root and check the access logs for downloads. Replace every key and password that it contains.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://cwe.mitre.org/data/definitions/538.html',
  ],
  risk: 'harmless',
  appliesTo: (site, known) => filesAt(site, known).length > 0,
  variants: [] as Variant[],
  async probe(site, _nonce, { ask, known }) {
    const found: Variant[] = [];
    for (const variant of filesAt(site, known).slice(0, MOST_FILES)) {
      const exchange = await ask({ method: 'GET', url: variant.url, bodyBytes: HEAD_BYTES }, null);
      if (isOf(variant.kind, exchange)) found.push(variant);
    }
    return found;
  },
  maxRequests: 60,
  placeOf: (_site, { url }) => url,
  describe({ kind }) {
    return { why: `By its first bytes the file contains ${KINDS[kind].what}. ${this.why}` };
  },
  proof: {
    plan: (_site, { url }, { word }) => ({
      file: {
        label: 'the file',
        request: { method: 'GET', url, bodyBytes: HEAD_BYTES },
        as: null,
        answer: { isConfidential: true },
      },
      sibling: {
        label: 'a file next to it that does not exist',
        request: { method: 'GET', url: url.replace(/[^/]*?(\.\w+)?$/, `${word}$1`), bodyBytes: HEAD_BYTES },
        as: null,
        isControl: true,
      },
    }),
    judge({ file, sibling }, { kind }) {
      if (!isOf(kind, file) || isOf(kind, sibling)) return 'REFUTED';
      return KINDS[kind].mayBePublic ? 'LIKELY' : 'PROVED';
    },
  },
  lab() {
    const url = '/papers/shop.key';
    return {
      item: { method: 'GET', url, parameters: [], seenAs: null, contentType: 'application/octet-stream' },
      vulnerable: ({ path }) => (path === url ? { body: '-----BEGIN EC PRIVATE KEY-----' } : { status: 404 }),
      safe: ({ path }) => (path === url ? { body: 'Ask Anna for the passwords.' } : { status: 404 }),
    };
  },
});
