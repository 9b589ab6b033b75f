import { at, definePointCheck, type Observation } from '../../active-check.ts';
import { headerOf } from '../../http/headers.ts';
import { isRefused } from '../../oracle/refusal.ts';
import { isEncoded, requestWith } from '../../point.ts';

/** What ends a header, and whether it is written into the request as it is. */
interface Variant {
  lineBreak: string;
  isRaw?: boolean;
}

const LABELS = {
  base: 'unchanged value',
  attack: 'value with a line break and a header of its own',
  control: 'the same header without the line break',
} as const;

const nameOf = (word: string) => `x-${word}`;
const written = (lineBreak: string, word: string) => `${lineBreak}${nameOf(word)}:${word}`;
const hasHeader = ({ response }: Pick<Observation, 'response'>, word: string) =>
  headerOf(response?.headers ?? [], nameOf(word))
    ?.trim()
    .startsWith(word) ?? false;

export default definePointCheck<Variant>({
  id: 'header-injection',
  title: 'A link can add headers to the answer of the site',
  cwe: 113,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  why: 'The value becomes part of a header of the answer, with its line breaks. Whoever makes the link can set cookies in the visitor’s browser, or write a page of their own under your address.',
  fix: 'Refuse line breaks in what becomes part of a header, or encode the value as for an address. Current versions of most web servers and frameworks do so by themselves.',
  risk: 'harmless',
  locations: ['query', 'path', 'form', 'json', 'graphql', 'cookie'],
  appliesTo: () => true,
  isWorthTrying: ({ isInHeader }) => isInHeader,
  variants: [
    { lineBreak: '\r\n' },
    { lineBreak: '\n' },
    { lineBreak: '\r' },
    // Their last bytes are those of a line break, where characters are cut to one byte.
    { lineBreak: '\u560d\u560a' },
    { lineBreak: '%0d%0a' },
    { lineBreak: '%u000d%u000a', isRaw: true },
  ],
  maxRequests: 12,
  async probe(point, { word }, { ask }) {
    const { value } = point.parameter;
    const all = this.variants.map(({ lineBreak }) => written(lineBreak, word)).join('');
    const answer = await ask(requestWith(point, `${value}${all}`));
    // An answer that cannot be read any more is worth a closer look.
    if (answer.response && !hasHeader(answer, word)) return [];
    for (const variant of this.variants.filter(({ isRaw }) => !isRaw || isEncoded(point))) {
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
      return [
        at(point, LABELS.base, value),
        at(point, LABELS.attack, `${start}${written(lineBreak, word)}`, { isRaw }),
        at(point, LABELS.control, `${start}${written('', word)}`, { isRaw }),
      ];
    },
    judge(answers, _variant, { word }) {
      const [base, attack, control] = Object.values(LABELS).map((label) => answers.get(label));
      if (!base?.response || !attack?.response || !control?.response) return 'VOID';
      const isProved = hasHeader(attack, word) && !hasHeader(base, word) && !hasHeader(control, word);
      if (isProved) return 'PROVED';
      return isRefused([attack], [base, control]) ? 'VOID' : 'REFUTED';
    },
  },
  lab: () => ({
    parameter: 'lang',
    value: 'en',
    vulnerable(value) {
      // As a server that writes headers line by line.
      const lines = `content-language: ${value}\r\nx-shop: tea`.split(/\r?\n/);
      const pairs = lines.map((line) => /^([\w-]+): ?(.*)$/.exec(line)?.slice(1, 3) ?? ['', '']);
      return { headers: Object.fromEntries(pairs.filter(([name]) => name)), body: 'Tea' };
    },
    safe: (value) => ({ headers: { 'content-language': encodeURIComponent(value) }, body: `Tea in ${value}` }),
  }),
});
