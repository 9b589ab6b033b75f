import type { Exchange } from '../../http/exchange/exchange.ts';
import { effectOf } from '../effect/judge.ts';
import type { PageForm } from '../effect/page-form.ts';
import type { Effect } from '../inventory/effects.ts';
import { createHarvest, type Harvest, harvestUrl } from '../inventory/harvest.ts';
import { type InventoryItem, type Parameter, parametersOf, type Source, templateOf } from '../inventory/inventory.ts';
import { bundleReferences } from '../readers/descriptions/bundle-references.ts';
import { isDocumentationPage } from '../readers/descriptions/documentation-page.ts';
import { isTooRisky, isWithheld, itemOfForm, loginOf, passwordFormOf } from '../readers/form-item.ts';
import { type ReadAnswer, readAnswer } from '../readers/read-answer.ts';
import { createScriptReader } from '../readers/read-scripts.ts';
import { requestOf } from '../requests/write-request.ts';
import { type Bounds, bounds as boundsOf } from './bounds.ts';
import { ABSENT, isClosed } from './closed-page.ts';
import type { CrawlOptions, CrawlResult } from './crawl-options.ts';
import { changingItem, isOurs, itemOf } from './crawled-item.ts';
import { createFrontier, type Frontier } from './frontier.ts';
import { noteScripted, type ScriptedPages, scriptedPages } from './look-alikes.ts';

const MOST_SILENT = 50;
/** Per page: the IDs in a list are of one kind. */
const MOST_HARVESTED = 100;

/** Options and state of one crawl. */
interface Course extends CrawlOptions {
  silent: Set<string>;
  bounds: Bounds;
  harvest: Harvest;
  ours: Set<string>;
  frontier: Frontier;
  avoided: Set<string>;
  avoidedLinks: Map<string, Effect>;
  met: { pages: number; submitted: number; unanswered: number };
  /** Pages with scripts by page structure. */
  scripted: ScriptedPages;
  sourceOf: Map<string, Source>;
  /** Fragment parameters that links pass to a page's scripts, by URL. */
  fragments: Map<string, URLSearchParams>;
  isOver(): boolean;
}

/** Follows links breadth first and adds each kind of request to the inventory. */
export async function crawl(options: CrawlOptions): Promise<CrawlResult> {
  const course = startCourse(options);
  const { frontier, met, isOver, avoided, discovery, bounds, isCovered } = course;
  const scripts = discovery && createScriptReader({ visit: options.visit, isCovered, discovery, most: bounds.scripts });
  for (const exchange of options.received ?? []) await followReceived(course, exchange);
  let isCut = false;
  for (let next = await nextPage(course); next !== undefined; next = await nextPage(course)) {
    isCut = isOver();
    if (isCut) break;
    const { url, depth } = next;
    const exchange = await options.visit(url);
    met.pages++;
    const answer = noteAnswer(course, url, exchange);
    if (!answer) continue;
    await readDescribed(course, answer.text, url);
    planLinks(course, answer, depth);
    for (const found of (await scripts?.read(answer.scripts, url)) ?? [])
      plan(course, found, { depth: depth + 1, source: 'script' });
    for (const form of answer.forms) await noteForm(course, form, depth);
  }
  noteFragments(course);
  const counts = { ...met, ...frontier.left(), avoided: avoided.size };
  return {
    ...counts,
    avoidedLinks: [...course.avoidedLinks].map(([url, effect]) => ({ url, effect })),
    scripted: scriptedPages(course.scripted),
    isCut,
  };
}

/** Share of the pages after which URLs that nothing links to come first. */
const LINKED_SHARE = 0.75;

async function nextPage(course: Course): Promise<ReturnType<Frontier['next']>> {
  const { frontier, met, mostPages, further, isOver } = course;
  const next = met.pages < mostPages * LINKED_SHARE ? frontier.next() : undefined;
  if (next || !further || isOver()) return next ?? frontier.next();
  course.further = undefined;
  for (const { url, source } of await further()) plan(course, url, { source, depth: 1, isNext: true });
  return frontier.next();
}

function startCourse(options: CrawlOptions): Course {
  const { bounds = boundsOf.LEAD, harvest = createHarvest(), ours = new Set<string>() } = options;
  const endsAt = performance.now() + options.mostMs;
  const met = { pages: 0, submitted: 0, unanswered: 0 };
  const isOver = () => met.pages >= options.mostPages || performance.now() >= endsAt;
  const notes = {
    avoided: new Set<string>(),
    avoidedLinks: new Map<string, Effect>(),
    sourceOf: new Map<string, Source>(),
    scripted: new Map() as ScriptedPages,
    fragments: new Map<string, URLSearchParams>(),
  };
  const own = { frontier: createFrontier({ ...bounds, isFamiliar: familiarTo(options) }), ...notes };
  const { silent = new Set<string>() } = options;
  const course: Course = { ...options, bounds, harvest, ours, met, isOver, silent, ...own };
  const [first, ...others] = options.seeds;
  if (first && options.isCovered(first.url)) course.frontier.plan(first.url, 0);
  for (const { url, source } of others) plan(course, url, { depth: 1, source });
  return course;
}

/** Returns a predicate for templates that anonymous visitors have seen: most are the same for all accounts. */
function familiarTo({ inventory, seenAs }: CrawlOptions): (template: string) => boolean {
  const isOpen = (item: InventoryItem) => seenAs !== null && item.method === 'GET' && item.seenAs === null;
  const templates = new Set(inventory.items().filter(isOpen).map(templateOf));
  return (template) => templates.has(template);
}

interface Planning {
  words?: string;
  depth: number;
  source?: Source;
  isNext?: boolean;
}

function plan(course: Course, url: string, { words = '', depth, source = 'link', isNext = false }: Planning): void {
  const { isCovered, ours, avoided, frontier, sourceOf } = course;
  if (!isCovered(url) || course.silent.has(url)) return;
  const effect = effectOf({ method: 'GET', url, label: words });
  if (effect !== 'reads' && !isOurs(url, ours)) {
    avoided.add(url);
    course.avoidedLinks.set(url, effect);
    if (effect === 'changes') course.inventory.add(changingItem(url, course.seenAs, source));
  } else if (frontier.plan(url, depth, isNext)) sourceOf.set(url, source);
}

function planLinks(course: Course, { next, links, forms }: ReadAnswer, depth: number): void {
  const withheld = new Set(forms.filter(isWithheld).map(({ action }) => action));
  if (next !== undefined) plan(course, next, { depth: depth + 1 });
  for (const { url, words, fragment } of links.filter((each) => !withheld.has(each.url))) {
    plan(course, url, { words, depth: depth + 1 });
    if (fragment === undefined) continue;
    const named = course.fragments.get(url) ?? new URLSearchParams();
    for (const [name, value] of new URLSearchParams(fragment)) if (named.size < MOST_FRAGMENTS) named.set(name, value);
    course.fragments.set(url, named);
  }
}

const MOST_FRAGMENTS = 12;

function noteFragments({ fragments, inventory }: Course): void {
  for (const [url, named] of fragments) {
    const parameters = [...named].map(([name, value]): Parameter => ({ location: 'fragment', name, value }));
    const all = [...parametersOf(url), ...parameters];
    inventory.meet({ method: 'GET', url, parameters: all, seenAs: null, contentType: '' });
  }
}

/** Records the response and returns it parsed; undefined if there is none or it is the one that unknown URLs get. */
function noteAnswer(course: Course, url: string, exchange: Exchange): ReadAnswer | undefined {
  const { inventory, harvest, seenAs, ours, isCovered, seeds, baseline, sourceOf } = course;
  const answer = readAnswer(exchange, url);
  course.frontier.note(url, answer?.skeleton ?? null, /html/i.test(answer?.contentType ?? ''));
  if (!answer) course.met.unanswered++;
  if (!answer && course.silent.size < MOST_SILENT) course.silent.add(url);
  if (!answer || (url !== seeds[0]?.url && baseline?.isNothing(exchange))) return undefined;
  const item = itemOf(url, course, answer, sourceOf.get(url) ?? 'link');
  const isHidden = isClosed(url, answer.status, answer.next);
  if (isHidden && !ABSENT.has(answer.status)) course.onRefused?.(url);
  if (isHidden) inventory.meet(item);
  else inventory.add(isOurs(url, ours) ? { ...item, isOurs: true } : item);
  answer.harvest(harvest, seenAs);
  for (const { url: shown } of answer.links.slice(0, MOST_HARVESTED)) harvestUrl(harvest, seenAs, shown, isCovered);
  // Viewers of API descriptions send nothing that the description does not name, and have a view per operation.
  const isOpened = answer.scripts.length > 0 && !isDocumentationPage(answer.text);
  const hasScriptedForm = answer.forms.some(({ isScripted }) => isScripted === true);
  if (isOpened) noteScripted(course, answer.skeleton, { url, hasScriptedForm });
  return answer;
}

/** Reads a description with the documents that it refers to, as far as they are in scope. */
async function readDescribed({ discovery, visit, isCovered }: Course, text: string, url: string): Promise<void> {
  if (!discovery) return;
  const read = async (place: string) => {
    const { response } = isCovered(place) ? await visit(place) : {};
    return response?.status === 200 ? response.body.toString() : undefined;
  };
  discovery.readDocument(await bundleReferences(text, url, read), url);
}

async function noteForm(course: Course, form: PageForm, depth: number): Promise<void> {
  const { inventory, seenAs, ours, avoided, isCovered } = course;
  if (!isCovered(form.action)) return;
  const login = loginOf(form, seenAs);
  if (login) return void inventory.add(login);
  const isOwn = isOurs(form.action, ours);
  if (isTooRisky(form) && !isOwn) {
    const known = passwordFormOf(form, seenAs);
    if (known) inventory.add(known);
    return void avoided.add(`${form.method} ${form.action} ${form.words}`);
  }
  const item = { ...itemOfForm(form, seenAs), ...(isOwn && { isOurs: true }) };
  const isLookup = item.effect === 'reads' && form.method === 'GET';
  if (isLookup && !inventory.has(item)) await look(course, item, depth);
  else if (inventory.add(item) && form.method === 'POST') await submit(course, item, depth);
}

/** Submits a form that only reads, like a link with parameters, and follows the links in the response. */
async function look(course: Course, form: InventoryItem, depth: number): Promise<void> {
  const { met, inventory, seenAs } = course;
  if (course.isOver()) return void inventory.add(form);
  met.pages++;
  const { url } = requestOf(form);
  const answer = readAnswer(await course.visit(url), url);
  const sightings = [{ as: seenAs, url: form.url, status: answer?.status ?? null }];
  inventory.add({ ...form, contentType: answer?.contentType ?? '', sightings });
  if (answer) await followAnswer(course, answer, depth);
}

/** Forms in a response may lead further: a preview, then the form that creates what it shows. */
async function followAnswer(course: Course, answer: ReadAnswer, depth: number): Promise<void> {
  planLinks(course, answer, depth);
  if (depth >= course.bounds.linkDepth) return;
  for (const form of answer.forms) await noteForm(course, form, depth + 1);
}

/** A page that was requested with GET is visited again; others cannot be requested without doing the same again. */
async function followReceived(course: Course, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const answer = readAnswer(exchange, request.url);
  if (!answer || !course.isCovered(request.url)) return;
  if (request.method === 'GET') plan(course, request.url, { depth: 1 });
  else await followAnswer(course, answer, 0);
}

async function submit(course: Course, form: InventoryItem, depth: number): Promise<void> {
  const { met, bounds, isOver, isCovered, ours } = course;
  if (!course.submit || !course.maySubmit?.(form) || met.submitted >= bounds.forms || isOver()) return;
  met.submitted++;
  const answer = readAnswer(await course.submit(form), form.url);
  if (!answer) return;
  for (const made of answer.made) if (isCovered(made)) ours.add(made);
  await followAnswer(course, answer, depth);
}
