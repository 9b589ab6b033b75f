import { reservedOf, settle } from './any-order-credits.ts';
import { type Model, runOf } from './any-order-model.ts';

/** What a reviewer is told: how the report stands now, or why nothing was changed. */
export type ReviewAnswer = { state: string; reviewer: string | null; changed?: boolean } | { code: string };

const NONE = { code: 'NOT_FOUND' };
const REFUSED = { code: 'FORBIDDEN' };

/** There is one for each completed run of a level with expert review, and for no other. */
const reportOf = (model: Model, id: string) => runOf(model, id).report;

interface Taking {
  reviewer: string;
  isForced: boolean;
}

export function takeReportInModel(model: Model, id: string, { reviewer, isForced }: Taking): ReviewAnswer {
  const report = reportOf(model, id);
  if (!report) return NONE;
  if (report.state === 'REJECTED' || report.state === 'SIGNED_OFF') return REFUSED;
  if (report.reviewer !== null && report.reviewer !== reviewer && !isForced) return REFUSED;
  Object.assign(report, { state: 'TAKEN', reviewer });
  return { ...report };
}

/** Whoever does not say who they are acts for the one who has taken it. */
const isWith = ({ state, reviewer }: { state: string; reviewer: string | null }, acting: string | undefined) =>
  state === 'TAKEN' && (acting === undefined || acting === reviewer);

/** For good, and the whole share of the review is charged. */
export function signOffInModel(model: Model, id: string, acting: string | undefined): ReviewAnswer {
  const report = reportOf(model, id);
  if (!report) return NONE;
  if (report.state === 'SIGNED_OFF') return { ...report, changed: false };
  if (!isWith(report, acting)) return REFUSED;
  report.state = 'SIGNED_OFF';
  const { review } = runOf(model, id);
  settle(model.grants, model.now, review, reservedOf(review));
  return { ...report, changed: true };
}

/** The share stays held. */
export function rejectInModel(model: Model, id: string, acting: string | undefined): ReviewAnswer {
  const report = reportOf(model, id);
  if (!report) return NONE;
  if (!isWith(report, acting)) return REFUSED;
  report.state = 'REJECTED';
  return { ...report };
}

export function reopenInModel(model: Model, id: string): ReviewAnswer {
  const report = reportOf(model, id);
  if (!report) return NONE;
  if (report.state !== 'REJECTED') return REFUSED;
  Object.assign(report, { state: 'WAITING', reviewer: null });
  return { ...report };
}
