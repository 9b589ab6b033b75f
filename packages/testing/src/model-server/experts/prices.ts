import { amountsIn } from './pages.ts';
import { type Call, type Flow, propose, type Step, type Style } from './walk.ts';

/** Experiments on amounts: the same result for less. Which one makes sense follows from the shape of the flow. */
export function* priceIdeas(flow: Flow, style: Style): Generator<Call> {
  const last = flow.steps.at(-1);
  const [label] = amountsIn(flow.pages.get(last?.key ?? '') ?? '').map((each) => each.label);
  if (!last || label === undefined) return;
  const honest = withAmounts(flow, style.honest, label);
  const posts = flow.steps.filter(({ method }) => method === 'POST');
  yield* hiddenPrices(flow, style, label, honest);
  yield* laterQuantities(flow, style, label, honest);
  yield* spelledAgain(flow, style, label);
  if (posts.length > 2) yield* shortened(flow, style, label, honest);
  yield* takenBack(flow, style, label, honest);
}

const rename = (text: string, prefix: string) => text.replace(/\{\{(\w+)\./g, `{{${prefix}$1.`);

/** Copies the steps under a prefix, and takes the amounts that pages show. */
function withAmounts(
  { steps, pages }: Flow,
  prefix: string,
  label: string,
  change: (step: Step) => Step = (step) => step,
): Step[] {
  return steps.map((step) => {
    const changed = change(step);
    const labels = new Set(amountsIn(pages.get(step.key) ?? '').map((each) => each.label));
    const taken = [...labels].map((each) => ({ name: nameOf(each), from: 'text', by: `${each}:\\s*(\\d+)` }));
    const own = step.method === 'GET' ? [...taken, ...(step.take ?? [])] : (step.take ?? []);
    if (step === steps.at(-1) && !labels.has(label))
      own.push({ name: nameOf(label), from: 'text', by: `${label}:\\s*(\\d+)` });
    return {
      ...changed,
      key: `${prefix}${step.key}`,
      path: rename(changed.path, prefix),
      ...(changed.form && {
        form: Object.fromEntries(Object.entries(changed.form).map(([name, value]) => [name, rename(value, prefix)])),
      }),
      ...(own.length > 0 && { take: own }),
    };
  });
}

const nameOf = (label: string) => label.toLowerCase();

interface Compared {
  name: string;
  label: string;
  honest: Step[];
  altered: Step[];
}

function compare(flow: Flow, { name, label, honest, altered }: Compared): Call {
  const amount = nameOf(label);
  const [before, other] = [honest, altered].map((steps) =>
    steps.slice(0, -1).find(({ method, take = [] }) => method === 'GET' && take.some((each) => each.name === amount)),
  );
  const final = amountsIn(flow.pages.get(flow.steps.at(-1)?.key ?? '') ?? '').find(
    (each) => each.label === label,
  )?.number;
  // A balance changes on the way; a total stays as it was shown.
  const first = [...flow.pages.values()].flatMap(amountsIn).find((each) => each.label === label)?.number;
  const isBalance = before !== undefined && other !== undefined && first !== final;
  const course = (steps: Step[], from: Step | undefined) => ({
    steps: steps.map(({ key }) => key),
    ...(isBalance && from && { before: `${from.key}.${amount}` }),
    after: `${steps.at(-1)?.key}.${amount}`,
  });
  const cost = isBalance ? Number(first) - Number(final) : Number(final);
  const shown = honest
    .slice(0, -1)
    .flatMap((step) => (step.method === 'GET' ? (step.take ?? []).map((each) => ({ step, each })) : []))
    .find(({ step, each }) => {
      const page = flow.pages.get(flow.steps[honest.indexOf(step)]?.key ?? '') ?? '';
      return amountsIn(page).some((one) => nameOf(one.label) === each.name && Number(one.number) === cost);
    });
  return propose(name, [...honest, ...altered], {
    kind: 'difference',
    ...(shown && { shown: `${shown.step.key}.${shown.each.name}` }),
    honest: course(honest, before),
    attack: course(altered, other),
  });
}

function* hiddenPrices(flow: Flow, style: Style, label: string, honest: Step[]): Generator<Call> {
  const start = flow.steps[1];
  const amounts = new Set(amountsIn(flow.pages.get('page') ?? '').map(({ number }) => number));
  const price = Object.entries(start?.form ?? {}).find(([, value]) => amounts.has(value));
  if (!price) return;
  const [name, value] = price;
  const change = (step: Step) =>
    step === start ? { ...step, form: { ...step.form, [name]: style.lowered(value) } } : step;
  yield compare(flow, {
    name: 'price-manipulation',
    label,
    honest,
    altered: withAmounts(flow, style.altered, label, change),
  });
}

/** A choice of the first form that a later one repeats. */
function* laterQuantities(flow: Flow, style: Style, label: string, honest: Step[]): Generator<Call> {
  const start = flow.steps[1];
  const later = flow.steps.slice(2).flatMap(({ form = {} }) => Object.keys(form));
  const repeated = Object.keys(start?.form ?? {}).find((name) => later.includes(name));
  if (repeated === undefined) return;
  const change = (step: Step) => (step === start ? { ...step, form: { ...step.form, [repeated]: '1' } } : step);
  yield compare(flow, {
    name: 'price-manipulation',
    label,
    honest,
    altered: withAmounts(flow, style.altered, label, change),
  });
}

/** A code that is sent twice: refused as it was, perhaps not in other letters. */
function* spelledAgain(flow: Flow, style: Style, label: string): Generator<Call> {
  const index = flow.steps.findIndex(({ form = {} }) => Object.values(form).some((value) => value.includes('.code}}')));
  const [use, result] = [flow.steps[index], flow.steps.at(-1)];
  if (!use || !result) return;
  const again = { ...use, key: 'again' };
  const end = { ...result, key: 'end' };
  const pages = new Map([...flow.pages, ['end', flow.pages.get(result.key) ?? '']]);
  const longer: Flow = { ...flow, pages, steps: [...flow.steps, again, end] };
  const respell = (step: Step) =>
    step.key === 'again'
      ? {
          ...step,
          form: Object.fromEntries(
            Object.entries(step.form ?? {}).map(([name, value]) => [name, style.respelled(value)]),
          ),
        }
      : step;
  const honest = withAmounts(longer, style.honest, label);
  yield compare(longer, {
    name: 'business-logic',
    label,
    honest,
    altered: withAmounts(longer, style.altered, label, respell),
  });
}

/** The last step without one of those between: the first and the last one stay. */
function* shortened(flow: Flow, style: Style, label: string, honest: Step[]): Generator<Call> {
  const posts = flow.steps.filter(({ method }) => method === 'POST');
  for (const left of posts.slice(1, -1)) {
    const index = flow.steps.indexOf(left);
    const altered = withAmounts(flow, style.altered, label).filter((_, at) => at !== index && at !== index + 1);
    yield compare(flow, { name: 'workflow-bypass', label, honest, altered });
  }
}

/** What was paid is taken back before the last step. */
function* takenBack(flow: Flow, style: Style, label: string, honest: Step[]): Generator<Call> {
  for (const { form } of flow.unused.filter((each) => /cancel|refund|withdraw|undo/i.test(each.form.label))) {
    const altered = withAmounts(flow, style.altered, label);
    const step = {
      key: `${style.altered}back`,
      label: form.label,
      as: style.mine,
      method: 'POST' as const,
      path: rename(form.action, style.altered),
      form: {},
    };
    yield compare(flow, {
      name: 'workflow-bypass',
      label,
      honest,
      altered: [...altered.slice(0, -2), step, ...altered.slice(-2)],
    });
  }
}
