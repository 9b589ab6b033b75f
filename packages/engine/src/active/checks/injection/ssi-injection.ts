import { judgeComputed, shows } from '../../../oracle/computed.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { at, type Nonce } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import { firstToShow } from '../../shared/try-variants.ts';

/** A directive between two marks, and the text that replaces it. */
interface Directive {
  write(first: string, second: string, nonce: Nonce): string;
  /** Markup of the same form that is not a directive. */
  control(first: string, second: string, nonce: Nonce): string;
  between(nonce: Nonce): string;
}

const marksOf = ({ word }: Nonce) => [word.slice(0, 7), `z${word.slice(7)}`] as const;
/** The control has other marks: with the same ones, a target that wants unique values would refuse it. */
const marksOfControl = ({ word }: Nonce) => [`y${word.slice(7)}`, `x${word.slice(1, 7)}`] as const;
const nothing = () => '';

/** The first mark is inside the comments, so a filter that strips comments shows only the second mark. */
const ofServer = (sign: string) => (first: string, second: string) =>
  `<!--${sign}set var="s" value="${first}" --><!--${sign}echo var="s" -->${second}`;
const ofEdge = (prefix: string) => (first: string, second: string) => `${first}<${prefix}:comment text="s"/>${second}`;
const ofStylesheet =
  (prefix: string) =>
  (first: string, second: string, { numbers: [a, b] }: Nonce) =>
    `${first}<${prefix}:value-of select="${a}*${b}"/>${second}`;

const DIRECTIVES = {
  ssi: { write: ofServer('#'), control: ofServer('+'), between: nothing },
  esi: { write: ofEdge('esi'), control: ofEdge('esx'), between: nothing },
  xslt: {
    write: ofStylesheet('xsl'),
    control: ofStylesheet('xsx'),
    between: ({ numbers: [a, b] }) => String(a * b),
  },
} satisfies Record<string, Directive>;
type Variant = keyof typeof DIRECTIVES;
const VARIANTS = Object.keys(DIRECTIVES) as Variant[];

const written = (variant: Variant, nonce: Nonce) => DIRECTIVES[variant].write(...marksOf(nonce), nonce);
const expected = (variant: Variant, nonce: Nonce) => marksOf(nonce).join(DIRECTIVES[variant].between(nonce));

export default definePointCheck({
  id: 'ssi-injection',
  provesInterpreter: true,
  title: 'Server-side include injection (SSI, ESI or XSLT)',
  cwe: 97,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker reads files and variables of the server through directives in the page, and on many servers runs commands.',
  why: 'The server processes directives (SSI, ESI or XSLT) in the page after the value was inserted. An attacker includes local files and internal pages, and with SSI often runs commands. A directive in the value was replaced in the response; markup of the same form without meaning was not.',
  fix: 'Encode < and > in values before they are inserted into the page. Disable SSI, ESI and stylesheets where they are not used.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/08-Testing_for_SSI_Injection',
    'https://cwe.mitre.org/data/definitions/97.html',
  ],
  risk: 'harmless',
  appliesTo: () => true,
  isWorthTrying: ({ isReflected }) => isReflected,
  variants: VARIANTS,
  maxRequests: 10,
  async probe(point, nonce, { ask }) {
    const all = VARIANTS.map((variant) => written(variant, nonce)).join(' ');
    const answer = await ask(requestWith(point, all));
    const read = VARIANTS.filter((variant) => shows(answer, expected(variant, nonce)));
    for (const variant of read) {
      const found = await firstToShow([variant], expected(variant, nonce), (each) => written(each, nonce), {
        point,
        ask,
      });
      if (found.length > 0) return found;
    }
    return [];
  },
  proof: {
    plan(point, variant, nonce) {
      const meaningless = DIRECTIVES[variant].control(...marksOfControl(nonce), nonce);
      return {
        base: at(point, 'unchanged value', point.parameter.value, { isControl: true }),
        attack: at(point, 'directive that the server replaces', written(variant, nonce)),
        control: at(point, 'markup of the same form without meaning', meaningless, { isControl: true }),
      };
    },
    judge({ base, attack, control }, variant, nonce) {
      const [, second] = marksOfControl(nonce);
      // A control that was refused proves nothing.
      if (!shows(control, second)) return 'VOID';
      if (shows(control, marksOfControl(nonce).join(''))) return 'REFUTED';
      return judgeComputed([[attack, expected(variant, nonce)]], [base, control]);
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
