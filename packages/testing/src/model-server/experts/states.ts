import { textIn } from './pages.ts';
import { type Call, type Flow, propose, type Step, type Style } from './walk.ts';

/** Words after a label, such as "Status: open". */
const wordsIn = (page: string) =>
  new Map([...textIn(page).matchAll(/([A-Z]\w+):\s*([a-z]\w*)/g)].map(([, label = '', word = '']) => [label, word]));

/** Returns the label of what the last form of the flow has changed. */
function changedLabel({ steps, pages }: Flow): string | undefined {
  const gets = steps.filter(({ method }) => method === 'GET').slice(-2);
  const [before, after] = gets.map(({ key }) => wordsIn(pages.get(key) ?? ''));
  return before && after ? [...after.keys()].find((label) => before.get(label) !== after.get(label)) : undefined;
}

const TOO_MUCH = '9999';

/** A number that decides whether the last form is accepted: it is refused if it is too large. What if it is not sent at all? */
export function* stateIdeas(flow: Flow, style: Style): Generator<Call> {
  const label = changedLabel(flow);
  const posts = flow.steps.filter(({ method }) => method === 'POST');
  const [start, action, home] = [posts[0], posts.at(-1), flow.steps.at(-1)];
  if (label === undefined || !start || !action || !home || posts.length < 3) return;
  const isNumber = (value: string) => /^\d+$/.test(value);
  const counted = posts.slice(1, -1).find(({ form = {} }) => Object.values(form).some(isNumber));
  if (!counted) return;
  const state = { name: label.toLowerCase(), from: 'text', by: `${label}: (\\w+)` };
  const course = (name: string, middle: readonly Step[]) => {
    const page = { ...home, take: [state] };
    const steps = [start, ...middle, { ...page, key: 'page' }, action, { ...page, key: 'result' }].map((step) => ({
      ...step,
      key: name + step.key,
      path: step.path.replaceAll('{{start.', `{{${name}start.`),
    }));
    const [before, after] = ['page', 'result'].map((key) => `${name}${key}.${state.name}`);
    return { steps, named: { steps: steps.map(({ key }) => key), before, after } };
  };
  const excessive = {
    ...counted,
    form: Object.fromEntries(
      Object.entries(counted.form ?? {}).map(([name, value]) => [name, isNumber(value) ? TOO_MUCH : value]),
    ),
  };
  const between = posts.slice(1, -1);
  const regular = course(style.honest, between);
  const refused = course(
    'refused_',
    between.map((step) => (step === counted ? excessive : step)),
  );
  const attack = course(
    style.altered,
    between.filter((step) => step !== counted),
  );
  const { input } = propose('sequence-bypass', [...regular.steps, ...refused.steps, ...attack.steps], {
    ...{ kind: 'state', regular: regular.named, refused: refused.named, attack: attack.named },
  });
  yield { name: 'propose_experiment', input: { version: 2, ...(input as object) } };
}
