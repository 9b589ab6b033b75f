import { judgeTiming } from '../../../oracle/timing.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { quoteForShell, runShell } from '../../labs/shell.ts';
import { firstToWait, planDelays } from '../../shared/try-variants.ts';

/** Waits for a signal that is never sent, then times out. */
const WINDOWS = 'waitfor /t {seconds} sortie';

/** Appended to the value. */
const VARIANTS: readonly string[] = [
  ';sleep {seconds};',
  '$(sleep {seconds})',
  '|sleep {seconds}',
  '`sleep {seconds}`',
  "';sleep {seconds};'",
  '";sleep {seconds};"',
  '\nsleep {seconds}\n',
  '||sleep {seconds}||',
  `&${WINDOWS}&`,
  `"&${WINDOWS}&"`,
];

export default definePointCheck({
  id: 'command-injection-time',
  flaw: { name: 'command-injection', rank: 3 },
  provesInterpreter: true,
  title: 'OS command injection (blind, time-based)',
  cwe: 78,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  impact: 'An attacker runs arbitrary commands on the server with the privileges of the application.',
  why: 'The value becomes part of a shell command. An attacker runs arbitrary programs on the server with the privileges of the application. Commands that sleep for different times delayed the response by these times.',
  fix: 'Start programs without a shell and pass the value as a separate argument (execFile, subprocess with a list). Validate it against an allowlist. Prefer a library to an external program.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/OS_Command_Injection_Defense_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/12-Testing_for_Command_Injection',
    'https://cwe.mitre.org/data/definitions/78.html',
  ],
  risk: 'intrusive',
  depth: 'DEEP',
  locations: ['query', 'path', 'form', 'json', 'xml', 'multipart', 'fileName', 'graphql', 'cookie', 'header'],
  appliesTo: () => true,
  variants: VARIANTS,
  maxRequests: 26,
  async probe(point, _nonce, { ask }) {
    return firstToWait(VARIANTS, { point, ask });
  },
  proof: {
    plan: (point, variant) => planDelays(point, variant),
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
