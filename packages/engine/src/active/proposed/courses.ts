import { jsonLeaves } from '../../crawl/inventory/json-leaves.ts';
import { readAnswer } from '../../crawl/readers/read-answer.ts';
import type { Observation } from '../experiment.ts';

export interface Field {
  name: string;
  value: string;
}

/** Returns the fields that a request carried, in its query and its body. */
export function sentFields(observation: Observation | undefined): Field[] {
  if (!observation) return [];
  const { url, body = '' } = observation.request;
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  const leaves = jsonLeaves(text).map(({ pointer, value }) => ({ name: pointer.replace(/^\//, ''), value }));
  const pairs = [new URL(url).searchParams, ...(leaves.length > 0 ? [] : [new URLSearchParams(text)])];
  return [...pairs.flatMap((each) => [...each].map(([name, value]) => ({ name, value }))), ...leaves];
}

export interface OfferedField extends Field {
  /** Users do not see it, and cannot change it in the page. */
  isHidden: boolean;
}

/** Returns the fields that pages of a course have offered for this request. */
export function offeredFields(pages: readonly Observation[], { request }: Observation): OfferedField[] {
  const place = placeOf(request.url);
  return pages.flatMap((page) => {
    const forms = readAnswer(page, page.request.url)?.forms ?? [];
    const own = forms.filter(({ method, action }) => method === request.method && placeOf(action) === place);
    return own.flatMap(({ fields }) =>
      fields.map(({ name, value, type }) => ({ name, value, isHidden: type === 'hidden' })),
    );
  });
}

function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
