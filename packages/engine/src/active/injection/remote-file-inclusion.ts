import { at, definePointCheck, type LabTools } from '../../active-check.ts';
import { judgeComputed } from '../../oracle/computed.ts';

/** What the target puts behind the value is cut off, or stays. */
type Variant = (url: string) => string;

const LABELS = { base: 'unchanged value', attack: 'address of a program that multiplies two numbers' } as const;

const NAMES =
  /(?:file|page|path|template|tpl|include|inc|layout|theme|module|view|lang(?:uage)?|doc(?:ument)?|url|src|content|section|load)$/i;

export default definePointCheck<Variant>({
  id: 'remote-file-inclusion',
  flaw: { name: 'server-side-request-forgery', rank: 1 },
  title: 'A parameter names a program elsewhere, and the server runs it',
  cwe: 98,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  why: 'The server has fetched a program from our listener and run it: the page shows what it computes. Whoever names another program has the server run that, with all the rights of the site.',
  fix: 'Include only files of a list that you keep, and let the parameter choose among them. In PHP, set allow_url_include and allow_url_fopen to off.',
  risk: 'harmless',
  locations: ['query', 'path', 'form', 'json', 'cookie'],
  appliesTo: ({ parameter: { name, value } }) => NAMES.test(name) || /\.(?:php\d?|phtml|inc|tpl|html?)$/i.test(value),
  needsOutside: true,
  variants: [(url) => `${url}?`, (url) => url],
  maxRequests: 6,
  proof: {
    plan(point, write, { word }, { outside }) {
      if (!outside) return [];
      const calling = { tag: word, kind: 'http' } as const;
      return [
        at(point, LABELS.base, point.parameter.value),
        at(point, LABELS.attack, write(outside.programFor(word).url), { calling }),
      ];
    },
    judge(answers, _variant, { word }, _point, { outside }) {
      if (!outside || !answers.get(LABELS.attack)?.heard?.some(({ kind }) => kind === 'http')) return 'VOID';
      // Whoever only shows the program has fetched it, which is another flaw.
      return judgeComputed(answers, { [LABELS.attack]: outside.programFor(word).prints }, [LABELS.base]);
    },
  },
  lab(tools?: LabTools) {
    const run = (program: string) =>
      program.replace(/<\?php echo (\d+)\*(\d+);\?>/, (_, a: string, b: string) => String(Number(a) * Number(b)));
    const load = async (page: string) =>
      page.startsWith('http://') ? ((await tools?.get(`${page}.php`)) ?? '') : 'Welcome to the shop';
    return {
      parameter: 'page',
      value: 'start',
      vulnerable: async (page) => ({ body: run(await load(page)) }),
      safe: async (page) => ({ body: await load(page) }),
    };
  },
});
