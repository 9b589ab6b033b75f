import { headerOf } from '../../../http/exchange/headers.ts';
import { isRefused } from '../../../oracle/refusal.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { at, type Observation } from '../../experiment.ts';
import { isEncoded, requestWith } from '../../insertion-point.ts';

interface Variant {
  lineBreak: string;
  /** Sent without encoding. */
  isRaw?: boolean;
}

const nameOf = (word: string) => `x-${word}`;
const written = (lineBreak: string, word: string) => `${lineBreak}${nameOf(word)}:${word}`;
const hasHeader = ({ response }: Pick<Observation, 'response'>, word: string) =>
  headerOf(response?.headers ?? [], nameOf(word))
    ?.trim()
    .startsWith(word) ?? false;

const VARIANTS: readonly Variant[] = [
  { lineBreak: '\r\n' },
  { lineBreak: '\n' },
  { lineBreak: '\r' },
  // These characters become CR and LF if they are truncated to their low byte.
  { lineBreak: '\u560d\u560a' },
  { lineBreak: '%0d%0a' },
  { lineBreak: '%u000d%u000a', isRaw: true },
];

export default definePointCheck({
  id: 'crlf-injection',
  title: 'HTTP response header injection (CRLF injection)',
  cwe: 113,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N',
  needsNoAccount: true,
  impact: 'An attacker sets cookies or runs scripts in the session of a visitor who opens a crafted link.',
  why: 'The value is written to a response header including its line breaks. An attacker who lures a visitor to a link sets cookies in their browser or replaces the page (response splitting). A line break in the value added a header of our choice to the response; the same text without the line break did not.',
  fix: 'Reject or encode CR and LF in values that become part of a header. Update the web server and framework: current versions reject such headers.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/15-Testing_for_HTTP_Splitting_Smuggling',
    'https://owasp.org/www-community/vulnerabilities/CRLF_Injection',
    'https://cwe.mitre.org/data/definitions/113.html',
  ],
  risk: 'harmless',
  locations: ['query', 'path', 'form', 'json', 'graphql', 'cookie'],
  appliesTo: () => true,
  isWorthTrying: ({ isInHeader }) => isInHeader,
  variants: VARIANTS,
  maxRequests: 12,
  async probe(point, { word }, { ask }) {
    const { value } = point.parameter;
    const all = VARIANTS.map(({ lineBreak }) => written(lineBreak, word)).join('');
    const answer = await ask(requestWith(point, `${value}${all}`));
    // A response that cannot be parsed any more is worth a closer look.
    if (answer.response && !hasHeader(answer, word)) return [];
    for (const variant of VARIANTS.filter(({ isRaw }) => !isRaw || isEncoded(point))) {
      const start = variant.isRaw ? encodeURIComponent(value) : value;
      const answer = await ask(requestWith(point, `${start}${written(variant.lineBreak, word)}`, variant.isRaw));
      if (hasHeader(answer, word)) return [variant];
    }
    return [];
  },
  proof: {
    plan(point, { lineBreak, isRaw = false }, { word }) {
      const { value } = point.parameter;
      const start = isRaw ? encodeURIComponent(value) : value;
      const header = `${start}${written('', word)}`;
      return {
        base: at(point, 'unchanged value', value, { isControl: true }),
        attack: at(point, 'line break followed by a header', `${start}${written(lineBreak, word)}`, { isRaw }),
        control: at(point, 'same header without the line break', header, { isRaw, isControl: true }),
      };
    },
    judge({ base, attack, control }, _variant, { word }) {
      const isProved = hasHeader(attack, word) && !hasHeader(base, word) && !hasHeader(control, word);
      if (isProved) return 'PROVED';
      return isRefused([attack], [base, control]) ? 'VOID' : 'REFUTED';
    },
  },
  lab: () => ({
    parameter: 'lang',
    value: 'en',
    vulnerable(value) {
      // Writes headers line by line, like a simple server.
      const lines = `content-language: ${value}\r\nx-shop: tea`.split(/\r?\n/);
      const pairs = lines.map((line) => /^([\w-]+): ?(.*)$/.exec(line)?.slice(1, 3) ?? ['', '']);
      return { headers: Object.fromEntries(pairs.filter(([name]) => name)), body: 'Tea' };
    },
    safe: (value) => ({ headers: { 'content-language': encodeURIComponent(value) }, body: `Tea in ${value}` }),
  }),
});
