import type { Reply, SeenCall } from '../protocol.ts';
import { accessIdeas, roleIdeas } from './access.ts';
import { formsIn } from './pages.ts';
import { priceIdeas } from './prices.ts';
import { type Call, type Result, type Style, type Work, walk } from './walk.ts';

/** Begins with alice, walks every flow to its end, and lowers amounts to the smallest one. */
export const careful: Style = {
  mine: 'alice',
  others: 'bob',
  staff: ['admin'],
  honest: 'usual_',
  altered: 'other_',
  lowered: () => '1',
  respelled: (placeholder) => placeholder.replace('}}', '|lower}}'),
};

/** Begins with bob, halves amounts, and tries spaces before small letters. */
export const bold: Style = {
  mine: 'bob',
  others: 'alice',
  staff: ['admin'],
  honest: 'a',
  altered: 'z',
  lowered: (amount) => String(Math.floor(Number(amount) / 2)),
  respelled: (placeholder) => placeholder.replace('}}', '|lower}}'),
};

/** Examines one page and what its forms lead to. */
function* examine(path: string, style: Style): Work {
  const { untrusted } = yield { name: 'request', input: { path, as: style.mine } };
  const page = { path, html: untrusted?.body ?? '' };
  const [form] = formsIn(page.html);
  if (!form) return;
  const flow = yield* walk(page, form, style.mine);
  if (flow.status >= 400) return yield* roleIdeas(page, style);
  for (const call of priceIdeas(flow, style)) {
    const { verdict } = yield call;
    if (verdict === 'CONFIRMED') return;
  }
  yield* accessIdeas(page, flow, style);
}

interface Worker {
  works: { work: Work; call: Call | undefined }[];
}

const MOST_AT_ONCE = 6;

/**
 * Returns the script of a model that finds flaws by general strategies. All it knows of the target is in the results of its
 * tools: pages, forms, amounts, codes and what is refused to whom.
 */
export function createExpert(style: Style): (call: Pick<SeenCall, 'messages' | 'tools'>) => Reply {
  const workers = new Map<string, Worker>();
  return ({ messages, tools }) => {
    if (tools.includes('rewrite')) return { calls: [{ name: 'finish', input: { summary: 'nothing to add' } }] };
    const results = lastResults(messages);
    if (tools.includes('assign')) return { calls: [lead(results)] };
    const [first] = messages;
    const task = first && 'text' in first ? first.text : '';
    const worker = workers.get(task) ?? {
      works: [...new Set(task.match(/\/[a-z]+\/[a-z]+/g))].map((path) => ({
        work: examine(path, style),
        call: undefined,
      })),
    };
    workers.set(task, worker);
    const calls = goOn(worker, results);
    return { calls: calls.length > 0 ? calls : [{ name: 'finish', input: { summary: 'all ideas tried' } }] };
  };
}

/** Hands each piece of work its result, and collects the next calls. */
function goOn(worker: Worker, results: Result[]): Call[] {
  const waiting = worker.works.filter(({ call }) => call !== undefined);
  for (const [index, each] of waiting.entries()) each.call = next(each.work, results[index] ?? {});
  const begun = worker.works.filter(({ call }) => call !== undefined).length;
  const fresh = worker.works.filter((each) => each.call === undefined && !waiting.includes(each));
  for (const each of fresh.slice(0, MOST_AT_ONCE - begun)) each.call = next(each.work);
  worker.works = worker.works.filter((each) => each.call !== undefined || fresh.indexOf(each) >= MOST_AT_ONCE - begun);
  return worker.works.flatMap(({ call }) => (call ? [call] : []));
}

function next(work: Work, result?: Result): Call | undefined {
  const { done, value } = result === undefined ? work.next() : work.next(result);
  return done ? undefined : (value as Call);
}

/** Gives every page with a room of its own to a specialist. */
function lead(results: Result[]): Call {
  const text = JSON.stringify(results);
  const pages = [...new Set([...text.matchAll(/GET (\/[a-z]+\/[a-z]+)(?=[ "\\])/g)].map(([, path = '']) => path))];
  if (pages.length === 0) {
    return text.includes('untrusted')
      ? { name: 'finish', input: { summary: 'no pages' } }
      : { name: 'list_requests', input: {} };
  }
  const specialists = ['business-logic', 'access-control', 'authentication'];
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
