import type { Form } from './pages.ts';
import { formsIn, textIn } from './pages.ts';

/** A tool call of a model, and what it gets back for it. */
export interface Call {
  name: string;
  input: unknown;
}
export interface Result {
  id?: string;
  problem?: string;
  status?: number;
  verdict?: string;
  reason?: string;
  untrusted?: { body?: string };
  responses?: { step: string; status: number; untrusted: { location: string; body: string } }[];
}

/** Work that asks for one tool call after the other. */
export type Work<Value = void> = Generator<Call, Value, Result>;

/** The accounts that an expert learns of: the one that it begins with, another one, and those that may have more rights. */
export interface Accounts {
  mine: string;
  others: string;
  staff: readonly string[];
}

/** What an expert writes into its experiments. */
export interface Writing {
  /** Prefixes of the keys of the honest and the altered course. */
  honest: string;
  altered: string;
  lowered(amount: string): string;
  respelled(placeholder: string): string;
}

export type Style = Accounts & Writing;

export interface Step {
  key: string;
  label: string;
  as: string | null;
  method: 'GET' | 'POST';
  path: string;
  form?: Record<string, string>;
  take?: { name: string; from: string; by: string }[];
}

/** A flow of forms, from its page to its last one, with ids in place of `{{start.id}}`. */
export interface Flow {
  steps: Step[];
  /** Pages by the keys of the steps that read them. */
  pages: Map<string, string>;
  /** Forms of the flow that were not used, by the step that shows them. */
  unused: { key: string; form: Form }[];
  /** The status of the first form. */
  status: number;
}

const MOST_FORMS = 4;
const UNDOES = /cancel|refund|withdraw|undo/i;

export const propose = (name: string, steps: readonly object[], oracle: object, hypothesis = 'as expected'): Call => ({
  name: 'propose_experiment',
  input: { class: name, hypothesis, steps, oracle },
});

export function* observe(steps: readonly Step[]): Work<NonNullable<Result['responses']>> {
  const { responses = [] } = yield propose('business-logic', steps, { kind: 'observe' }, 'see what happens');
  return responses;
}

const CODE = /\b[A-Z]{3,}-\w+\b/;

/** Values as a user would send them. A code is the one that the page shows. */
function filled({ fields }: Form, page: string, key: string): Record<string, string> {
  const hasCode = CODE.test(textIn(page));
  return Object.fromEntries(
    fields.map(({ name, value }) => [name, value || (hasCode && /code/.test(name) ? `{{${key}.code}}` : 'mine')]),
  );
}

const takeId = (location: string) => {
  const [, folder = '', id] = /\/([^/]+)\/([^/]+)$/.exec(location) ?? [];
  return id !== undefined && /\d/.test(id) ? { folder, id } : undefined;
};

/** Sends the form of a page, follows where it leads, and goes on with the forms there. */
export function* walk(page: { path: string; html: string }, form: Form, as: string): Work<Flow> {
  const steps: Step[] = [{ key: 'page', label: 'page', as, method: 'GET', path: page.path }];
  const pages = new Map([['page', page.html]]);
  const flow: Flow = { steps, pages, unused: [], status: 0 };
  let id = '';
  let current: { form: Form; page: string; key: string } | undefined = { form, page: page.html, key: 'page' };
  const done = new Set<string>();
  for (let count = 1; current && count <= MOST_FORMS; count++) {
    const general = (place: string) =>
      id === '' ? place : place.replace(new RegExp(`/${id}(?=/|$)`), '/{{start.id}}');
    const key = count === 1 ? 'start' : `form${count}`;
    const fields = filled(current.form, current.page, current.key);
    const path = general(current.form.action);
    done.add(path);
    steps.push({ key, label: current.form.label || key, as, method: 'POST', path, form: fields });
    if (Object.values(fields).some((value) => value.includes('.code}}'))) {
      const shown = steps.find((step) => step.key === current?.key);
      if (shown) shown.take = [{ name: 'code', from: 'text', by: '([A-Z]{3,}-\\w+)' }];
    }
    const sent = (yield* observe(steps)).find((each) => each.step === key);
    if (count === 1) flow.status = sent?.status ?? 0;
    const location = sent?.untrusted.location ?? '';
    if (!sent || sent.status >= 400 || location === '') return flow;
    const taken = id === '' && count === 1 ? takeId(location) : undefined;
    // Each execution has another id: the one of the last is in its responses.
    const now = taken?.id ?? location.split('/').find((each) => /^\d+$/.test(each)) ?? id;
    const posted = steps.at(-1);
    if (taken && posted) posted.take = [{ name: 'id', from: 'location', by: '/(\\w+)$' }];
    id = now;
    const shownKey = `shown${count}`;
    steps.push({ key: shownKey, label: shownKey, as, method: 'GET', path: general(location) });
    const responses = yield* observe(steps);
    const html = responses.find((each) => each.step === shownKey)?.untrusted.body ?? '';
    id =
      (responses.find((each) => each.step === 'start')?.untrusted.location ?? '')
        .split('/')
        .find((each) => /^\d+$/.test(each)) ?? id;
    pages.set(shownKey, html);
    const further = formsIn(html).filter(({ action }) => !done.has(general(action)));
    const [next] = further.filter(({ label }) => !UNDOES.test(label));
    flow.unused.push(
      ...further
        .filter((each) => each !== next)
        .map((each) => ({ key: shownKey, form: { ...each, action: general(each.action) } })),
    );
    current = next && { form: next, page: html, key: shownKey };
  }
  return flow;
}
