import { judgeComputed, shows } from '../../../oracle/computed.ts';
import { at, definePointCheck, type Nonce } from '../../define-active-check.ts';
import { requestWith } from '../../insertion-point.ts';
import { firstToShow } from '../../shared/try-variants.ts';

/** A directive between two marks, and the text that replaces it. */
interface Variant {
  write(first: string, second: string, nonce: Nonce): string;
  /** Markup of the same form that is not a directive. */
  control(first: string, second: string, nonce: Nonce): string;
  between(nonce: Nonce): string;
}

const LABELS = {
  base: 'unchanged value',
  attack: 'directive that the server replaces',
  control: 'markup of the same form without meaning',
} as const;

const marksOf = ({ word }: Nonce) => [word.slice(0, 7), `z${word.slice(7)}`] as const;
/** The control has other marks: with the same ones, a target that wants unique values would refuse it. */
const marksOfControl = ({ word }: Nonce) => [`y${word.slice(7)}`, `x${word.slice(1, 7)}`] as const;
const expected = ({ between }: Variant, nonce: Nonce) => marksOf(nonce).join(between(nonce));
const nothing = () => '';

/** The first mark is inside the comments, so a filter that strips comments shows only the second mark. */
const ofServer = (sign: string) => (first: string, second: string) =>
  `<!--${sign}set var="s" value="${first}" --><!--${sign}echo var="s" -->${second}`;
const ofEdge = (prefix: string) => (first: string, second: string) => `${first}<${prefix}:comment text="s"/>${second}`;
const ofStylesheet =
  (prefix: string) =>
  (first: string, second: string, { numbers: [a, b] }: Nonce) =>
    `${first}<${prefix}:value-of select="${a}*${b}"/>${second}`;

export default definePointCheck<Variant>({
  id: 'ssi-injection',
  provesInterpreter: true,
  title: 'Server-side include injection (SSI, ESI or XSLT)',
  cwe: 97,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  why: 'The server processes directives (SSI, ESI or XSLT) in the page after the value was inserted. An attacker includes local files and internal pages, and with SSI often runs commands. A directive in the value was replaced in the response; markup of the same form without meaning was not.',
  fix: 'Encode < and > in values before they are inserted into the page. Disable SSI, ESI and stylesheets where they are not used.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/08-Testing_for_SSI_Injection',
    'https://cwe.mitre.org/data/definitions/97.html',
  ],
  risk: 'harmless',
  appliesTo: () => true,
  isWorthTrying: ({ isReflected }) => isReflected,
  variants: [
    { write: ofServer('#'), control: ofServer('+'), between: nothing },
    { write: ofEdge('esi'), control: ofEdge('esx'), between: nothing },
    {
      write: ofStylesheet('xsl'),
      control: ofStylesheet('xsx'),
      between: ({ numbers: [a, b] }) => String(a * b),
    },
  ],
  maxRequests: 10,
  async probe(point, nonce, { ask }) {
    const all = this.variants.map((variant) => variant.write(...marksOf(nonce), nonce)).join(' ');
    const answer = await ask(requestWith(point, all));
    const read = this.variants.filter((variant) => shows(answer, expected(variant, nonce)));
    for (const variant of read) {
      const write = () => variant.write(...marksOf(nonce), nonce);
      const found = await firstToShow([variant], expected(variant, nonce), write, { point, ask });
      if (found.length > 0) return found;
    }
    return [];
  },
  proof: {
    plan: (point, variant, nonce) => [
      at(point, LABELS.base, point.parameter.value),
      at(point, LABELS.attack, variant.write(...marksOf(nonce), nonce)),
      at(point, LABELS.control, variant.control(...marksOfControl(nonce), nonce)),
    ],
    judge(answers, variant, nonce) {
      const control = answers.get(LABELS.control);
      const [, second] = marksOfControl(nonce);
      // A control that was refused proves nothing.
      if (!control || !shows(control, second)) return 'VOID';
      if (shows(control, marksOfControl(nonce).join(''))) return 'REFUTED';
      return judgeComputed(answers, { [LABELS.attack]: expected(variant, nonce) }, [LABELS.base, LABELS.control]);
    },
  },
  lab: () => ({
    parameter: 'name',
    value: 'Alice',
    vulnerable(value) {
      const variables = new Map<string, string>();
      const body = `<p>Hello ${value}</p>`.replace(
        /<!--#(set|echo) var="(\w+)"(?: value="(\w*)")? -->/g,
        (_, what: string, name: string, told = '') => {
          if (what === 'set') variables.set(name, told);
          return what === 'set' ? '' : (variables.get(name) ?? '(none)');
        },
      );
      return { headers: { 'content-type': 'text/html' }, body };
    },
    // Strips all markup.
    safe: (value) => ({
      headers: { 'content-type': 'text/html' },
      body: `<p>Hello ${value.replace(/<!--.*?-->|<[^>]*>/gs, '')}</p>`,
    }),
  }),
});
