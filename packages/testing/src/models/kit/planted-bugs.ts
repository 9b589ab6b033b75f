import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A change in one place of the product that makes it incorrect. */
export interface Bug {
  name: string;
  /** Relative to the folder in which the bug is planted. */
  file: string;
  find: string;
  replace: string;
}

export const plantableBugs: readonly Bug[] = [
  {
    name: 'commands of an account do not wait for one another',
    file: 'ledger.ts',
    find: 'await lockAccount(tx, accountId)',
    replace: "await tx.selectFrom('account').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()",
  },
  {
    name: 'a grant can still be spent in the instant it expires',
    file: 'ledger.ts',
    find: 'grant.expiresAt <= now',
    replace: 'grant.expiresAt < now',
  },
  {
    name: 'purchased credits are spent before those of the plan',
    file: 'slices.ts',
    find: '{ plan: 0, purchased: 1 }',
    replace: '{ plan: 1, purchased: 0 }',
  },
  {
    name: 'what comes back to an expired grant is lost with it',
    file: 'return.ts',
    find: 'const expiresAt = isExpired && hasGrace ?',
    replace: 'const expiresAt = isExpired && !hasGrace ?',
  },
  {
    name: 'a run that never started prolongs its credits',
    file: 'settle.ts',
    find: 'hasGrace: isStarted',
    replace: 'hasGrace: true',
  },
  {
    name: 'a hold in the grace begins another grace',
    file: 'return.ts',
    find: 'if (grant.parentId !== null) return undefined;',
    replace: '',
  },
  {
    name: 'each return to an expired grant begins a grace of its own',
    file: 'return.ts',
    find: 'if (!begun) return',
    replace: 'if (begun !== undefined) return',
  },
  {
    name: 'returned credits still count against a budget',
    file: 'hold-store.ts',
    find: 'coalesce(testing_charged, testing_reserved) + coalesce(review_charged, review_reserved)',
    replace: 'testing_reserved + review_reserved',
  },
  {
    name: 'a change of plan grants the whole month again',
    file: 'grant.ts',
    find: 'amount: plan.monthlyCredits - granted',
    replace: 'amount: plan.monthlyCredits',
  },
  {
    name: 'a settled part can be settled once more',
    file: 'settle.ts',
    find: 'if (charged !== null) return hold;',
    replace: 'if (charged === -1) return hold;',
  },
  {
    name: 'an open review share looks settled',
    file: 'settle.ts',
    find: 'creditParts.some((each) => settled[each].charged === null)',
    replace: 'settled.testing.charged === null',
  },
];

const repository = join(import.meta.dirname, '../../../../..');
const sourceFolder = join(repository, 'packages/server/src');
/**
 * Inside the repository, where package imports resolve, but not below node_modules, where Node does not strip types.
 */
const workshop = join(repository, '.sortie', `planted-bugs-${process.pid}`);

/** Resolves to a folder with a copy of the server's sources. */
export async function plantBugInServer(bug: Bug | undefined): Promise<string> {
  await mkdir(workshop, { recursive: true });
  const folder = await mkdtemp(join(workshop, 'copy-'));
  await cp(sourceFolder, folder, { recursive: true, filter: (file) => !file.endsWith('.test.ts') });
  if (!bug) return folder;
  const file = join(folder, bug.file);
  await writeFile(file, replaceOnce(await readFile(file, 'utf8'), bug));
  return folder;
}

/** Resolves to the ledger's folder in a copy of the server's sources. */
export async function plantBug(bug: Bug | undefined): Promise<string> {
  const folder = await plantBugInServer(bug && { ...bug, file: join('credits', bug.file) });
  return join(folder, 'credits');
}

function replaceOnce(text: string, { name, file, find, replace }: Bug): string {
  const matches = text.split(find).length - 1;
  if (matches !== 1) throw new Error(`"${name}" fits in ${matches} places of ${file}; a bug is planted in exactly one`);
  return text.replace(find, () => replace);
}

export function removePlantedBugs(): Promise<void> {
  return rm(workshop, { recursive: true, force: true });
}
