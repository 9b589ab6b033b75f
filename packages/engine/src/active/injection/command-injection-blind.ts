import { at, definePointCheck } from '../../active-check.ts';
import { DELAYS, judgeTiming } from '../../oracle/timing.ts';
import { quoteForShell, runShell } from '../lab-shell.ts';
import { firstToWait } from '../try-variants.ts';

/** What follows the value. */
type Variant = (seconds: number) => string;

/** Waits for a signal that nobody sends, and gives up. */
const windows = (seconds: number) => `waitfor /t ${seconds} sortie`;

export default definePointCheck<Variant>({
  id: 'command-injection-blind',
  flaw: { name: 'command-injection', rank: 3 },
  title: 'A parameter runs commands on the server, unseen',
  cwe: 78,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  why: 'The value becomes part of a command line: a command that waits makes the page wait. Whoever sends it runs any program on the server, with all the rights of the site.',
  fix: 'Start programs without a shell, with the value as one argument of a list, and check that it is what you expect. Better still, use a library in place of the program.',
  risk: 'intrusive',
  depth: 'DEEP',
  locations: ['query', 'path', 'form', 'json', 'multipart', 'fileName', 'graphql', 'cookie', 'header'],
  appliesTo: () => true,
  variants: [
    (seconds) => `;sleep ${seconds};`,
    (seconds) => `$(sleep ${seconds})`,
    (seconds) => `|sleep ${seconds}`,
    (seconds) => `\`sleep ${seconds}\``,
    (seconds) => `';sleep ${seconds};'`,
    (seconds) => `";sleep ${seconds};"`,
    (seconds) => `\nsleep ${seconds}\n`,
    (seconds) => `||sleep ${seconds}||`,
    (seconds) => `&${windows(seconds)}&`,
    (seconds) => `"&${windows(seconds)}&"`,
  ],
  maxRequests: 26,
  async probe(point, _nonce, { ask }) {
    return firstToWait(this.variants, { point, ask });
  },
  proof: {
    plan: (point, variant) =>
      DELAYS.map(({ label, seconds }) => at(point, label, `${point.parameter.value}${variant(seconds)}`)),
    judge: (answers) => judgeTiming(answers),
  },
  lab: () => ({
    location: 'form',
    parameter: 'address',
    value: 'alice@shop.test',
    vulnerable: (value) => ({ body: 'Thank you', seconds: runShell(`echo "${value}" > /dev/null`).seconds }),
    safe: (value) => ({ body: 'Thank you', seconds: runShell(`echo ${quoteForShell(value)} > /dev/null`).seconds }),
  }),
});
