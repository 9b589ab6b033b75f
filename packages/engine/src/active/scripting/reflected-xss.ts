import { at, definePointCheck } from '../../active-check.ts';
import { CALLBACK } from '../../browser/browser.ts';
import { requestWith } from '../../point.ts';

interface Variant {
  /** Characters that must come back as they were sent. */
  needs: string;
  write(word: string): string;
}

const call = (word: string) => `${CALLBACK}(\`${word}\`)`;
const LABELS = { base: 'unchanged value', attack: 'markup that calls back when it runs' } as const;

export default definePointCheck<Variant>({
  id: 'reflected-xss',
  title: 'Script injection: a link can run scripts in the page',
  cwe: 79,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  why: 'The page shows the value as it came. Whoever follows a prepared link runs the script in it, as themselves.',
  fix: 'Escape the value for the place where it is shown, best by a template engine that always does. A strict Content-Security-Policy limits the harm.',
  risk: 'harmless',
  needsBrowser: true,
  appliesTo: ({ item, parameter }) => item.method === 'GET' && parameter.location !== 'path',
  variants: [
    { needs: '<>', write: (word) => `<img src=x onerror=${call(word)}>` },
    { needs: '<>"', write: (word) => `"><img src=x onerror=${call(word)}>` },
    { needs: "<>'", write: (word) => `'><img src=x onerror=${call(word)}>` },
    { needs: '"', write: (word) => `" autofocus onfocus=${call(word)} x="` },
    { needs: "'", write: (word) => `';${call(word)};'` },
    { needs: '"', write: (word) => `";${call(word)};"` },
  ],
  maxRequests: 60,
  async probe(point, { word }, { ask }) {
    const characters = `<>"'`;
    const { response } = await ask(requestWith(point, `${word}a${characters}${word}b`));
    const shown = response && new RegExp(`${word}a(.*?)${word}b`, 's').exec(response.body.toString())?.[1];
    if (shown === undefined || shown === null) return [];
    return this.variants.filter(({ needs }) => [...needs].every((character) => shown.includes(character)));
  },
  proof: {
    plan: (point, variant, { word }) => [
      at(point, LABELS.base, point.parameter.value, { inBrowser: true }),
      at(point, LABELS.attack, variant.write(word), { inBrowser: true }),
    ],
    judge(answers, _variant, { word }) {
      const calls = (label: string) => answers.get(label)?.calls;
      if (!calls(LABELS.base) || !calls(LABELS.attack)) return 'VOID';
      return calls(LABELS.attack)?.includes(word) && !calls(LABELS.base)?.includes(word) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => ({
    parameter: 'q',
    value: 'tea',
    vulnerable: (value) => ({ headers: { 'content-type': 'text/html' }, body: `<p>You searched for ${value}</p>` }),
    safe: (value) => ({
      headers: { 'content-type': 'text/html' },
      body: `<p>You searched for ${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`,
    }),
  }),
});
