import { inTransaction, type Transaction } from '../../../../server/src/db/database.ts';
import type { Review } from '../../../../server/src/review/store.ts';
import type { CommandOf } from './commands.ts';
import type { Model } from './model.ts';
import { type ReviewAnswer, rejectInModel, reopenInModel, signOffInModel, takeReportInModel } from './reports.ts';
import { type Context, pickRun, type Step, toCode } from './step.ts';

type ReviewCommand = CommandOf<'takeReport' | 'signOff' | 'reject' | 'reopen'>;

interface Decision {
  name: string;
  decide(tx: Transaction): Promise<Review & { changed?: boolean }>;
  inModel(model: Model): ReviewAnswer;
}

export function reviewerStep(command: ReviewCommand, context: Context): Step | undefined {
  const id = pickRun(command.run, context, ({ report }) => report !== null && report.state !== 'SIGNED_OFF');
  if (id === undefined) return undefined;
  const { name, decide, inModel } = decisionOn(id, command, context);
  return {
    kind: command.kind,
    name: `${name} ${id}`,
    send: () => inTransaction(context.database, decide).then(toAnswer, toCode),
    inModel,
  };
}

function toAnswer({ state, reviewerId, changed }: Review & { changed?: boolean }): ReviewAnswer {
  return { state, reviewer: reviewerId, ...(changed !== undefined && { changed }) };
}

function decisionOn(runId: string, command: ReviewCommand, { product, reviewers }: Context): Decision {
  const change = { runId, actor: 'operator' };
  const { takeReport, signOff, rejectReport, reopenReport } = product.review;
  if (command.kind === 'reopen') {
    return {
      name: 'reopen',
      decide: (tx) => reopenReport(tx, change),
      inModel: (model) => reopenInModel(model, runId),
    };
  }
  if (command.kind === 'takeReport') {
    const taking = { reviewer: reviewers[command.reviewer] ?? '', isForced: command.isForced };
    return {
      name: `${command.isForced ? 'take over' : 'take up'} as ${taking.reviewer}`,
      decide: (tx) => takeReport(tx, { ...change, ...taking }),
      inModel: (model) => takeReportInModel(model, runId, taking),
    };
  }
  const reviewer = command.reviewer === null ? undefined : reviewers[command.reviewer];
  if (command.kind === 'signOff') {
    return {
      name: `sign off as ${reviewer}`,
      decide: (tx) => signOff(tx, { ...change, reviewer }),
      inModel: (model) => signOffInModel(model, runId, reviewer),
    };
  }
  return {
    name: `reject as ${reviewer}`,
    decide: (tx) => rejectReport(tx, { ...change, reviewer, reason: 'It says too little.' }),
    inModel: (model) => rejectInModel(model, runId, reviewer),
  };
}
