import { judgeComputed } from '../../../oracle/computed.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { at } from '../../experiment.ts';
import type { LabTools } from '../../lab.ts';

const NAMES =
  /(?:file|page|path|template|tpl|include|inc|layout|theme|module|view|lang(?:uage)?|doc(?:ument)?|url|src|content|section|load)$/i;

export default definePointCheck({
  id: 'remote-file-inclusion',
  flaw: { name: 'server-side-request-forgery', rank: 1 },
  title: 'Remote file inclusion (RFI)',
  cwe: 98,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  impact: 'An attacker makes the server run code from a server of their own, with the privileges of the application.',
  why: 'The server fetches the file that the value names and executes it. An attacker runs arbitrary code with the privileges of the application. The server fetched a script from our listener, and the response contained the product that only the executed script computes.',
  fix: 'Include only files from an allowlist and let the parameter select among them. In PHP, set allow_url_include and allow_url_fopen to Off.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/11.2-Testing_for_Remote_File_Inclusion',
    'https://cwe.mitre.org/data/definitions/98.html',
  ],
  risk: 'harmless',
  locations: ['query', 'path', 'form', 'json', 'xml', 'cookie'],
  appliesTo: ({ parameter: { name, value } }) => NAMES.test(name) || /\.(?:php\d?|phtml|inc|tpl|html?)$/i.test(value),
  needsOutside: true,
  // Follows the URL: a question mark cuts off a suffix that the target appends.
  variants: ['?', ''],
  maxRequests: 6,
  proof: {
    plan(point, end, { word }, { outside }) {
      if (!outside) return undefined;
      const calling = { tag: word, kind: 'http' } as const;
      const url = `${outside.programFor(word).url}${end}`;
      return {
        base: at(point, 'unchanged value', point.parameter.value, { isControl: true }),
        attack: at(point, 'URL of a script that multiplies two numbers', url, { calling }),
      };
    },
    judge({ base, attack }, _end, { word }, _point, { outside }) {
      if (!outside || !attack.heard?.some(({ kind }) => kind === 'http')) return 'VOID';
      // A response that shows the script unexecuted is a different flaw (SSRF).
      return judgeComputed([[attack, outside.programFor(word).prints]], [base]);
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
