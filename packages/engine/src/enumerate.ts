import type { Exchange } from './http/exchange.ts';
import type { Account } from './login/account.ts';
import type { Session } from './login/session.ts';
import { asName, type Looking, startLooking } from './looking.ts';
import { maskInventory } from './mask.ts';
import type { StepContext } from './pentest-attempt.ts';
import { addUntested, type PentestState } from './pentest-state.ts';
import { askForDescribed, crawlPages, openPages } from './rounds.ts';
import { loginLost } from './untested.ts';

/** One after another for everybody: what pages show is needed by what comes after them. */
const rounds = [
  { shareOfRequests: 0.6, run: crawlPages },
  { shareOfRequests: 0.2, run: openPages },
  { shareOfRequests: 0.2, run: askForDescribed },
] as const;

export function isEnumerated({ crawled }: PentestState, accounts: number): boolean {
  return crawled >= rounds.length * (accounts + 1);
}

/** As a visitor first, then as each account, one in a step: what only an account sees is noted as its own. */
export async function enumerate(context: StepContext): Promise<undefined> {
  const { visitor, accounts, order, state } = context;
  const visitors = order.credentials.length + 1;
  const round = rounds[Math.floor(state.crawled / visitors)];
  const name = order.credentials[(state.crawled % visitors) - 1]?.name;
  const account = name === undefined ? undefined : accounts.get(name);
  const session = name === undefined ? visitor : account?.session;
  if (session && round && !account?.failure()) await lookAs(session, account, context, round);
  // What only this account sees is unknown, and so are the tests of it.
  if (name !== undefined && (!session || account?.failure())) {
    addUntested(state, { id: null, group: 'access' }, loginLost(name));
  }
  state.crawled++;
}

/** One that is logged out while it looks around begins anew, once. */
const MOST_TRIES = 2;

async function lookAs(
  session: Session,
  account: Account | undefined,
  context: StepContext,
  { shareOfRequests, run }: (typeof rounds)[number],
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const watched = watch(session, account);
    const looking = startLooking(session, watched.send, context, shareOfRequests);
    try {
      await run(looking);
    } catch (error) {
      // Nothing may be sent any more; what was seen before was seen.
      keep(looking, context);
      throw error;
    }
    const isVoid = await watched.isVoid();
    const isLast = tries === MOST_TRIES || account?.failure() !== undefined;
    if (isVoid && !isLast) continue;
    if (isVoid) noteLost(context.state, session.name, account);
    if (!account?.failure()) keep(looking, context);
    return;
  }
}

function keep({ inventory, discovery, harvest }: Looking, { state, redactor }: StepContext): void {
  state.inventory = maskInventory(inventory.items(), redactor.redact);
  state.drafts = maskInventory(discovery.drafts(), redactor.redact);
  state.harvest = harvest.all();
}

/** What somebody sees who is no longer logged in is not what the account sees. */
function watch(session: Session, account: Account | undefined) {
  let wasLost = false;
  const isOut = async () => account !== undefined && (await account.check()) !== 'IN';
  return {
    async send(request: Parameters<Session['send']>[0]): Promise<Exchange> {
      const exchange = await session.send(request);
      if (!account?.needsCheck() || !(await isOut())) return exchange;
      wasLost = true;
      return session.send(request);
    },
    isVoid: async () => (await isOut()) || wasLost,
  };
}

function noteLost({ notes }: PentestState, name: string | null, account: Account | undefined): void {
  const failed = account?.failure();
  notes.push(
    failed
      ? `The account "${name}" was logged out while it looked around. ${failed.reason}`
      : `Not all pages may have been seen${asName(name)}: its session ended again and again.`,
  );
}
