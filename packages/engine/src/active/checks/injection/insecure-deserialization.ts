import { jsonLeaves } from '../../../crawl/inventory/json-leaves.ts';
import { judgeComputed } from '../../../oracle/computed.ts';
import { judgeTwoSided } from '../../../oracle/two-sided.ts';
import { definePointCheck, type Point } from '../../define-active-check.ts';
import { at, type Nonce } from '../../experiment.ts';
import { unserializePhp } from '../../labs/php.ts';
import {
  encodeAs,
  type Format,
  phpBroken,
  phpException,
  phpStrings,
  phpZeros,
  readSerialized,
  type Serialized,
} from '../../shared/serialized.ts';

/** Which of the texts in the object is replaced. */
interface Variant {
  format: Format;
  position: number;
}

const MOST_TEXTS = 4;

/** The texts of a JSON object that the page may show. */
const leavesOf = (text: string) => jsonLeaves(text).filter(({ value }) => typeof value === 'string');

function variantsFor({ format, text }: Serialized): Variant[] {
  const count = { php: phpStrings(text).length, node: leavesOf(text).length, pickle: 1, yaml: 1 }[format];
  return Array.from({ length: Math.min(Math.max(count, 1), MOST_TEXTS) }, (_, position) => ({ format, position }));
}

/** Replaces a text of the object by what only the deserializer evaluates; `isData` writes the same as a plain text. */
function attackOn({ format, text }: Serialized, position: number, nonce: Nonce, isData = false): string {
  const { word, numbers } = nonce;
  const [a, b, line] = numbers;
  if (format === 'php') {
    const object = phpException(word, `${word}.x`, line);
    const { start, end } = phpStrings(text)[position] ?? { start: 0, end: text.length };
    return text.slice(0, start) + (isData ? `s:${object.length}:"${object}";` : object) + text.slice(end);
  }
  const product = `${a}*${b}`;
  if (format === 'node') {
    const program = `${isData ? '' : '_$$ND_FUNC$$_'}function(){return ${product}}()`;
    const leaf = leavesOf(text)[position];
    return JSON.stringify(withLeaf(JSON.parse(text), leaf?.pointer.split('/').slice(1) ?? [], program));
  }
  if (format === 'pickle') return isData ? `S'${product}'\n.` : `coperator\nmul\n(I${a}\nI${b}\ntR.`;
  const call = isData ? `'operator.mul [${a}, ${b}]'` : `!!python/object/apply:operator.mul [${a}, ${b}]`;
  return text.replace(/^((?:---\s*\n)?[\w-]+:[ \t]+)[^\n]*/, (_, name) => name + call);
}

function withLeaf(value: unknown, [name, ...rest]: readonly string[], leaf: string): unknown {
  if (name === undefined) return leaf;
  const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === key ? withLeaf(each, rest, leaf) : each));
  const fields = value as Record<string, unknown>;
  return { ...fields, [key]: withLeaf(fields[key], rest, leaf) };
}

/** An exception shows its trace, which the request does not contain. */
const expected = ({ format }: Variant, { word, numbers: [a, b, line] }: Nonce): string | RegExp =>
  format === 'php' ? new RegExp(`${word} in ${word}\\.x:${line}\\s*(?:<br\\s*/?>\\s*)*Stack trace:`) : String(a * b);

const serializedIn = ({ parameter }: Pick<Point, 'parameter'>) => readSerialized(parameter.value);

export default definePointCheck({
  id: 'insecure-deserialization',
  provesInterpreter: true,
  title: 'Insecure deserialization of untrusted data',
  cwe: 502,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  impact: 'An attacker sends an object that runs code when the server restores it, and takes over the application.',
  why: 'The value is an object that the server restores with a deserializer which creates any class or calls any function. An attacker sends an object that runs code when it is restored. An object of our own computed a number or printed a trace in the response; the same characters as a plain text did not.',
  fix: 'Exchange data as JSON and check it against a schema. Where an object has to travel through the client, sign it and verify the signature before it is read. In PHP pass allowed_classes: false to unserialize, in Python use yaml.safe_load and no pickle.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Deserialization_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/11-Testing_for_Code_Injection',
    'https://cwe.mitre.org/data/definitions/502.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  locations: ['query', 'path', 'form', 'json', 'multipart', 'cookie', 'header'],
  appliesTo: (point) => serializedIn(point) !== undefined,
  variants: [] as Variant[],
  async probe(point) {
    const serialized = serializedIn(point);
    return serialized ? variantsFor(serialized) : [];
  },
  maxRequests: 40,
  proof: {
    plan(point, variant, nonce) {
      const serialized = serializedIn(point);
      if (!serialized) return undefined;
      const written = (label: string, text: string, isControl = false) =>
        at(point, label, encodeAs(serialized.codec, text), { ...(isControl && { isControl }) });
      const { position, format } = variant;
      const { text } = serialized;
      const isPhp = format === 'php';
      return {
        base: at(point, 'unchanged value', point.parameter.value, { isControl: true }),
        attack: written('object of our own', attackOn(serialized, position, nonce)),
        data: written('the same characters as a plain text', attackOn(serialized, position, nonce, true), true),
        zeros: isPhp ? written('lengths with a leading zero', phpZeros(text, '0')) : undefined,
        moreZeros: isPhp ? written('lengths with two leading zeros', phpZeros(text, '00')) : undefined,
        broken: isPhp ? written('a wrong length', phpBroken(text), true) : undefined,
        word: isPhp ? at(point, 'random word', nonce.word, { isControl: true }) : undefined,
      };
    },
    judge({ base, attack, data, zeros, moreZeros, broken, word }, variant, nonce) {
      const verdict = judgeComputed([[attack, expected(variant, nonce)]], [base, data]);
      if (!zeros || !moreZeros || !broken || !word || verdict === 'VOID') return verdict;
      const parsed = judgeTwoSided({
        trues: [base, zeros, moreZeros],
        falses: [broken],
        broken: [word],
        harmless: [base],
      });
      if (verdict === parsed) return verdict;
      // Either the parser of PHP reads the value, but does not show that it creates any class, or the other way round.
      return verdict === 'PROVED' || parsed === 'PROVED' ? 'LIKELY' : parsed;
    },
  },
  lab() {
    const page = (value: unknown) => {
      const shown = Array.isArray(value) ? value.map(String).join(' - ') : 'Nothing';
      return { headers: { 'content-type': 'text/html' }, body: `<p>${shown.replaceAll('<', '&lt;')}</p>` };
    };
    return {
      parameter: 'card',
      value: 'a:2:{i:0;s:4:"Ali!";i:1;s:6:"tea, 2";}',
      vulnerable: (value) => page(unserializePhp(value)),
      // Compares the value with its own copy, as a signature would.
      safe: (value) => page(value === 'a:2:{i:0;s:4:"Ali!";i:1;s:6:"tea, 2";}' ? ['Ali!', 'tea, 2'] : undefined),
    };
  },
});
