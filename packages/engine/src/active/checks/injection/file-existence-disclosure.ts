import { areAlike, judgeTwoSided } from '../../../oracle/two-sided.ts';
import { definePointCheck, type Point } from '../../define-active-check.ts';
import { at } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import { mayMean } from '../../triage.ts';

/** How the root of the file system is reached, and what is asked for there. */
type Variant = keyof typeof VARIANTS;

interface Files {
  /** Two paths that exist. */
  known: readonly [string, string];
  /**
   * Paths with the same names that do not exist and cannot be created: a filter that looks for the names treats them
   * like those that do.
   */
  missing(word: string): readonly [string, string, string];
}

/** Every Unix system has these files. */
const SYSTEM: Files = {
  known: ['etc/passwd', 'etc/hosts'],
  missing: (word) => [`etc/passwd/${word}`, `etc/hosts${word}`, `etc/${word}`],
};
/**
 * A device that can be opened by anything without an effect, also to write. Its second path is longer than those that
 * do not exist, and has more folders.
 */
const DEVICE: Files = {
  known: ['dev/null', `dev/${'./'.repeat(20)}null`],
  missing: (word) => [`dev/null/${word}`, `dev/${word}/null`, `${word}/dev/null`],
};

const CLIMBING = '../'.repeat(9);
const DOUBLED = '....//'.repeat(9);
const VARIANTS = {
  climbingToDevice: { root: CLIMBING, files: DEVICE },
  absoluteToDevice: { root: '/', files: DEVICE },
  doubledToDevice: { root: DOUBLED, files: DEVICE },
  climbing: { root: CLIMBING, files: SYSTEM },
  absolute: { root: '/', files: SYSTEM },
  doubled: { root: DOUBLED, files: SYSTEM },
};
const NAMES_OF_VARIANTS = Object.keys(VARIANTS) as Variant[];

const NAMES = /file|path|doc|template|include|dir|folder|load|img|image|lang|layout|attachment/i;

const looksLikeFile = ({ parameter: { name, value } }: Point) =>
  NAMES.test(name) || /^[\w./\\-]{1,200}\.[a-z0-9]{2,5}$/i.test(value);

/** The word in letters only: some filters permit no digits, and names of system files have none. */
const lettersOf = (word: string) => word.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');

export default definePointCheck({
  id: 'file-existence-disclosure',
  provesInterpreter: true,
  title: 'Path traversal: response discloses which files exist',
  cwe: 22,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker learns which files and programs the server has, and often reads or writes them as well.',
  why: "The value becomes part of a file path, and '../' sequences or a slash at its beginning leave the intended directory. The response does not contain the file, but depends on whether it exists. An attacker learns which software is installed, and what the application does with the file may have further effects. Paths of system files got one response; paths with the same names that do not exist got another one.",
  fix: 'Do not build file paths from request data: map ids to file names. Otherwise resolve the complete path, with symbolic links, and reject results outside of the intended directory before anything is done with the file.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/01-Testing_Directory_Traversal_File_Include',
    'https://cheatsheetseries.owasp.org/cheatsheets/Input_Validation_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/22.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  locations: ['query', 'path', 'form', 'json', 'xml', 'multipart', 'graphql', 'cookie', 'header'],
  appliesTo: () => true,
  isWorthTrying: (triage, point) => looksLikeFile(point) || (triage.isStable && mayMean(triage, 'folder', 'newFile')),
  variants: NAMES_OF_VARIANTS,
  maxRequests: 26,
  async probe(point, { word }, { ask, look }) {
    // A program that writes the file could destroy one that exists.
    const isWritten = look?.meanings?.has('newFile') === true;
    for (const variant of NAMES_OF_VARIANTS) {
      const { root, files } = VARIANTS[variant];
      if (isWritten && files !== DEVICE) continue;
      const paths = [files.known[0], files.missing(lettersOf(word))[0]];
      const [known, unknown] = paths.map((path) => requestWith(point, root + path));
      if (known && unknown && !areAlike(await ask(known), await ask(unknown))) return [variant];
    }
    return [];
  },
  proof: {
    plan(point, variant, { word }) {
      const { root, files } = VARIANTS[variant];
      const written = (label: string, path: string, isControl = false) =>
        at(point, label, root + path, { ...(isControl && { isControl }) });
      const name = lettersOf(word);
      const [below, longer, other] = files.missing(name);
      return {
        plain: at(point, 'random name', name, { isControl: true }),
        known: written('a file of every Unix system', files.known[0]),
        below: written('path below this file, which cannot exist', below, true),
        alsoKnown: written('another path of a file of every Unix system', files.known[1]),
        longer: written('its name in a path that does not exist', longer, true),
        other: written('another path that does not exist', other, true),
      };
    },
    judge: ({ plain, known, alsoKnown, below, longer, other }, variant) =>
      judgeTwoSided({
        trues: [known, alsoKnown],
        falses: [below, longer, other],
        // A file of any name can be written.
        broken: VARIANTS[variant].files === DEVICE ? [] : [plain],
        harmless: [plain],
      }),
  },
  lab() {
    const { resolve } = process.getBuiltinModule('node:path').posix;
    const folder = '/srv/shop/documents';
    const files = new Set(['/etc/passwd', '/etc/hosts', `${folder}/terms.txt`]);
    const tell = (isThere: boolean) => ({ body: isThere ? 'We have that.' : 'We do not have that.' });
    return {
      parameter: 'file',
      value: 'terms.txt',
      vulnerable: (value) => tell(files.has(resolve(folder, value))),
      // A filter blocks the names of system files, with a page of its own.
      safe(value) {
        if (/etc\/(?:passwd|hosts)/.test(value)) return { body: 'Blocked.' };
        return tell(resolve(folder, value).startsWith(`${folder}/`) && files.has(resolve(folder, value)));
      },
    };
  },
});
