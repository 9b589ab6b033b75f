import type { Reply, SeenCall } from '../protocol.ts';
import { accessIdeas, roleIdeas } from './access.ts';
import { type Habits, plain, talkative, wasReminded } from './habits.ts';
import { formsIn } from './pages.ts';
import { priceIdeas } from './prices.ts';
import { stateIdeas } from './states.ts';
import { type Accounts, type Call, type Flow, type Result, type Style, type Work, type Writing, walk } from './walk.ts';

interface Page {
  path: string;
  html: string;
}

/** One of the scripted models: what it writes, how it talks, and in which order it works. */
export interface Expert extends Writing, Habits {
  /** The fields of work that it gives tasks to. */
  specialists: readonly string[];
  accounts(known: readonly string[]): Accounts;
  examine(path: string, style: Style): Work;
}

/** Begins with the first account, walks every flow to its end, and lowers amounts to the smallest one. */
export const careful: Expert = {
  ...plain,
  honest: 'usual_',
  altered: 'other_',
  lowered: () => '1',
  respelled: (placeholder) => placeholder.replace('}}', '|lower}}'),
  specialists: ['business-logic', 'access-control', 'authentication'],
  accounts: ([mine = '', others = '', ...rest]) => ({ mine, others, staff: [others, ...rest] }),
  *examine(path, style) {
    const page = yield* open(path, style.mine);
    const flow = yield* walked(page, style);
    if (!flow) return;
    if (flow.status >= 400) return yield* roleIdeas(page, style);
    if (yield* proves([...priceIdeas(flow, style), ...stateIdeas(flow, style)])) return;
    yield* accessIdeas(page, flow, style);
  },
};

/**
 * Reads each page as a visitor first and compares what an account sees, begins with the second account and with what others
 * may read, then with states and amounts, which it halves.
 */
export const bold: Expert = {
  ...talkative,
  honest: 'a',
  altered: 'z',
  lowered: (amount) => String(Math.floor(Number(amount) / 2)),
  respelled: (placeholder) => placeholder.replace('}}', '|lower}}'),
  specialists: ['injection', 'api'],
  accounts: ([others = '', mine = '', ...rest]) => ({ mine, others, staff: [...rest, others] }),
  *examine(path, style) {
    const visited = yield { name: 'request', input: { path, as: null } };
    const seen = yield { name: 'request', input: { path, as: style.mine } };
    yield { name: 'diff', input: { first: visited.id ?? '', second: seen.id ?? '' } };
    const page = { path, html: seen.untrusted?.body ?? '' };
    const flow = yield* walked(page, style);
    yield { name: 'note', input: { text: `${path} answers ${flow?.status ?? 'without a form'}.` } };
    if (!flow) return;
    if (flow.status >= 400) return yield* roleIdeas(page, style);
    yield* accessIdeas(page, flow, style);
    yield* proves([...stateIdeas(flow, style), ...[...priceIdeas(flow, style)].toReversed()]);
  },
};

function* open(path: string, as: string): Work<Page> {
  const { untrusted } = yield { name: 'request', input: { path, as } };
  return { path, html: untrusted?.body ?? '' };
}

function* walked(page: Page, { mine }: Style): Work<Flow | undefined> {
  const [form] = formsIn(page.html);
  return form && (yield* walk(page, form, mine));
}

/** Proposes the experiments until one of them proves something. */
function* proves(calls: readonly Call[]): Work<boolean> {
  for (const call of calls) {
    const { verdict } = yield call;
    if (verdict === 'CONFIRMED') return true;
  }
  return false;
}

interface Worker {
  works: { work: Work; call: Call | undefined }[];
  /** Calls that it has written into its text only. */
  unmade: readonly Call[];
  turns: number;
}

/** How often an expert that forgets its tools does so. */
const FORGETS_AT = 3;

/**
 * Returns the script of a model that finds flaws by general strategies. All it knows of the target is in the results of its
 * tools: pages, forms, amounts, codes and what is refused to whom. Its task names the accounts.
 */
export function createExpert(expert: Expert): (call: Pick<SeenCall, 'messages' | 'tools'>) => Reply {
  const workers = new Map<string, Worker>();
  const { pace } = expert;
  const make = (calls: readonly Call[]): Reply => ({ pace, text: expert.says(calls), calls });
  return ({ messages, tools }) => {
    if (tools.includes('rewrite')) return make([{ name: 'finish', input: { summary: 'nothing to add' } }]);
    const results = lastResults(messages);
    if (tools.includes('assign')) return make([lead(results, expert)]);
    const [first] = messages;
    const task = first && 'text' in first ? first.text : '';
    const worker = workers.get(task) ?? begin(task, expert);
    workers.set(task, worker);
    if (wasReminded(messages)) return make(worker.unmade);
    const calls = goOn(worker, results, expert.atOnce);
    if (calls.length === 0) return make([{ name: 'finish', input: { summary: 'all ideas tried' } }]);
    worker.turns++;
    if (!expert.forgetsTools || worker.turns !== FORGETS_AT) return make(calls);
    worker.unmade = calls;
    return { pace, text: expert.says(calls) };
  };
}

function begin(task: string, expert: Expert): Worker {
  const { accounts = [], task: goal = '' } = JSON.parse(task) as { accounts?: string[]; task?: string };
  const style = { ...expert, ...expert.accounts(accounts) };
  const paths = [...new Set(goal.match(/\/[a-z]+\/[a-z]+/g))];
  const works = paths.map((path) => ({ work: expert.makes(expert.examine(path, style)), call: undefined }));
  return { works, unmade: [], turns: 0 };
}

/** Hands each piece of work its result, and collects the next calls. */
function goOn(worker: Worker, results: Result[], atOnce: number): Call[] {
  const waiting = worker.works.filter(({ call }) => call !== undefined);
  for (const [index, each] of waiting.entries()) each.call = next(each.work, results[index] ?? {});
  const begun = worker.works.filter(({ call }) => call !== undefined).length;
  const fresh = worker.works.filter((each) => each.call === undefined && !waiting.includes(each));
  for (const each of fresh.slice(0, atOnce - begun)) each.call = next(each.work);
  worker.works = worker.works.filter((each) => each.call !== undefined || fresh.indexOf(each) >= atOnce - begun);
  return worker.works.flatMap(({ call }) => (call ? [call] : []));
}

function next(work: Work, result?: Result): Call | undefined {
  const { done, value } = result === undefined ? work.next() : work.next(result);
  return done ? undefined : (value as Call);
}

/** Gives every page with a room of its own to a specialist. */
function lead(results: Result[], { specialists }: Expert): Call {
  const text = JSON.stringify(results);
  const pages = [...new Set([...text.matchAll(/GET (\/[a-z]+\/[a-z]+)(?=[ "\\])/g)].map(([, path = '']) => path))];
  if (pages.length === 0) {
    return text.includes('untrusted')
      ? { name: 'finish', input: { summary: 'no pages' } }
      : { name: 'list_requests', input: {} };
  }
  const tasks = specialists.map((specialist, index) => ({
    specialist,
    goal: `Look at ${pages.filter((_, at) => at % specialists.length === index).join(' ')}`.slice(0, 600),
  }));
  return { name: 'assign', input: { tasks: tasks.filter(({ goal }) => goal.includes('/')) } };
}

function lastResults(messages: SeenCall['messages']): Result[] {
  const from = messages.findLastIndex(({ role }) => role !== 'result') + 1;
  return messages.slice(from).flatMap((message) => {
    if (message.role !== 'result') return [];
    try {
      return [JSON.parse(message.text) as Result];
    } catch {
      return [{}];
    }
  });
}
