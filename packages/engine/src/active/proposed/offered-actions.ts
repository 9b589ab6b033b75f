import { readAnswer } from '../../crawl/readers/read-answer.ts';
import type { Observation } from '../experiment.ts';
import { isShown } from './judge-answers.ts';

const placeOf = (url: string) => new URL(url).pathname.replace(/\/$/, '');
/** Ids differ between the courses. */
export const patternOf = (url: string) => placeOf(url).replace(/[^/]*\d[^/]*/g, '*');

const formsIn = (page: Observation, method: string) =>
  (readAnswer(page, page.request.url)?.forms ?? []).filter((form) => form.method === method);

/** Returns whether the page has a form for this very request. */
export const offers = (page: Observation, { request }: Observation): boolean =>
  formsIn(page, request.method).some(({ action }) => placeOf(action) === placeOf(request.url));

/** Returns whether the page has a form for such a request, perhaps with another id. */
export const offersSuch = (page: Observation, { request }: Observation): boolean =>
  formsIn(page, request.method).some(({ action }) => patternOf(action) === patternOf(request.url));

/** Returns whether the page contains the address of this very request: scripts offer actions without a form. */
export const names = (page: Observation, action: Observation): boolean =>
  contains(page, action, placeOf(action.request.url));

/** Returns whether the page contains the address of such a request, perhaps with another id. */
export const namesSuch = (page: Observation, action: Observation): boolean =>
  contains(page, action, patternOf(action.request.url));

const ID = '[^/"\'<>\\s?#&]+';

/** The address of a page itself is in it for many reasons. */
function contains(page: Observation, { request }: Observation, place: string): boolean {
  if (!isShown(page) || patternOf(page.request.url) === patternOf(request.url)) return false;
  const segments = place.split('/').map((each) => (each === '*' ? ID : each.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')));
  return new RegExp(`${segments.join('/')}(?![\\w/-])`).test(page.response?.body.toString() ?? '');
}
